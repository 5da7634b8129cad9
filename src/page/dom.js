// SPDX-License-Identifier: BSD-3-Clause
// Elements, sections and tables.

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A part of the page: what is seen, in a title, and how to read it, in a sentence. */
export function section(id, title, explanation, ...children) {
  return element(
    'section',
    {id, 'aria-labelledby': `${id}-title`},
    element('h2', {id: `${id}-title`}, title),
    element('p', {class: 'explanation'}, explanation),
    ...children,
  );
}

const mostRows = 1000;

/** The numbers behind a chart, folded up; made when they are looked at, since there may be many. */
export function numbers(name, head, rows) {
  const details = element('details', {class: 'numbers'}, element('summary', {}, `Numbers: ${name}`));
  const fill = () => {
    if (details.querySelector('table')) return;
    details.append(element('div', {class: 'scroll'}, tableOf(head, rows().slice(0, mostRows))));
    const count = rows().length;
    if (count > mostRows) details.append(element('p', {class: 'note'}, `The first ${mostRows} of ${count} rows.`));
  };
  details.addEventListener('toggle', fill);
  details.fill = fill;
  return details;
}

function tableOf(head, rows) {
  const cell = (name, value) =>
    element(name, {class: typeof value === 'number' ? 'number' : undefined}, value === null ? '\u2013' : String(value));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map((title) => element('th', {scope: 'col'}, title)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((value) => cell('td', value))))),
  );
}

/** A row of colours and what they mean. */
export function legend(entries) {
  return element(
    'ul',
    {class: 'legend'},
    ...entries.map(({name, colour}) =>
      element('li', {}, element('span', {class: 'swatch', style: `background:${colour}`}), name),
    ),
  );
}
