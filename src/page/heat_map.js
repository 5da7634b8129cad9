// SPDX-License-Identifier: BSD-3-Clause
// What nodes send each other, as a square of senders and receivers, with what leaves each sender beside it.

import {scaleLinear, scaleLog} from 'd3-scale';
import {interpolateViridis} from 'd3-scale-chromatic';

import {sizedContext, withCursor} from './canvas.js';
import {element} from './dom.js';
import {sentByGroup} from './model.js';
import {colourOf, isDark} from './theme.js';
import {bytesText} from './units.js';

const margin = {left: 46, top: 34, bars: 74, gap: 10};
const largestSquare = 460;

/** The scale that both maps share: by ratios if the largest is far above the smallest. */
export function heatScale(traffics) {
  let least = Infinity;
  let most = 0;
  for (const {pairs} of traffics)
    for (let i = 3; i < pairs.length; i += 4) {
      least = Math.min(least, pairs[i]);
      most = Math.max(most, pairs[i]);
    }
  if (most === 0) return {least: 0, most: 0, share: () => 0, logarithmic: false};
  const logarithmic = most > 50 * least;
  const share = (logarithmic ? scaleLog() : scaleLinear()).domain([logarithmic ? least : 0, most]).range([0, 1]);
  return {least, most, share, logarithmic};
}

/** Much is far from the background: dark on light, light on dark. */
const heat = (share) => interpolateViridis(isDark() ? 0.12 + 0.88 * share : 0.95 - 0.95 * share);

/** The colours of the scale and the bytes that they stand for. */
export function heatLegend(scale) {
  const stops = Array.from({length: 11}, (_, i) => heat(i / 10)).join(',');
  return element(
    'div',
    {class: 'heat-legend'},
    element('span', {}, bytesText(scale.logarithmic ? scale.least : 0)),
    element('span', {class: 'ramp', style: `background:linear-gradient(90deg,${stops})`}),
    element('span', {}, bytesText(scale.most)),
    element(
      'span',
      {class: 'note'},
      `from one node to another${scale.logarithmic ? ', in steps of equal ratios' : ''}`,
    ),
  );
}

export class HeatMap {
  /** marked: the group that takes longest; most: of the bars; onPair(from, to, traffic, x, y) or with nothing. */
  constructor({label, traffic, scale, marked, most, onPair}) {
    Object.assign(this, {traffic, scale, marked, most, onPair});
    this.sent = sentByGroup(traffic);
    this.found = new Map();
    const {pairs, groups} = traffic;
    for (let i = 0; i < pairs.length; i += 4) this.found.set(pairs[i] * groups + pairs[i + 1], i);
    this.canvas = element('canvas', {
      role: 'img',
      'aria-label': `${label}. Arrow keys walk through senders and receivers.`,
    });
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerleave', () => onPair());
    withCursor(
      this.canvas,
      () => [groups, groups],
      (from, to) => {
        if (from === undefined) return onPair();
        const box = this.canvas.getBoundingClientRect();
        this.tell(
          from,
          to,
          box.left + margin.left + (to + 0.5) * this.cell,
          box.top + margin.top + (from + 0.5) * this.cell,
        );
      },
    );
  }

  draw(width) {
    const side = Math.max(80, Math.min(largestSquare, width - margin.left - margin.gap - margin.bars));
    this.cell = Math.min(side / this.traffic.groups, 40);
    this.side = this.cell * this.traffic.groups;
    const context = sizedContext(
      this.canvas,
      margin.left + this.side + margin.gap + margin.bars,
      margin.top + this.side + 6,
    );
    this.drawPairs(context);
    this.drawSums(context);
    this.drawNames(context);
  }

  drawPairs(context) {
    const {pairs} = this.traffic;
    context.fillStyle = colourOf('--nothing');
    context.fillRect(margin.left, margin.top, this.side, this.side);
    const size = Math.max(this.cell - (this.cell > 8 ? 1 : 0), 2); // single pixels are not seen
    for (let i = 0; i < pairs.length; i += 4) {
      context.fillStyle = heat(this.scale.share(pairs[i + 3]));
      context.fillRect(margin.left + pairs[i + 1] * this.cell, margin.top + pairs[i] * this.cell, size, size);
    }
    const height = Math.max(this.cell, 3);
    const top = margin.top + (this.marked + 0.5) * this.cell - height / 2;
    context.strokeStyle = colourOf('--mark');
    context.lineWidth = 1.5;
    context.strokeRect(margin.left - 1, top - 1, this.side + 2, height + 2);
  }

  /** Bars to the right: all that leaves a node. */
  drawSums(context) {
    const left = margin.left + this.side + margin.gap;
    this.sent.forEach(({bytes}, group) => {
      context.fillStyle = colourOf(group === this.marked ? '--mark' : '--network');
      const height = this.cell > 4 ? this.cell - 1 : this.cell + 0.5; // without gaps of fractions of pixels
      context.fillRect(
        left,
        margin.top + group * this.cell,
        this.most ? ((margin.bars - 4) * bytes) / this.most : 0,
        height,
      );
    });
    context.fillStyle = colourOf('--muted');
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'left';
    context.fillText('all it sends', left, margin.top - 8);
  }

  drawNames(context) {
    const {groups, nodes_together: together} = this.traffic;
    const ticks =
      groups === 1
        ? [0]
        : scaleLinear([0, groups - 1], [0, 1])
            .ticks(Math.min(groups, Math.max(2, this.side / 60)))
            .filter(Number.isInteger);
    context.fillStyle = colourOf('--muted');
    context.font = '11px system-ui, sans-serif';
    for (const tick of ticks) {
      const middle = (tick + 0.5) * this.cell;
      context.textAlign = 'center';
      context.fillText(String(tick * together), margin.left + middle, margin.top - 8);
      context.textAlign = 'right';
      context.fillText(String(tick * together), margin.left - 6, margin.top + middle + 4);
    }
    context.textAlign = 'left';
    context.fillText('to node \u2192', margin.left, margin.top - 22);
    context.save();
    context.translate(11, margin.top);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'right';
    context.fillText('\u2190 from node', 0, 0);
    context.restore();
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const to = Math.floor((event.clientX - box.left - margin.left) / this.cell);
    const from = Math.floor((event.clientY - box.top - margin.top) / this.cell);
    const inside = from >= 0 && from < this.traffic.groups && to >= 0;
    if (inside) this.tell(from, to < this.traffic.groups ? to : null, event.clientX, event.clientY);
    else this.onPair();
  }

  /** Without a receiver: all that the sender sends. */
  tell(from, to, x, y) {
    const {pairs, groups} = this.traffic;
    const i = to === null ? undefined : this.found.get(from * groups + to);
    const traffic =
      to === null
        ? this.sent[from]
        : {messages: i === undefined ? 0 : pairs[i + 2], bytes: i === undefined ? 0 : pairs[i + 3]};
    this.onPair(from, to, traffic, x, y);
  }
}
