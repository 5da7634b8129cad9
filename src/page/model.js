// SPDX-License-Identifier: BSD-3-Clause
// The plan's JSON, as src/tools/plan/plan_page.cpp writes it, made ready for drawing. docs/plan.md has its keys.

/** Both plans that are shown, the default only where there is one. */
export function shownPlans(plan) {
  const shown = [{name: 'Plan', key: 'plan', numbers: plan.plan, picture: plan.pictures.plan}];
  if (plan.default)
    shown.push({name: 'Default', key: 'default', numbers: plan.default, picture: plan.pictures.default});
  return shown;
}

/** The node of each cell (or block of cells), row by row. */
export function nodesOfCells({extents, runs}) {
  const nodes = new Uint32Array(extents.reduce((a, b) => a * b, 1));
  let cell = 0;
  for (let i = 0; i < runs.length; i += 2) {
    nodes.fill(runs[i], cell, cell + runs[i + 1]);
    cell += runs[i + 1];
  }
  return nodes;
}

/** The step from one cell to the next along each dimension, in the order of the cells. */
export function strides(extents) {
  const steps = new Array(extents.length).fill(1);
  for (let d = extents.length - 2; d >= 0; --d) steps[d] = steps[d + 1] * extents[d + 1];
  return steps;
}

export const coordinates = (cell, extents) => strides(extents).map((step, d) => Math.floor(cell / step) % extents[d]);

/** "node 15", with the host's name if it has one. */
export function nodeName(plan, node) {
  const host = plan.problem.hosts?.[node];
  return host ? `node ${node} (${host})` : `node ${node}`;
}

/** A group of nodes that traffic is shown for; mostly a single one. */
export function groupName(plan, traffic, group) {
  const first = group * traffic.nodes_together;
  const last = Math.min(first + traffic.nodes_together, plan.problem.nodes) - 1;
  return first === last ? nodeName(plan, first) : `nodes ${first} to ${last}`;
}

/** Paul Tol's light scheme, with a purple for its olive: told apart with every kind of colour vision. */
const palette = ['#77aadd', '#ee8866', '#eedd88', '#44bb99', '#ffaabb', '#99ddff', '#bbcc33', '#8866aa'];

export const paletteSize = palette.length;

/**
 * A colour for each node. Few nodes have one each; of many, those that touch differ, as far as there are colours:
 * of those that no neighbour has, the one that was used least. differ: do all that touch?
 */
export function colourNodes(nodes, extents, count) {
  const colourOf = new Int32Array(count).fill(-1);
  if (count <= palette.length) return {colours: Array.from(colourOf, (_, node) => palette[node]), differ: true};
  let differ = true;
  const neighbours = touching(nodes, extents);
  const used = new Array(palette.length).fill(0);
  for (const [node, others] of neighbours) {
    const taken = new Array(palette.length).fill(0);
    for (const other of others) if (colourOf[other] >= 0) ++taken[colourOf[other]];
    let best = 0;
    for (let c = 1; c < palette.length; ++c)
      if (taken[c] < taken[best] || (taken[c] === taken[best] && used[c] < used[best])) best = c;
    if (taken[best] > 0) differ = false;
    colourOf[node] = best;
    ++used[best];
  }
  return {colours: Array.from(colourOf, (c) => palette[Math.max(c, 0)]), differ};
}

function touching(nodes, extents) {
  const steps = strides(extents);
  const neighbours = new Map();
  for (let cell = 0; cell < nodes.length; ++cell) {
    const node = nodes[cell];
    if (!neighbours.has(node)) neighbours.set(node, new Set());
    for (let d = 0; d < extents.length; ++d) {
      if (Math.floor(cell / steps[d]) % extents[d] === 0) continue;
      const other = nodes[cell - steps[d]];
      if (other === node) continue;
      neighbours.get(node).add(other);
      neighbours.get(other).add(node);
    }
  }
  return neighbours;
}

/** What each group of nodes sends to others: bytes and messages, those inside a group included. */
export function sentByGroup({groups, pairs}) {
  const sent = Array.from({length: groups}, () => ({bytes: 0, messages: 0}));
  for (let i = 0; i < pairs.length; i += 4) {
    sent[pairs[i]].messages += pairs[i + 2];
    sent[pairs[i]].bytes += pairs[i + 3];
  }
  return sent;
}

/** The six parts of a predicted time, in the order they are drawn. */
export const timeParts = [
  {key: 'copies', name: 'copies', colour: 'var(--copies)'},
  {key: 'node_messages', name: 'messages on the node', colour: 'var(--node-light)'},
  {key: 'node_bytes', name: 'bytes on the node', colour: 'var(--node)'},
  {key: 'network_messages', name: 'messages out of the node', colour: 'var(--network-light)'},
  {key: 'network_bytes', name: 'bytes out of the node', colour: 'var(--network)'},
  {key: 'under_way', name: 'messages under way', colour: 'var(--under-way)'},
];

/** How far traffic goes. */
export const levels = [
  {key: 'self', name: 'to the process itself', colour: 'var(--copies)'},
  {key: 'node', name: 'to another process of the node', colour: 'var(--node)'},
  {key: 'network', name: 'to another node', colour: 'var(--network)'},
];
