// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/two_sides.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <utility>

namespace halocline::place {

Count cut_between(const WorkGraph& graph, const std::vector<Side>& sides) {
  Count cut = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    if (sides[v] != 0) continue;
    graph.for_edges(v, [&](Vertex u, Count weight) { cut += sides[u] != 0 ? weight : 0; });
  }
  return cut;
}

TwoSides::TwoSides(const WorkGraph& graph, Count target, std::vector<Side> sides)
    : graph_(graph),
      sides_(std::move(sides)),
      tolerance_(std::max<Count>(graph.largest_size(), 1) - 1),
      slack_(tolerance_ + 2),
      excess_(-target),
      gain_(graph.vertices(), 0),
      degree_(graph.vertices(), 0),
      moved_(graph.vertices(), 0),
      heaps_{GainHeap(graph.vertices()), GainHeap(graph.vertices())} {
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    if (sides_[v] == 0) excess_ += graph.sizes[v];
    Count outside = 0;
    graph.for_edges(v, [&](Vertex u, Count weight) {
      degree_[v] += weight;
      if (sides_[u] != sides_[v]) outside += weight;
    });
    gain_[v] = outside - (degree_[v] - outside);
    if (sides_[v] == 0) cut_ += outside;
  }
}

void TwoSides::refine(int passes) {
  if (too_much() > 0) pass(0);
  while (passes-- > 0 && pass(slack_)) {
  }
}

bool TwoSides::may_move(Vertex v, Count slack) const {
  const Count after = std::abs(excess_after(v));
  return after <= slack || after < std::abs(excess_);
}

/// How many moves in a row may find nothing.
std::size_t TwoSides::patience() const { return std::clamp<std::size_t>(graph_.vertices() / 20, 25, 400); }

void TwoSides::fill(bool only_boundary) {
  for (Vertex v = 0; v < graph_.vertices(); ++v)
    if (moved_[v] == 0 && (!only_boundary || gain_[v] > -degree_[v] || degree_[v] == 0))
      heaps_[to_index(sides_[v])].put(v, gain_[v]);
}

/// Takes out the vertex that shall move, or none.
Vertex TwoSides::next_vertex(Count slack) {
  if (heaps_[excess_ < 0 ? 1 : 0].empty() && std::abs(excess_) > slack) fill(false);
  for (;;) {
    const bool can_0 = !heaps_[0].empty() && may_move(heaps_[0].top(), slack);
    const bool can_1 = !heaps_[1].empty() && may_move(heaps_[1].top(), slack);
    std::size_t from = excess_ < 0 ? 1 : 0;
    if (can_0 != can_1) {
      from = can_0 ? 0 : 1;
    } else if (!can_0) {
      // Only a large vertex is in the way of others.
      if (heaps_[from].empty() || graph_.sizes[heaps_[from].top()] == 1) return no_vertex;
      heaps_[from].remove(heaps_[from].top());
      continue;
    } else if (heaps_[0].top_gain() != heaps_[1].top_gain()) {
      from = heaps_[0].top_gain() > heaps_[1].top_gain() ? 0 : 1;
    }
    const Vertex v = heaps_[from].top();
    heaps_[from].remove(v);
    return v;
  }
}

void TwoSides::move(Vertex v, bool update_heaps) {
  excess_ = excess_after(v);
  cut_ -= gain_[v];
  gain_[v] = -gain_[v];
  sides_[v] = sides_[v] == 0 ? 1 : 0;
  graph_.for_edges(v, [&](Vertex u, Count weight) {
    const Count change = sides_[u] == sides_[v] ? -weight : weight;
    gain_[u] += change;
    gain_[u] += change;
    if (update_heaps && moved_[u] == 0) heaps_[to_index(sides_[u])].put(u, gain_[u]);
  });
}

/// Moves each vertex once at most, the best first, and goes back to the best state on the way.
bool TwoSides::pass(Count slack) {
  for (GainHeap& heap : heaps_) heap.clear();
  fill(true);
  std::vector<Vertex> moves;
  std::size_t kept = 0;
  std::pair best{too_much(), cut_};
  for (Vertex v; moves.size() < kept + patience() || best.first > 0;) {
    if ((v = next_vertex(slack)) == no_vertex) break;
    moved_[v] = 1;
    move(v, true);
    moves.push_back(v);
    const std::pair now{too_much(), cut_};
    if (now >= best) continue;
    best = now;
    kept = moves.size();
  }
  for (const Vertex v : moves) moved_[v] = 0;
  while (moves.size() > kept) {
    move(moves.back(), false);
    moves.pop_back();
  }
  return kept > 0;
}

}  // namespace halocline::place
