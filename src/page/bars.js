// SPDX-License-Identifier: BSD-3-Clause
// Horizontal stacked bars with an axis, drawn as SVG so that they print and scale.

import {axisBottom} from 'd3-axis';
import {scaleBand, scaleLinear} from 'd3-scale';
import {create} from 'd3-selection';

import {withTip} from './tip.js';

const rowHeight = 30;
const axisHeight = 40;
const labelWidth = 7.3; // of a letter

/**
 * rows: [{label, parts: [{name, value, colour}], note}]; text: how a value is written; axis: what the axis says;
 * reference: {value, label} of a dashed line.
 */
export function drawBars(frame, {rows, text, axis, reference, tipLines}) {
  const width = Math.max(260, frame.clientWidth);
  const longest = Math.max(...rows.map(({label}) => label.length));
  const left = Math.min(longest * labelWidth + 14, width * 0.4);
  const right = 84;
  const top = reference ? 20 : 4;
  const height = top + rows.length * rowHeight + axisHeight;
  const totals = rows.map(({parts}) => parts.reduce((sum, {value}) => sum + value, 0));
  const x = scaleLinear([0, Math.max(...totals, reference?.value ?? 0) || 1], [left, width - right]);
  const y = scaleBand(
    rows.map((_, i) => i),
    [top, height - axisHeight],
  ).padding(0.25);

  const svg = create('svg')
    .attr('class', 'bars')
    .attr('width', width)
    .attr('height', height)
    .attr('viewBox', `0 0 ${width} ${height}`);
  const ticks = Math.max(2, Math.floor((width - left - right) / 90));
  const bottom = svg
    .append('g')
    .attr('class', 'axis')
    .attr('transform', `translate(0,${height - axisHeight})`)
    .call(axisBottom(x).ticks(ticks).tickFormat(text).tickSizeOuter(0));
  bottom
    .selectAll('.tick line')
    .clone()
    .attr('class', 'gridline')
    .attr('y2', -(height - axisHeight - top));
  svg
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', width - right)
    .attr('y', height - 6)
    .attr('text-anchor', 'end')
    .text(axis);

  if (reference) {
    const at = x(reference.value);
    svg
      .append('line')
      .attr('class', 'reference')
      .attr('x1', at)
      .attr('x2', at)
      .attr('y1', top - 4)
      .attr('y2', height - axisHeight);
    const atEnd = at > width * 0.6;
    svg
      .append('text')
      .attr('class', 'reference-label')
      .attr('x', at + (atEnd ? 4 : -4))
      .attr('y', top - 7)
      .attr('text-anchor', atEnd ? 'end' : 'start')
      .text(reference.label);
  }
  rows.forEach((row, i) => {
    svg
      .append('text')
      .attr('class', row.strong ? 'row-label strong' : 'row-label')
      .attr('x', left - 8)
      .attr('y', y(i) + y.bandwidth() / 2)
      .attr('dy', '0.34em')
      .attr('text-anchor', 'end')
      .text(row.label);
    let from = 0;
    for (const part of row.parts) {
      const rect = svg
        .append('rect')
        .attr('class', 'bar')
        .attr('x', x(from))
        .attr('y', y(i))
        .attr('width', Math.max(0, x(from + part.value) - x(from)))
        .attr('height', y.bandwidth())
        .style('fill', part.colour)
        .attr('data-row', row.label)
        .attr('data-part', part.name)
        .attr('data-value', part.value);
      from += part.value;
      if (part.value > 0) withTip(rect.node(), tipLines(row, part));
    }
    svg
      .append('text')
      .attr('class', 'row-value')
      .attr('x', x(totals[i]) + 6)
      .attr('y', y(i) + y.bandwidth() / 2)
      .attr('dy', '0.34em')
      .text(text(totals[i]));
  });

  frame.replaceChildren(svg.node());
}
