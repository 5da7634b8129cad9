// SPDX-License-Identifier: BSD-3-Clause
// Light and dark: as the system is set, until the reader says otherwise. Paper is always light.

const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = [];

function use(theme) {
  root.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Calls back whenever canvases have to be drawn in other colours. */
export const onTheme = (listener) => listeners.push(listener);

/** The value of a style variable, such as "--ink". */
export const colourOf = (name) => getComputedStyle(root).getPropertyValue(name).trim();

export const isDark = () => root.dataset.theme === 'dark';

export const toggleTheme = () => use(isDark() ? 'light' : 'dark');

export function startTheme() {
  use(systemDark.matches ? 'dark' : 'light');
  systemDark.addEventListener('change', () => use(systemDark.matches ? 'dark' : 'light'));
  let before = root.dataset.theme;
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    use('light');
  });
  addEventListener('afterprint', () => use(before));
}
