// The faces and lines of a grid of three dimensions that can be seen.

const axes = [0, 1, 2];

/** A list of numbers that grows. */
class Numbers {
  constructor(Type) {
    this.values = new Type(1 << 12);
    this.length = 0;
  }
  push(...numbers) {
    if (this.length + numbers.length > this.values.length) {
      const larger = new this.values.constructor(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    for (const number of numbers) this.values[this.length++] = number;
  }
  done() { return this.values.subarray(0, this.length); }
}

/** How far each node moves away from the middle when the grid is pulled apart by a factor of 1. */
export function nodeShifts(nodes, extents, count) {
  const sums = new Float64Array(count * 3);
  const sizes = new Float64Array(count);
  forCells(extents, (cell, index) => {
    ++sizes[nodes[index]];
    for (const d of axes) sums[nodes[index] * 3 + d] += cell[d] + 0.5 - extents[d] / 2;
  });
  for (let node = 0; node < count; ++node)
    for (const d of axes) sums[node * 3 + d] /= sizes[node] || 1;
  return sums;
}

/**
 * Faces that nothing hides: at the border, at the cut and, if nodes are pulled apart, wherever two meet. Each has four
 * corners, one normal and a cell. Lines run along the edges of faces: strong where a node ends, faint inside.
 * visible: [first, end] along each dimension.
 */
export function visibleFaces({nodes, extents, visible, shifts, apart, faintLines}) {
  const faces = {corners: new Numbers(Float32Array), normals: new Numbers(Float32Array), cells: new Numbers(Uint32Array)};
  const strong = new Numbers(Float32Array);
  const faint = new Numbers(Float32Array);
  const steps = [extents[1] * extents[2], extents[2], 1];
  const seen = (d, coordinate) => coordinate >= visible[d][0] && coordinate < visible[d][1];
  const centre = extents.map((extent) => extent / 2);
  const corner = [0, 0, 0];
  const other = [0, 0, 0];

  const addFace = (cell, index, d, side) => {
    const node = nodes[index];
    const [u, v] = axes.filter((axis) => axis !== d);
    const at = (target, alongU, alongV) => {
      for (const axis of axes) target[axis] = cell[axis] - centre[axis] + apart * shifts[node * 3 + axis];
      target[d] += side > 0 ? 1 : 0;
      target[u] += alongU;
      target[v] += alongV;
    };
    for (const [alongU, alongV] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
      at(corner, alongU, alongV);
      faces.corners.push(corner[2], corner[1], corner[0]);
      faces.normals.push(d === 2 ? side : 0, d === 1 ? side : 0, d === 0 ? side : 0);
    }
    faces.cells.push(index);
    for (const [axis, step, from, to] of [[u, -1, [0, 0], [0, 1]], [u, 1, [1, 0], [1, 1]],
      [v, -1, [0, 0], [1, 0]], [v, 1, [0, 1], [1, 1]]]) {
      const same = seen(axis, cell[axis] + step) && nodes[index + step * steps[axis]] === node;
      if (same && !faintLines) continue;
      at(corner, ...from);
      at(other, ...to);
      (same ? faint : strong).push(corner[2], corner[1], corner[0], other[2], other[1], other[0]);
    }
  };

  forCells(extents, (cell, index) => {
    if (!axes.every((d) => seen(d, cell[d]))) return;
    for (const d of axes)
      for (const side of [-1, 1]) {
        const covered = seen(d, cell[d] + side) && (apart === 0 || nodes[index + side * steps[d]] === nodes[index]);
        if (!covered) addFace(cell, index, d, side);
      }
  });
  return {corners: faces.corners.done(), normals: faces.normals.done(), cells: faces.cells.done(),
    strong: strong.done(), faint: faint.done()};
}

/** Two triangles a face, wound so that their front is outside. */
export function triangles(faces) {
  const indices = new Uint32Array(faces.cells.length * 6);
  for (let face = 0; face < faces.cells.length; ++face) {
    const [x, y, z] = faces.normals.subarray(face * 12, face * 12 + 3);
    // Corners run along the lower dimension first; across y that is anticlockwise seen from above, else from below.
    const forward = x < 0 || y > 0 || z < 0;
    const order = forward ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
    indices.set(order.map((corner) => face * 4 + corner), face * 6);
  }
  return indices;
}

function forCells([planes, rows, columns], use) {
  const cell = [0, 0, 0];
  let index = 0;
  for (cell[0] = 0; cell[0] < planes; ++cell[0])
    for (cell[1] = 0; cell[1] < rows; ++cell[1])
      for (cell[2] = 0; cell[2] < columns; ++cell[2]) use(cell, index++);
}
