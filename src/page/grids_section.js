// SPDX-License-Identifier: BSD-3-Clause
// The process grids, coloured by node: the plan beside the default.

import {element, numbers, section} from './dom.js';
import {FlatGrid} from './flat_grid.js';
import {colourNodes, coordinates, nodeName, nodesOfCells, paletteSize, shownPlans} from './model.js';
import {SolidGrid, View} from './solid_grid.js';
import {hideTip, showTip} from './tip.js';
import {exact, extentsText} from './units.js';

export function gridsSection(plan, redraw) {
  const view = new View();
  const shared = {plan, view, highlighted: null, pinned: null};
  const figures = shownPlans(plan).map((shown) => new GridFigure(shown, shared, redraw));
  const solid = figures.some((figure) => figure.solid);
  const node = section(
    'grids',
    'Which node owns which part of the process grid',
    explanation(plan, figures, solid),
    controls(shared, figures, solid, redraw),
    element('div', {class: 'pair'}, ...figures.map((figure) => figure.frame)),
    ...figures.map((figure) => figure.numbers()),
  );
  return {node, draw: () => figures.forEach((figure) => figure.draw())};
}

function explanation(plan, figures, solid) {
  const many = plan.problem.nodes > paletteSize;
  const differ = figures.every((figure) => figure.differ) ? 'nodes' : 'most nodes';
  const texts = [
    'Each cell is a process, each colour a node; lines show where nodes meet, and all that crosses them is traffic ' +
      'between nodes.',
  ];
  if (many) texts.push(`There are more nodes than colours: ${differ} that touch differ.`);
  if (figures.some((figure) => !figure.solid && figure.extents.length > 1))
    texts.push('Of the two dimensions that are seen, the first runs down and the second to the right.');
  if (solid)
    texts.push(
      'Drag to turn, Ctrl and the wheel to zoom; cut or pull apart to see the inside. A node that is shown alone is seen ' +
        'through the others.',
    );
  if (figures.some((figure) => figure.flat.broken))
    texts.push('The one dimension is broken into lines, read as text is.');
  return texts.join(' ');
}

/** The node that takes longest, of the plan and of the default each its own. */
const slowest = 'slowest';

function controls(shared, figures, solid, redraw) {
  const {view, plan} = shared;
  const slider = (name, key, most) =>
    element(
      'label',
      {},
      name,
      element('input', {
        type: 'range',
        min: '0',
        max: most,
        step: '0.01',
        value: '0',
        name: key,
        oninput: (event) => view.change({[key]: Number(event.target.value)}),
      }),
    );
  const pin = (value) => {
    shared.pinned = value;
    shared.highlighted = value;
    field.value = '';
    figures.forEach((figure) => figure.reveal());
    redraw();
  };
  const field = element('input', {
    type: 'number',
    name: 'node',
    min: '0',
    max: plan.problem.nodes - 1,
    placeholder: 'all',
    oninput: (event) => {
      const value = event.target.value === '' ? null : Number(event.target.value);
      if (value === null || (Number.isInteger(value) && value >= 0 && value < plan.problem.nodes)) {
        shared.pinned = shared.highlighted = value;
        figures.forEach((figure) => figure.reveal());
        redraw();
      }
    },
  });
  const bar = element('div', {class: 'controls'});
  if (solid)
    bar.append(
      slider('Pull apart', 'apart', '1.5'),
      slider('Cut away', 'cutShare', '1'),
      element(
        'label',
        {},
        'along',
        element(
          'select',
          {name: 'cutDimension', onchange: (event) => view.change({cutDimension: Number(event.target.value)})},
          ...[0, 1, 2].map((d) => element('option', {value: d}, `dimension ${d + plan.plan.grid.length - 3}`)),
        ),
      ),
      element('button', {type: 'button', onclick: () => view.change(View.start)}, 'Reset view'),
    );
  bar.append(
    element('label', {}, 'Only node', field),
    element('button', {type: 'button', onclick: () => pin(slowest)}, 'Slowest node'),
    element('button', {type: 'button', onclick: () => pin(null)}, 'All nodes'),
  );
  return bar;
}

class GridFigure {
  constructor(shown, shared, redraw) {
    Object.assign(this, {shown, shared, redraw});
    const {cells} = shown.picture;
    this.extents = cells.extents;
    this.nodes = nodesOfCells(cells);
    Object.assign(this, colourNodes(this.nodes, this.extents, shared.plan.problem.nodes));
    const label = `Process grid of the ${shown.name.toLowerCase()}, coloured by node`;
    const onCell = (cell, x, y) => this.onCell(cell, x, y);
    this.flat = new FlatGrid({label, onCell});
    this.solid =
      this.extents.length >= 3 ? solidGrid({label, names: this.names().slice(-3), view: shared.view, onCell}) : null;
    this.drawn = this.solid ?? this.flat;
    const dimensions = Math.min(this.extents.length, this.solid ? 3 : 2);
    this.before = this.extents.slice(0, this.extents.length - dimensions);
    this.seen = this.extents.slice(this.extents.length - dimensions);
    this.slice = this.before.map(() => 0);
    this.showSlice();
    this.frame = element(
      'figure',
      {'data-plan': shown.key},
      this.caption(),
      this.sliders(),
      this.solid ? this.solid.frame : this.flat.canvas,
    );
  }

