// SPDX-License-Identifier: BSD-3-Clause
// The page of a program that was traced: its ranks in their order and in the suggested one. docs/trace.md has the keys.

import {element, legend, numbers, section} from './dom.js';
import {chart, percent, timeChart} from './charts_section.js';
import {adviceSection, headOf} from './head.js';
import {timeParts} from './model.js';
import {trafficSection} from './traffic_section.js';
import {bytesText, exact, secondsText} from './units.js';

const usual = 'default';

/** Both orders, the suggested one only where something is gained. */
function shownOrders(traced) {
  const names = traced.gains ? [usual, traced.best] : [usual];
  return names.map((name) => {
    const time = traced.times.find(({order}) => order === name);
    const nodes = traced.results.find(({order, level}) => order === name && level === 'node');
    const key = name === usual ? usual : 'best';
    return {
      name,
      key,
      time,
      nodes,
      picture: traced.pictures[key],
      // What the map of nodes marks and tells.
      numbers: {bottleneck_node: time.node, j_sum: nodes.bytes, j_max: nodes.busiest_out},
    };
  });
}

/** The head, and what comes below it: [name in the contents, {node, draw}]. */
export function tracedPage(traced) {
  const shown = shownOrders(traced);
  const named = {problem: {nodes: traced.node_count, hosts: traced.hosts}};
  const sections = [
    ['Who sends to whom', matrixSection(traced, shown)],
    ['Levels', costsSection(traced)],
    ['Time', busySection(shown)],
    ['Between nodes', trafficSection(named, shown, 'messages')],
  ];
  if (traced.grid) sections.push(['Grid', standing(gridSection(traced))]);
  sections.push(['How to get it', standing(startSection(traced))]);
  return {head: tracedHead(traced, shown), sections};
}

const standing = (node) => ({node, draw: () => {}});

function tracedHead(traced, shown) {
  const before = shown[0];
  const after = shown.at(-1);
  const rows = [
    ['predicted time of the busiest node', 'seconds', ({time}) => time.seconds, secondsText],
    ['bytes between nodes', 'bytes', ({nodes}) => nodes.bytes, bytesText],
    ['most bytes into one node', 'busiest_in', ({nodes}) => nodes.busiest_in, bytesText],
    ['most bytes out of one node', 'busiest_out', ({nodes}) => nodes.busiest_out, bytesText],
  ];
  return headOf({
    title: `Halocline plan: ${traced.ranks} ranks of ${traced.trace} on nodes ${traced.nodes}`,
    verdict: traced.verdict,
    entries: [
      ['Trace', `${traced.trace}: ${traced.about}`],
      ['Pattern', traced.pattern],
      ['Nodes', `${traced.nodes}: ${traced.told_by}`],
      ['Prices', `${traced.prices} (cost of a message, speed of bytes, time under way)`],
    ],
    rows: rows.map(([name, key, of, text]) => ({
      name,
      key,
      value: of(after),
      usual: traced.gains ? of(before) : undefined,
      text,
    })),
    summary: traced.gains ? 'What the suggested order gains' : 'What was found',
    reasons: traced.reasons,
  });
}

/** Pictures that the program has drawn; styles.css gives them the colours of the theme. */
function matrixSection(traced, shown) {
  const figures = shown.map(({name, key, nodes, picture}) => {
    const frame = element(
      'figure',
      {'data-order': key},
      element('figcaption', {}, element('strong', {}, name), `: ${bytesText(nodes.bytes)} between nodes`),
    );
    frame.insertAdjacentHTML('beforeend', picture.matrix);
    return frame;
  });
  const ranks = traced.pictures.ranks_a_dot;
  const node = section(
    'matrix',
    'Who sends to whom',
    'Rows send, columns receive. Ranks stand as the nodes have them, node after node: a frame is a node, and what lies ' +
      `outside of the frames goes between nodes. A dot is ${ranks === 1 ? 'a rank' : `${exact(ranks)} ranks`}; the ` +
      'stronger its colour, the more bytes, by their logarithm.',
    element('div', {class: 'pair'}, ...figures),
  );
  return {node, draw: () => {}};
}

