// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them. Tables and tips give the exact ones beside them.

const scaled = (value, steps, digits = 3) => {
  const step = steps.find(([size]) => Math.abs(value) >= size) ?? steps[steps.length - 1];
  return `${Number((value / step[0]).toPrecision(digits))}\u202f${step[1]}`;
};

/** 142107584 -> "142 MB". Decimal units, as in the prices. */
export const bytesText = (value) =>
  value === 0
    ? '0'
    : scaled(value, [
        [1e15, 'PB'],
        [1e12, 'TB'],
        [1e9, 'GB'],
        [1e6, 'MB'],
        [1e3, 'kB'],
        [1, 'B'],
      ]);

/** 0.000372 -> "372 µs". */
export const secondsText = (value) =>
  value === 0
    ? '0'
    : scaled(value, [
        [1, 's'],
        [1e-3, 'ms'],
        [1e-6, '\u00b5s'],
        [1e-9, 'ns'],
      ]);

/** 38800 -> "38.8 k". */
export const shortCount = (value) =>
  Math.abs(value) < 1e4
    ? exact(value)
    : scaled(value, [
        [1e12, 'T'],
        [1e9, 'G'],
        [1e6, 'M'],
        [1e3, 'k'],
      ]);

/** 142107584 -> "142 107 584". */
export const exact = (value) => value.toLocaleString('en').replaceAll(',', '\u202f');

/** "12x20x10" with the sign of multiplication. */
export const extentsText = (extents) => extents.join('\u202f\u00d7\u202f');

/** How many times as much the default has, in words; "about the same" where three digits show no difference. */
export function ratioText(plan, usual, less = 'less') {
  if (plan === usual) return 'the same';
  if (plan === 0) return 'none is left';
  if (usual === 0) return 'the default has none';
  const times = round(Math.max(plan, usual) / Math.min(plan, usual));
  return times === '1' ? 'about the same' : `${times}\u00d7 ${plan < usual ? less : 'more'}`;
}

/** "1.63 times as fast as"; "as fast as" where three digits show no difference. */
export function asFastAs(seconds, others) {
  const times = seconds === others ? '1' : round(others / seconds);
  return times === '1' ? 'as fast as' : `${times} times as fast as`;
}

export const round = (value) => Number(value.toPrecision(3)).toLocaleString('en');