  names() {
    return this.shown.numbers.grid.map((extent, d) => `dim ${d}: ${extent}`);
  }

  caption() {
    const {grid, placement} = this.shown.numbers;
    const {block} = this.shown.picture.cells;
    const blocks = block.some((extent) => extent > 1)
      ? ` Each cell drawn stands for ${extentsText(block)} processes, coloured by the node that owns most of them.`
      : '';
    return element(
      'figcaption',
      {},
      element('strong', {}, `${this.shown.name}: ${extentsText(grid)}`),
      ` placed by ${placement}.${blocks}`,
    );
  }

  /** More dimensions than can be drawn are gone through by sliders. */
  sliders() {
    if (this.before.length === 0) return null;
    this.inputs = this.before.map((extent, d) =>
      element('input', {
        type: 'range',
        min: '0',
        max: extent - 1,
        value: '0',
        name: `slice${d}`,
        oninput: (event) => {
          this.moveSlice(d, Number(event.target.value));
          this.showSlice();
          this.draw();
        },
      }),
    );
    this.outputs = this.before.map((extent) => element('output', {}, `0 of 0\u2013${extent - 1}`));
    return element(
      'div',
      {class: 'controls'},
      ...this.before.map((_, d) => element('label', {}, `Slice of dimension ${d}`, this.inputs[d], this.outputs[d])),
    );
  }

  moveSlice(d, at) {
    this.slice[d] = at;
    this.inputs[d].value = at;
    this.outputs[d].textContent = `${at} of 0\u2013${this.before[d] - 1}`;
  }

  showSlice() {
    const size = this.seen.reduce((a, b) => a * b, 1);
    this.first = this.slice.reduce((index, at, d) => index * this.before[d] + at, 0) * size;
    this.drawn.show(
      this.nodes.subarray(this.first, this.first + size),
      this.seen,
      this.shown.picture.cells.block.slice(-this.seen.length),
    );
  }

  /** The node that is shown alone here, or null. */
  highlighted() {
    const {highlighted} = this.shared;
    return highlighted === slowest ? this.shown.numbers.bottleneck_node : highlighted;
  }

  /** Goes to a slice that has a cell of the node that is shown alone. */
  reveal() {
    const cell = this.nodes.indexOf(this.highlighted());
    if (cell < 0 || this.before.length === 0) return;
    coordinates(cell, this.extents)
      .slice(0, this.before.length)
      .forEach((at, d) => this.moveSlice(d, at));
    this.showSlice();
  }

  draw() {
    const {pinned, highlighted} = this.shared;
    this.drawn.draw(
      Math.max(200, this.frame.clientWidth),
      this.colours,
      this.highlighted(),
      pinned !== null && pinned === highlighted,
    );
  }

  onCell(cell, x, y) {
    const {shared} = this;
    const node = cell === null ? null : this.nodes[this.first + cell];
    if (node === null) hideTip();
    else showTip(x, y, this.tip(this.first + cell, node));
    const wanted = node ?? shared.pinned;
    if (wanted === shared.highlighted) return;
    shared.highlighted = wanted;
    this.redraw();
  }

  tip(cell, node) {
    const {block} = this.shown.picture.cells;
    const at = coordinates(cell, this.extents).map((c, d) => {
      const first = c * block[d];
      const last = Math.min(first + block[d], this.shown.numbers.grid[d]) - 1;
      return first === last ? `${first}` : `${first}\u2013${last}`;
    });
    const longest = node === this.shown.numbers.bottleneck_node ? ['takes longest of all nodes'] : [];
    return [nodeName(this.shared.plan, node), `cell (${at.join(', ')})`, ...longest];
  }

  numbers() {
    const dimensions = this.extents.map((_, d) => d);
    const rows = () => {
      const boxes = new Map();
      this.nodes.forEach((node, cell) => {
        const at = coordinates(cell, this.extents);
        if (!boxes.has(node)) boxes.set(node, {cells: 0, low: [...at], high: [...at]});
        const box = boxes.get(node);
        ++box.cells;
        dimensions.forEach((d) => {
          box.low[d] = Math.min(box.low[d], at[d]);
          box.high[d] = Math.max(box.high[d], at[d]);
        });
      });
      return [...boxes]
        .sort(([a], [b]) => a - b)
        .map(([node, box]) => [
          node,
          this.shared.plan.problem.hosts?.[node] ?? '',
          box.cells,
          `(${box.low.join(', ')})`,
          `(${box.high.join(', ')})`,
        ]);
    };
    return numbers(
      `the nodes of the ${this.shown.name.toLowerCase()} (${exact(this.nodes.length)} cells)`,
      ['node', 'host', 'cells', 'lowest coordinates', 'highest coordinates'],
      rows,
    );
  }
}

/** Without WebGL there are flat slices. */
function solidGrid(options) {
  if (!document.createElement('canvas').getContext('webgl2')) return null;
  return new SolidGrid(options);
}
