// SPDX-License-Identifier: BSD-3-Clause
// The one tip of the page: what the pointer or the keyboard's focus is on, in numbers.

import {element} from './dom.js';

const box = element('div', {class: 'tip', role: 'status', 'aria-live': 'polite', hidden: true});

export const placeTip = () => document.body.append(box);

/** Shows lines of text beside a point of the window. */
export function showTip(x, y, lines) {
  box.replaceChildren(...lines.map((line, i) => element(i === 0 ? 'strong' : 'span', {}, line)));
  box.hidden = false;
  const {width, height} = box.getBoundingClientRect();
  const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
  const top = y + 14 + height > innerHeight ? y - 14 - height : y + 14;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, top)}px`;
}

export const hideTip = () => {
  box.hidden = true;
};

/** Gives a mark of a chart its tip, for the pointer and for the keyboard. */
export function withTip(mark, lines) {
  mark.setAttribute('tabindex', '0');
  mark.setAttribute('role', 'img');
  mark.setAttribute('aria-label', lines.join(', '));
  mark.addEventListener('pointermove', (event) => showTip(event.clientX, event.clientY, lines));
  mark.addEventListener('pointerleave', hideTip);
  mark.addEventListener('focus', () => {
    const {left, bottom} = mark.getBoundingClientRect();
    showTip(left, bottom - 8, lines);
  });
  mark.addEventListener('blur', hideTip);
}
