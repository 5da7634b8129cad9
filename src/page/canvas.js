// SPDX-License-Identifier: BSD-3-Clause
// Canvases that are sharp on every screen, and the keys that move about in them.

/** Gives a canvas a size in the window's pixels and returns its context, which draws in those. */
export function sizedContext(canvas, width, height) {
  const ratio = Math.max(1, devicePixelRatio);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

/**
 * Lets the arrow keys move a cursor over rows and columns. `size` returns [rows, columns], `at` is called with the
 * row and the column, and with nothing when the focus goes.
 */
export function withCursor(canvas, size, at) {
  canvas.tabIndex = 0;
  let cursor = [0, 0];
  const clamp = (value, end) => Math.min(Math.max(value, 0), end - 1);
  canvas.addEventListener('focus', () => {
    if (canvas.matches(':focus-visible')) at(...cursor);
  });
  canvas.addEventListener('blur', () => at());
  canvas.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const wide = event.shiftKey ? 10 : 1;
    cursor = cursor.map((value, i) => clamp(value + wide * step[i], size()[i]));
    at(...cursor);
  });
}
