// SPDX-License-Identifier: BSD-3-Clause
// A grid of one or two dimensions, or a plane of one, coloured by node.

import {sizedContext, withCursor} from './canvas.js';
import {element} from './dom.js';
import {colourOf} from './theme.js';

const mostHeight = 420;
const largestCell = 48;
const leastLongLine = 64; // a grid of one dimension that is longer is broken into lines

export class FlatGrid {
  /** onCell(cell or null, x, y): the cell that the pointer or the keyboard is on. */
  constructor({label, onCell}) {
    this.canvas = element('canvas', {role: 'img', 'aria-label': label});
    this.onCell = onCell;
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerleave', () => onCell(null));
    withCursor(
      this.canvas,
      () => [this.rows, this.columns],
      (row, column) => {
        if (row === undefined) return onCell(null);
        const box = this.canvas.getBoundingClientRect();
        const {x, y} = this.corner(row, column);
        const cell = row * this.columns + column;
        if (cell < this.nodes.length)
          onCell(cell, box.left + x + this.cellWidth / 2, box.top + y + this.cellHeight / 2);
      },
    );
  }

  /** Cells of two dimensions, or of one, which is broken into lines where it is long. */
  show(nodes, extents) {
    this.nodes = nodes;
    this.broken = extents.length === 1 && nodes.length > leastLongLine;
    this.columns = this.broken ? Math.ceil(Math.sqrt(nodes.length * 2.5)) : extents.at(-1);
    this.rows = Math.ceil(nodes.length / this.columns);
  }

  draw(width, colours, highlighted) {
    this.cellWidth = Math.min(largestCell, width / this.columns);
    this.cellHeight = Math.min(largestCell, mostHeight / this.rows);
    // Squares, unless the grid is so long and thin that they could not be seen.
    this.cellWidth = Math.min(this.cellWidth, Math.max(this.cellHeight, 6));
    this.cellHeight = Math.min(this.cellHeight, Math.max(this.cellWidth, 6));
    const context = sizedContext(
      this.canvas,
      Math.ceil(this.columns * this.cellWidth) + 2,
      Math.ceil(this.rows * this.cellHeight) + 2,
    );
    context.translate(1, 1);
    this.fill(context, colours, highlighted);
    this.lines(context);
  }

  corner(row, column) {
    return {x: 1 + column * this.cellWidth, y: 1 + row * this.cellHeight};
  }

  fill(context, colours, highlighted) {
    const faded = colourOf('--faded');
    for (let cell = 0; cell < this.nodes.length; ++cell) {
      const node = this.nodes[cell];
      context.fillStyle = highlighted === null || highlighted === node ? colours[node] : faded;
      const left = (cell % this.columns) * this.cellWidth;
      const top = Math.floor(cell / this.columns) * this.cellHeight;
      // Up to the next cell's first pixel, or fractions of pixels would shine through.
      context.fillRect(left, top, this.cellWidth + 0.5, this.cellHeight + 0.5);
    }
    const empty = this.rows * this.columns - this.nodes.length;
    if (empty > 0)
      context.clearRect(
        (this.columns - empty) * this.cellWidth,
        (this.rows - 1) * this.cellHeight,
        empty * this.cellWidth + 1,
        this.cellHeight + 1,
      );
  }

  /** Strong lines where nodes meet, faint ones between the cells of a node where there is room. */
  lines(context) {
    const smaller = Math.min(this.cellWidth, this.cellHeight);
    const strong = new Path2D();
    const faint = new Path2D();
    const meet = (cell, other) => {
      const inside = other >= 0 && other < this.nodes.length && cell < this.nodes.length;
      if (inside && this.nodes[cell] === this.nodes[other]) return faint;
      return cell < this.nodes.length || (other >= 0 && other < this.nodes.length) ? strong : null;
    };
    for (let row = 0; row <= this.rows; ++row)
      for (let column = 0; column <= this.columns; ++column) {
        const cell = row < this.rows && column < this.columns ? row * this.columns + column : Infinity;
        const left = column > 0 && row < this.rows ? row * this.columns + column - 1 : -1;
        const above = row > 0 && column < this.columns ? (row - 1) * this.columns + column : -1;
        const x = column * this.cellWidth;
        const y = row * this.cellHeight;
        if (row < this.rows) line(meet(cell, left), x, y, 0, this.cellHeight);
        if (column < this.columns) line(meet(cell, above), x, y, this.cellWidth, 0);
      }
    if (smaller >= 7) {
      context.strokeStyle = colourOf('--cell-line');
      context.lineWidth = 0.5;
      context.stroke(faint);
    }
    context.strokeStyle = colourOf('--node-line');
    context.lineWidth = Math.min(1.6, smaller / 4);
    context.stroke(strong);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - 1) / this.cellWidth);
    const row = Math.floor((event.clientY - box.top - 1) / this.cellHeight);
    const cell = row * this.columns + column;
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns && cell < this.nodes.length;
    this.onCell(inside ? cell : null, event.clientX, event.clientY);
  }
}

function line(path, x, y, across, down) {
  path?.moveTo(x, y);
  path?.lineTo(x + across, y + down);
}
