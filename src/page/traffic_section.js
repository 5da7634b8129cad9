// SPDX-License-Identifier: BSD-3-Clause
// What nodes send each other: a heat map for the plan and one for the default, on one scale.

import {element, numbers, section} from './dom.js';
import {HeatMap, heatLegend, heatScale} from './heat_map.js';
import {groupName, sentByGroup, shownPlans} from './model.js';
import {hideTip, showTip} from './tip.js';
import {bytesText, exact} from './units.js';

/** shown: what is compared, as shownPlans() has it; what: the name of what nodes send. */
export function trafficSection(plan, shown = shownPlans(plan), what = 'blocks') {
  const traffics = shown.map(({picture}) => picture.traffic);
  const scale = heatScale(traffics);
  const most = Math.max(...traffics.flatMap((traffic) => sentByGroup(traffic).map(({bytes}) => bytes)));
  const legend = element('div');
  if (scale.most === 0) {
    const none = plan.problem.nodes === 1 ? 'There is one node: nothing leaves it.' : 'Nothing is sent between nodes.';
    return {node: section('traffic', 'What nodes send each other', none), draw: () => {}};
  }
  const figures = shown.map((one) => figureOf(plan, one, scale, most, what));
  const {nodes_together: together} = traffics[0];
  const explanation =
    'Rows send, columns receive. Fewer and weaker squares mean less traffic; the bars beside them are all that a node ' +
    'sends to others. The frame marks the node that takes longest.' +
    (together > 1
      ? ` ${together} consecutive nodes are taken together; the diagonal is what they send each other.`
      : '');
  const node = section(
    'traffic',
    'What nodes send each other',
    explanation,
    legend,
    element('div', {class: 'pair'}, ...figures.map(({frame}) => frame)),
    numbers(
      'bytes that leave each node',
      ['node', ...shown.flatMap(({name}) => [`${name.toLowerCase()}: messages`, `${name.toLowerCase()}: bytes`])],
      () =>
        sentByGroup(traffics[0]).map((_, group) => [
          groupName(plan, traffics[0], group),
          ...traffics.flatMap((traffic) => {
            const {messages, bytes} = sentByGroup(traffic)[group];
            return [messages, bytes];
          }),
        ]),
    ),
    ...shown.map(({name, picture: {traffic}}) =>
      numbers(`pairs of nodes, ${name.toLowerCase()}, most bytes first`, ['from', 'to', 'messages', 'bytes'], () =>
        largestPairs(plan, traffic),
      ),
    ),
  );
  return {
    node,
    draw: () => {
      legend.replaceChildren(heatLegend(scale));
      figures.forEach(({frame, map}) => map.draw(frame.clientWidth));
    },
  };
}

function figureOf(plan, {name, key, numbers: of, picture: {traffic}}, scale, most, what) {
  const onPair = (from, to, sent, x, y) => {
    if (from === undefined) return hideTip();
    const who =
      to === null
        ? `${groupName(plan, traffic, from)} to all others`
        : `${groupName(plan, traffic, from)} to ${groupName(plan, traffic, to)}`;
    showTip(x, y, [who, sent.bytes === 0 ? 'nothing' : `${exact(sent.bytes)} bytes in ${exact(sent.messages)} ${what}`]);
  };
  const map = new HeatMap({
    label: `Bytes between nodes, ${name.toLowerCase()}`,
    traffic,
    scale,
    most,
    onPair,
    marked: Math.floor(of.bottleneck_node / traffic.nodes_together),
  });
  const all = sentByGroup(traffic).reduce((sum, {bytes}) => sum + bytes, 0);
  const forwards =
    all === of.j_sum
      ? ''
      : ` Blocks from where they begin to where they end; ${of.schedule} forwards some, ${bytesText(of.j_sum)} in all.`;
  const frame = element(
    'figure',
    {'data-plan': key},
    element(
      'figcaption',
      {},
      element('strong', {}, `${name}: ${bytesText(all)} between nodes`),
      `, at most ${bytesText(of.j_max)} out of one; node ${of.bottleneck_node} takes longest.${forwards}`,
    ),
    map.canvas,
  );
  return {frame, map};
}

function largestPairs(plan, traffic) {
  const rows = [];
  for (let i = 0; i < traffic.pairs.length; i += 4) rows.push(traffic.pairs.slice(i, i + 4));
  return rows
    .sort((a, b) => b[3] - a[3] || a[0] - b[0] || a[1] - b[1])
    .map(([from, to, messages, bytes]) => [
      groupName(plan, traffic, from),
      groupName(plan, traffic, to),
      messages,
      bytes,
    ]);
}