/** Bytes between the groups of each level, as recorded, in the default order, and in the suggested one. */
function costsSection(traced) {
  const rows = [...traced.results].sort((a, b) => levelNumber(traced, a) - levelNumber(traced, b));
  const several = rows.some(({level}) => level !== 'node');
  const groups = several ? 'groups' : 'nodes';
  const group = several ? 'group' : 'node';
  const label = ({order, level}) => (several ? `${level}s, ${order}` : order);
  const bars = (title, key, axis) =>
    chart(title, {
      rows: rows.map((row) => ({
        label: label(row),
        strong: row.order === traced.best,
        row,
        parts: [{name: key, value: row[key], colour: row.order === traced.best ? 'var(--chosen)' : 'var(--others)'}],
      })),
      text: bytesText,
      axis,
      tipLines: ({label: name, row}) => [
        name,
        `${exact(row.bytes)} bytes in all, ${percent(row.bytes, traced.bytes)} of those of the trace`,
        `the busiest gets ${exact(row.busiest_in)} bytes`,
        `the busiest sends ${exact(row.busiest_out)} bytes`,
      ],
    });
  const charts = [
    bars(`Bytes between ${groups}`, 'bytes', 'bytes, all together'),
    bars('Bytes that the busiest gets', 'busiest_in', `bytes of one ${group}`),
    bars('Bytes that the busiest sends', 'busiest_out', `bytes of one ${group}`),
  ];
  const node = section(
    'levels',
    `How much goes between ${groups}`,
    'As recorded is the job that was traced, on the nodes where its ranks were then; default is what launchers do by ' +
      'themselves: they fill node after node.',
    element('div', {class: 'pair'}, ...charts.map((one) => one.node)),
    numbers(
      `bytes between ${groups}`,
      ['order', 'between', 'bytes', 'the busiest gets', 'the busiest sends'],
      () => rows.map((row) => [row.order, `${row.level}s`, row.bytes, row.busiest_in, row.busiest_out]),
    ),
  );
  return {node, draw: () => charts.forEach((one) => one.draw())};
}

/** Levels in the order in which they are told. */
const levelNumber = ({results}, {level}) => results.findIndex((row) => row.order === usual && row.level === level);

const busyParts = timeParts.filter(({key}) => key.startsWith('node_') || key.startsWith('network_'));

function busySection(shown) {
  const rows = [...shown];
  const bars = timeChart(
    'Predicted time of all messages, on the node that is busy longest',
    rows.map(({name, key, time}) => ({
      label: name,
      strong: key === 'best',
      total: time.seconds,
      parts: busyParts.map((part) => ({...part, value: time[`${part.key}_seconds`]})),
    })),
  );
  const node = section(
    'time',
    'Where the time goes',
    'By the linear model and the prices above: a node needs as long as its slowest process for messages, and then for ' +
      'all bytes that leave it. All messages of the trace, one after the other; nobody waits for anybody.',
    legend(busyParts),
    bars.node,
    numbers('predicted seconds', ['', ...busyParts.map(({name}) => name), 'all', 'busiest node'], () =>
      rows.map(({name, time}) => [
        name,
        ...busyParts.map(({key}) => time[`${key}_seconds`]),
        time.seconds,
        time.node,
      ]),
    ),
  );
  return {node, draw: bars.draw};
}

/** The grid that the messages are those of: to whom each rank sends. Its table is all there is to see: it stands open. */
function gridSection({grid, pattern}) {
  const table = numbers('neighbours', ['offset', 'bytes of a rank'], () =>
    [...grid.stencil].sort((a, b) => b.bytes - a.bytes).map(({offset, bytes}) => [`(${offset.join(', ')})`, bytes]),
  );
  table.open = true;
  table.fill();
  return section('grid', 'The grid in the messages', `${pattern[0].toUpperCase()}${pattern.slice(1)}.`, table);
}

/** The order itself is in the page, unless it is long. */
function startSection(traced) {
  if (!traced.gains) return adviceSection(traced, traced.verdict);
  const save =
    traced.order === undefined
      ? []
      : [element('button', {type: 'button', class: 'save', onclick: () => saveText(traced.order)}, 'Save the order')];
  const explanation = 'The program stays as it is: ranks keep their numbers, and other nodes get them.';
  return adviceSection(traced, explanation, ...save);
}

function saveText(text) {
  const url = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
  element('a', {href: url, download: 'halocline.order'}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
