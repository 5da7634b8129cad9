// SPDX-License-Identifier: BSD-3-Clause
// The faces and lines of a grid of three dimensions that can be seen.

const axes = [0, 1, 2];

/** The dimensions that a face across a dimension runs along, the lower one first. */
const alongFace = [
  [1, 2],
  [0, 2],
  [0, 1],
];

/** The sides of a face: the dimension (of its two) to its neighbour, the step there, and the corners of the side. */
const sides = [
  [0, -1, 0, 3],
  [0, 1, 1, 2],
  [1, -1, 0, 1],
  [1, 1, 3, 2],
];

/** A list of numbers that grows. */
class Numbers {
  constructor(Type) {
    this.values = new Type(1 << 14);
    this.length = 0;
  }
  /** Makes room for some more and returns where they begin. */
  more(count) {
    const first = this.length;
    this.length += count;
    if (this.length > this.values.length) {
      const larger = new this.values.constructor(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    return first;
  }
  done() {
    return this.values.subarray(0, this.length);
  }
}

/** How far each node moves away from the middle when the grid is pulled apart by a factor of 1. */
export function nodeShifts(nodes, extents, count) {
  const sums = new Float64Array(count * 3);
  const sizes = new Float64Array(count);
  forCells(extents, (cell, index) => {
    ++sizes[nodes[index]];
    for (const d of axes) sums[nodes[index] * 3 + d] += cell[d] + 0.5 - extents[d] / 2;
  });
  for (let node = 0; node < count; ++node) for (const d of axes) sums[node * 3 + d] /= sizes[node] || 1;
  return sums;
}

/**
 * Faces that nothing hides: at the border, at the cut and, if nodes are pulled apart, wherever two meet. Each has four
 * corners, one normal and a cell. Lines run along the edges of faces: strong where a node ends, faint inside.
 * visible: [first, end] along each dimension. only: the one node whose faces are wanted, wherever it ends, as if there
 * were no others; null for all.
 */
export function visibleFaces({nodes, extents, visible, shifts, apart, faintLines, only = null}) {
  const corners = new Numbers(Float32Array);
  const normals = new Numbers(Float32Array);
  const cells = new Numbers(Uint32Array);
  const strong = new Numbers(Float32Array);
  const faint = new Numbers(Float32Array);
  const steps = [extents[1] * extents[2], extents[2], 1];
  const seen = (d, coordinate) => coordinate >= visible[d][0] && coordinate < visible[d][1];
  const base = [0, 0, 0];

  // This runs for hundreds of thousands of faces: nothing is allocated.
  const addFace = (cell, index, d, side) => {
    const node = nodes[index];
    for (const axis of axes) base[axis] = cell[axis] - extents[axis] / 2 + apart * shifts[node * 3 + axis];
    if (side > 0) base[d] += 1;
    const [u, v] = alongFace[d];
    const first = corners.more(12);
    const normal = normals.more(12);
    for (let corner = 0; corner < 4; ++corner)
      for (const axis of axes) {
        const far = (axis === u && (corner === 1 || corner === 2)) || (axis === v && corner >= 2);
        corners.values[first + corner * 3 + 2 - axis] = base[axis] + (far ? 1 : 0);
        normals.values[normal + corner * 3 + 2 - axis] = axis === d ? side : 0;
      }
    cells.values[cells.more(1)] = index;
    for (const [which, step, from, to] of sides) {
      const axis = which === 0 ? u : v;
      const same = seen(axis, cell[axis] + step) && nodes[index + step * steps[axis]] === node;
      if (same && !faintLines) continue;
      const lines = same ? faint : strong;
      const line = lines.more(6);
      for (let k = 0; k < 3; ++k) {
        lines.values[line + k] = corners.values[first + from * 3 + k];
        lines.values[line + 3 + k] = corners.values[first + to * 3 + k];
      }
    }
  };

  forCells(extents, (cell, index) => {
    if (only !== null && nodes[index] !== only) return;
    for (const d of axes) if (!seen(d, cell[d])) return;
    for (const d of axes)
      for (let side = -1; side <= 1; side += 2) {
        const parted = apart !== 0 || only !== null;
        const covered = seen(d, cell[d] + side) && (!parted || nodes[index + side * steps[d]] === nodes[index]);
        if (!covered) addFace(cell, index, d, side);
      }
  });
  return {
    corners: corners.done(),
    normals: normals.done(),
    cells: cells.done(),
    strong: strong.done(),
    faint: faint.done(),
  };
}

const anticlockwise = [0, 1, 2, 0, 2, 3];
const clockwise = [0, 2, 1, 0, 3, 2];

/** Two triangles a face, wound so that their front is outside. */
export function triangles(faces) {
  const indices = new Uint32Array(faces.cells.length * 6);
  for (let face = 0; face < faces.cells.length; ++face) {
    const normal = face * 12;
    // Corners run along the lower dimension first; across y that is anticlockwise seen from above, else from below.
    const forward = faces.normals[normal] < 0 || faces.normals[normal + 1] > 0 || faces.normals[normal + 2] < 0;
    const order = forward ? anticlockwise : clockwise;
    for (let k = 0; k < 6; ++k) indices[face * 6 + k] = face * 4 + order[k];
  }
  return indices;
}

function forCells([planes, rows, columns], use) {
  const cell = [0, 0, 0];
  let index = 0;
  for (cell[0] = 0; cell[0] < planes; ++cell[0])
    for (cell[1] = 0; cell[1] < rows; ++cell[1]) for (cell[2] = 0; cell[2] < columns; ++cell[2]) use(cell, index++);
}
