// SPDX-License-Identifier: BSD-3-Clause
// Where the time goes, how far bytes and messages go, and how placement algorithms compare: bars.

import {drawBars} from './bars.js';
import {element, legend, numbers, section} from './dom.js';
import {levels, shownPlans, timeParts} from './model.js';
import {bytesText, exact, secondsText, shortCount} from './units.js';

export const percent = (part, whole) => `${((100 * part) / whole).toPrecision(3)}\u2009%`;

/** A chart in a frame of its own; draw() fits it to the frame. */
export function chart(title, options) {
  const frame = element('div', {class: 'chart', 'data-chart': title});
  return {
    node: element('figure', {}, element('figcaption', {}, element('strong', {}, title)), frame),
    draw: () => drawBars(frame, options),
  };
}

/** How long something takes by prediction, and which parts make up that time. */
export const timeChart = (title, rows) =>
  chart(title, {
    rows,
    text: secondsText,
    axis: 'predicted time',
    tipLines: (row, part) => [
      row.label,
      `${part.name}: ${secondsText(part.value)}`,
      `${percent(part.value, row.total)} of ${secondsText(row.total)}`,
    ],
  });

export function timeSection(plan) {
  const {schedule} = plan.plan;
  const rows = [];
  if (plan.default) rows.push({label: 'default', of: plan.default});
  rows.push({label: `plan: ${schedule}`, of: plan.plan, strong: true});
  for (const rated of plan.schedules)
    if (rated.schedule !== schedule) rows.push({label: `instead: ${rated.schedule}`, of: rated});
  const bars = timeChart(
    'Predicted time of one exchange, on the node that takes longest',
    rows.map(({label, of, strong}) => ({
      label,
      strong,
      total: of.seconds,
      parts: timeParts.map(({key, name, colour}) => ({name, colour, value: of.seconds_of[key]})),
    })),
  );
  const node = section(
    'time',
    'Where the time of an exchange goes',
    'By the linear model and the prices above: a node needs as long as its slowest process for copies and messages, ' +
      'and then for all bytes that leave it. Schedules that were not chosen stand beside the plan\u2019s.',
    legend(timeParts),
    bars.node,
    numbers('predicted seconds', ['', ...timeParts.map(({name}) => name), 'all', 'bottleneck node'], () =>
      rows.map(({label, of}) => [
        label,
        ...timeParts.map(({key}) => of.seconds_of[key]),
        of.seconds,
        of.bottleneck_node,
      ]),
    ),
  );
  return {node, draw: bars.draw};
}

export function levelsSection(plan) {
  const shown = shownPlans(plan).reverse();
  const bars = (title, what, text) =>
    chart(title, {
      rows: shown.map(({name, key, numbers: of}) => ({
        label: name.toLowerCase(),
        strong: key === 'plan',
        total: levels.reduce((sum, level) => sum + of.total[level.key][what], 0),
        parts: levels.map((level) => ({name: level.name, colour: level.colour, value: of.total[level.key][what]})),
      })),
      text,
      axis: `${what}, all processes together`,
      tipLines: (row, part) => [
        row.label,
        `${part.name}: ${exact(part.value)} ${what}`,
        `${percent(part.value, row.total)} of all`,
      ],
    });
  const charts = [
    bars('Bytes by how far they go', 'bytes', bytesText),
    bars('Messages by how far they go', 'messages', shortCount),
  ];
  const table = () =>
    shown.flatMap(({name, numbers: of}) =>
      [
        ['all processes', of.total],
        ['largest process', of.largest_process],
        [`node ${of.bottleneck_node}, which takes longest`, of.bottleneck],
      ].map(([who, traffic]) => [
        name.toLowerCase(),
        who,
        ...levels.flatMap(({key}) => [traffic[key].messages, traffic[key].bytes]),
      ]),
    );
  const node = section(
    'levels',
    'How far bytes and messages go',
    'What stays on a node is cheap. A good placement turns bytes between nodes into bytes on nodes; ' +
      'a good schedule sends fewer messages.',
    legend(levels),
    element('div', {class: 'pair'}, ...charts.map((one) => one.node)),
    numbers(
      'messages and bytes',
      ['', 'who sends', ...levels.flatMap(({name}) => [`messages ${name}`, `bytes ${name}`])],
      table,
    ),
  );
  return {node, draw: () => charts.forEach((one) => one.draw())};
}

export function placementsSection(plan) {
  const chosen = plan.plan.placement;
  const rows = [...plan.placements].sort((a, b) => a.j_sum - b.j_sum || a.j_max - b.j_max);
  const bars = (title, key, about) =>
    chart(title, {
      rows: rows.map((row) => ({
        label: row.placement,
        strong: row.placement === chosen,
        row,
        parts: [{name: key, value: row[key], colour: row.placement === chosen ? 'var(--chosen)' : 'var(--others)'}],
      })),
      text: bytesText,
      axis: about,
      reference: plan.default ? {value: plan.default[key], label: 'the default, on its grid'} : undefined,
      tipLines: ({label, row}) => [
        label,
        `J_sum ${exact(row.j_sum)} bytes`,
        `J_max ${exact(row.j_max)} bytes`,
        `predicted time ${secondsText(row.seconds)}`,
      ],
    });
  const charts = [
    bars('J_sum: bytes between nodes', 'j_sum', 'bytes, all nodes together'),
    bars('J_max: bytes that leave the worst node', 'j_max', 'bytes of one node'),
  ];
  const leftOut = rows.some(({placement}) => placement === 'random') ? '' : ' There are too many processes for random.';
  const node = section(
    'placements',
    'Placement algorithms on the plan\u2019s grid',
    `The same grid and the same schedule (${plan.plan.schedule}), placed by each algorithm, best first. ` +
      `The plan takes ${chosen}.${leftOut}`,
    element('div', {class: 'pair'}, ...charts.map((one) => one.node)),
    numbers('placements', ['placement', 'J_sum, bytes', 'J_max, bytes', 'predicted seconds'], () =>
      rows.map((row) => [row.placement, row.j_sum, row.j_max, row.seconds]),
    ),
  );
  return {node, draw: () => charts.forEach((one) => one.draw())};
}
