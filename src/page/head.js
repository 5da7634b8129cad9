// SPDX-License-Identifier: BSD-3-Clause
// What was planned, the verdict, and the four numbers that decide; how to get it.

import {element, numbers, section} from './dom.js';
import {toggleTheme} from './theme.js';
import {asFastAs, bytesText, exact, extentsText, ratioText, secondsText, shortCount} from './units.js';

function verdict({plan, default: usual}) {
  const sentence = `One halo exchange is predicted to take ${secondsText(plan.seconds)}`;
  if (!usual) return sentence;
  return plan.seconds === 0 && usual.seconds > 0
    ? `${sentence}; with MPI\u2019s default it takes ${secondsText(usual.seconds)}`
    : `${sentence}; it is ${asFastAs(plan.seconds, usual.seconds)} with MPI\u2019s default`;
}

/**
 * What stands above everything else. entries: [term, text] of what is shown; reasons: sentences below a summary;
 * rows: of tiles(); note: a sentence, or nothing.
 */
export function headOf({title, verdict: sentence, entries, rows, note, summary, reasons}) {
  document.title = title;
  return element(
    'header',
    {},
    element(
      'div',
      {class: 'brand'},
      element('span', {}, 'Halocline plan'),
      element('button', {type: 'button', class: 'theme', onclick: toggleTheme}, 'Light or dark'),
    ),
    element('h1', {}, sentence),
    element(
      'dl',
      {class: 'problem'},
      ...entries.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]),
    ),
    tiles(rows),
    note ? element('p', {class: 'note'}, note) : null,
    element(
      'details',
      {class: 'reasons', open: true},
      element('summary', {}, summary),
      element('ul', {}, ...reasons.map((reason) => element('li', {}, reason))),
    ),
  );
}

export function head(plan) {
  const what = plan.problem.blocks ? 'grid' : 'mesh';
  return headOf({
    title: `Halocline plan: ${what} ${plan.problem.mesh} on ${plan.problem.nodes} nodes`,
    verdict: verdict(plan),
    entries: problemEntries(plan.problem),
    rows: planRows(plan),
    note: plan.default ? undefined : `There is no default to compare with: ${plan.no_default}.`,
    summary: 'Why this plan',
    reasons: plan.reasons,
  });
}

const many = (count, one, several = `${one}s`) => `${exact(count)} ${count === 1 ? one : several}`;

/** "100x80 periodic:0,1" -> "100 × 80, periodic in dimension 1". */
function meshText(mesh) {
  const [extents, periodic] = mesh.split(' periodic:');
  const wrapped = (periodic ?? '').split(',').flatMap((flag, d) => (flag === '1' ? [d] : []));
  const dimensions = extents.split('x');
  const which = wrapped.length === dimensions.length ? 'everywhere' : `in dimension ${wrapped.join(' and ')}`;
  return extentsText(dimensions) + (wrapped.length > 0 ? `, periodic ${which}` : '');
}

function problemEntries(problem) {
  const price = ({message_seconds: message, byte_seconds: byte}) =>
    `${secondsText(message)} a message, ${byte > 0 ? `${bytesText(1 / byte)}/s` : 'bytes for nothing'}`;
  const exchanged = problem.point_bytes
    ? [['Exchanged', problem.exchanged]]
    : [
        ['Mesh', meshText(problem.mesh)],
        ['Stencil', `${problem.stencil}, halo ${extentsText(problem.halo)}`],
        ['Fields', `${many(problem.fields, 'field')} of ${many(problem.bytes, 'byte')} a point`],
      ];
  return [
    ...exchanged,
    [
      'Machine',
      `${many(problem.ranks, 'process', 'processes')} on ${many(problem.nodes, 'node')} (${problem.machine})`,
    ],
    ['Prices', pricesText(problem.prices, price)],
  ];
}

/** Of the node, of the network, and of other levels that have any. */
function pricesText({node, network, ...others}, price) {
  const inside = Object.entries(others).map(([level, of]) => `inside one ${level} ${price(of)}`);
  return [`on a node ${price(node)}`, `out of a node ${price(network)}`, ...inside].join('; ');
}

const standing = (plan, usual) => (plan === usual ? 'equal' : plan < usual ? 'better' : 'worse');

/** The numbers with the most to say of a plan. */
function planRows({plan, default: usual}) {
  const rows = [
    ['predicted time', 'seconds', (of) => of.seconds, secondsText],
    ['bytes between nodes', 'j_sum', (of) => of.j_sum, bytesText],
    ['most bytes out of one node', 'j_max', (of) => of.j_max, bytesText],
    ['messages between nodes', 'messages', (of) => of.total.network.messages, shortCount, 'fewer'],
  ];
  return rows.map(([name, key, of, text, less]) => ({
    name,
    key,
    value: of(plan),
    usual: usual ? of(usual) : undefined,
    text,
    less,
  }));
}

/** Numbers, each with the default's if there is one. rows: [{name, key, value, usual, text, less}]. */
function tiles(rows) {
  return element(
    'div',
    {class: 'tiles'},
    ...rows.map(({name, key, value, usual, text, less}) =>
      element(
        'div',
        {class: 'tile', 'data-tile': key},
        element('span', {class: 'name'}, name),
        element('span', {class: 'value', 'data-value': value}, text(value)),
        usual === undefined
          ? null
          : element(
              'span',
              {class: `against ${standing(value, usual)}`},
              `default ${text(usual)}: `,
              element('strong', {}, ratioText(value, usual, less)),
            ),
      ),
    ),
  );
}

/** Lines to be copied: code, variables, and how to start a program. */
export function adviceSection(
  {how_to_get_it: ways},
  explanation = 'Programs that use the library do this by themselves.',
  ...more
) {
  return section(
    'get',
    'How to get it',
    explanation,
    ...more,
    ...ways.flatMap(({purpose, lines}) => [
      element('p', {}, purpose),
      element('pre', {class: 'lines'}, lines.join('\n')),
    ]),
  );
}

/** Its table is short and all there is to see: it stands open. */
export function packingSection(plan) {
  const table = numbers('messages by direction', ['direction', 'bytes', 'pieces', 'of one field'], () =>
    plan.packing.map(({direction, bytes, pieces, canonical}) => [
      `(${direction.join(', ')})`,
      bytes,
      pieces,
      canonical,
    ]),
  );
  table.open = true;
  table.fill();
  return section(
    'packing',
    'How messages lie in memory',
    'The largest message in each kind of direction: many small pieces take longer to pack.',
    table,
  );
}
