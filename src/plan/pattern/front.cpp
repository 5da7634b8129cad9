// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/front.hpp"

#include "base/numbers.hpp"
#include "plan/pattern/evidence.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

bool have_square(const PairGraph& steps, std::uint32_t a, std::uint32_t b, std::uint32_t corner) {
  bool found = false;
  for_common(steps, a, b, [&](std::size_t i, std::size_t) {
    found = steps.neighbours[i] != corner;
    return !found;
  });
  return found;
}

}  // namespace

EndlessCells::Key EndlessCells::origin() const {
  Key origin = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) origin |= Key{1} << (bits_ * d + bits_ - 1);
  return origin;
}

Count EndlessCells::coordinate(Key cell, std::size_t dimension) const {
  const Key mask = bits_ == 64 ? ~Key{0} : (Key{1} << bits_) - 1;
  const Key field = cell >> (bits_ * dimension) & mask;
  return static_cast<Count>(field - (Key{1} << (bits_ - 1)));
}

std::optional<Cross> cross_at(const PairGraph& steps, std::uint32_t vertex) {
  Cross cross;
  for (const std::uint32_t v : steps.of(vertex)) {
    std::size_t lines = 0, line = 0;
    for (std::size_t d = 0; d < cross.size(); ++d)
      for (const std::uint32_t other : cross[d])
        if (!have_square(steps, v, other, vertex)) {
          ++lines;
          line = d;
        }
    if (lines > 1) return std::nullopt;
    if (lines == 0)
      cross.push_back({v});
    else if (cross[line].size() == 2)
      return std::nullopt;
    else
      cross[line].push_back(v);
  }
  if (cross.empty() || cross.size() > most_pattern_dimensions) return std::nullopt;
  return cross;
}

Front::Front(const PairGraph& steps, std::uint32_t seed, const Cross& cross)
    : steps_(steps), cells_(cross.size()), placed_(steps.vertices()), cell_of_(steps.vertices()) {
  vertex_at_.reserve(steps.vertices());
  place(seed, cells_.origin());
  for (std::size_t d = 0; d < cross.size(); ++d) {
    borders_.push_back(cross[d].size() == 1);
    for (std::size_t side = 0; side < cross[d].size(); ++side)
      place(cross[d][side], cells_.neighbour(cells_.origin(), d, side == 0));
  }
}

void Front::place(std::uint32_t v, Key cell) {
  placed_[v] = true;
  cell_of_[v] = cell;
  vertex_at_.emplace(cell, v);
  queue_.push_back(v);
}

bool Front::is_free(Key cell) const { return !vertex_at_.contains(cell); }

template <class Visit>
void Front::for_free(Key cell, const Visit& visit) const {
  for (std::size_t d = 0; d < cells_.dimensions(); ++d)
    for (const bool forward : {false, true}) {
      if (!forward && borders_[d] && cells_.coordinate(cell, d) == 0) continue;
      const Key next = cells_.neighbour(cell, d, forward);
      if (is_free(next)) visit(next);
    }
}

Front::Vote Front::vote(std::uint32_t v) const {
  std::vector<Key> wishes;
  for (const std::uint32_t neighbour : steps_.of(v))
    if (placed_[neighbour]) for_free(cell_of_[neighbour], [&](Key cell) { wishes.push_back(cell); });
  std::sort(wishes.begin(), wishes.end());
  Vote best;
  for (std::size_t first = 0, last = 0; first < wishes.size(); first = last) {
    while (last < wishes.size() && wishes[last] == wishes[first]) ++last;
    const int votes = to_int(last - first);
    if (votes > best.votes)
      best = {wishes[first], votes, false};
    else if (votes == best.votes)
      best.tie = true;
  }
  return best;
}

bool Front::place_by_votes(std::uint32_t v, bool even_ties) {
  const Vote best = vote(v);
  if (best.votes < 2 || (best.tie && !even_ties)) return false;
  place(v, best.cell);
  return true;
}

void Front::look_around(std::uint32_t v) {
  for (const std::uint32_t neighbour : steps_.of(v))
    if (!placed_[neighbour]) (void)place_by_votes(neighbour, false);
  // What could not go straight on may be able to now that this one is beside it.
  straight_.push_back(v);
  for (const std::uint32_t neighbour : steps_.of(v))
    if (placed_[neighbour]) straight_.push_back(neighbour);
}

/// The only neighbour without a place goes to the only free cell.
void Front::go_straight(std::uint32_t v) {
  std::vector<std::uint32_t> open;
  for (const std::uint32_t neighbour : steps_.of(v))
    if (!placed_[neighbour]) open.push_back(neighbour);
  if (open.size() != 1) return;
  std::vector<Key> free;
  for_free(cell_of_[v], [&](Key cell) { free.push_back(cell); });
  if (free.size() == 1) place(open.front(), free.front());
}

/// Where a ring closes, both of its ends may want a vertex.
bool Front::break_ties() {
  const std::size_t before = placed();
  for (std::uint32_t v = 0; v < placed_.size(); ++v)
    if (!placed_[v]) (void)place_by_votes(v, true);
  return placed() > before;
}

void Front::grow() {
  for (std::size_t next = 0, first_straight = 0;;) {
    if (next < queue_.size()) {
      look_around(queue_[next++]);
    } else if (first_straight < straight_.size()) {
      go_straight(straight_[first_straight++]);
    } else if (!break_ties()) {
      return;
    }
  }
}

}  // namespace halocline::plan
