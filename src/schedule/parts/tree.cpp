// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/tree.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/flat_offsets.hpp"
#include "schedule/parts/size_limit.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::schedule {
namespace {

constexpr std::int32_t none = -1;

/// Which neighbours lie below each node: ranges of one list.
struct Served {
  std::vector<std::int32_t> neighbours;
  std::vector<std::int32_t> first, end;  ///< For each node. The node's own neighbours come first.
  std::vector<std::int32_t> own_end;
};

Served served_below(const Tree& tree) {
  const std::size_t nodes = tree.nodes.size();
  std::vector<std::int32_t> own(nodes, 0);
  for (const std::int32_t node : tree.node_of) ++own[to_index(node)];
  std::vector<std::int32_t> below = own;
  for (std::size_t n = nodes; n-- > 1;) below[to_index(tree.nodes[n].parent)] += below[n];

  Served served;
  served.first.resize(nodes);
  served.end.resize(nodes);
  served.own_end.resize(nodes);
  std::vector<std::int32_t> next(nodes);  // where the next child of a node begins
  for (std::size_t n = 0; n < nodes; ++n) {
    std::int32_t* const place = n == 0 ? nullptr : &next[to_index(tree.nodes[n].parent)];
    served.first[n] = place == nullptr ? 0 : *place;
    served.own_end[n] = served.first[n] + own[n];
    served.end[n] = served.first[n] + below[n];
    next[n] = served.own_end[n];
    if (place != nullptr) *place = served.end[n];
  }
  served.neighbours.resize(tree.node_of.size());
  std::vector<std::int32_t> put = served.first;
  for (std::size_t i = 0; i < tree.node_of.size(); ++i)
    served.neighbours[to_index(put[to_index(tree.node_of[i])]++)] = to_int(i);
  return served;
}

/// Where the block lies at each node. A scratch slot is used again two hops further along a branch: its only
/// reader is the hop between, so nothing has to wait for that.
std::vector<Slot> slots_of(const Tree& tree, const Served& served, std::vector<std::int32_t>& scratch) {
  const std::size_t nodes = tree.nodes.size();
  std::vector<std::int32_t> children(nodes, 0);
  for (std::size_t n = 1; n < nodes; ++n) ++children[to_index(tree.nodes[n].parent)];
  std::vector<Slot> slots(nodes, Slot{Slot::Buffer::send, 0});
  for (std::size_t n = 1; n < nodes; ++n) {
    if (served.own_end[n] > served.first[n]) {
      slots[n] = {Slot::Buffer::receive, served.neighbours[to_index(served.first[n])]};
      continue;
    }
    const std::int32_t before = tree.nodes[to_index(tree.nodes[n].parent)].parent;
    if (before != none && slots[to_index(before)].buffer == Slot::Buffer::scratch &&
        children[to_index(before)] == 1) {
      slots[n] = slots[to_index(before)];
      children[to_index(before)] = 0;  // taken
      continue;
    }
    slots[n] = {Slot::Buffer::scratch, to_int(scratch.size())};
    scratch.push_back(served.neighbours[to_index(served.first[n])]);
  }
  return slots;
}

/// Moves, positions and rounds; node moves are sorted by round, local copies come first and last.
class TreeBuilder {
 public:
  TreeBuilder(const Stencil& stencil, const Tree& tree)
      : tree_(tree), dimensions_(stencil.dimensions()), served_(served_below(tree)) {
    parts_.operation = Operation::allgather;
    parts_.dimensions = dimensions_;
    parts_.offsets = flat_offsets(stencil);
    slots_ = slots_of(tree, served_, parts_.scratch);
  }

  Schedule build() && {
    const std::size_t moves = tree_.node_of.size() + tree_.nodes.size();  // at most
    parts_.moves.reserve(moves);
    parts_.travelled.reserve(moves * dimensions_);
    find_positions();
    add_copies_to_itself();
    add_messages();
    add_copies_of_repeated();
    parts_.first_moves.push_back(to_int(parts_.moves.size()));
    parts_.served = std::move(served_.neighbours);
    return Schedule(std::move(parts_));
  }

 private:
  void find_positions() {
    positions_.assign(tree_.nodes.size() * dimensions_, 0);
    for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
      const auto [parent, round] = tree_.nodes[n];
      for (std::size_t d = 0; d < dimensions_; ++d)
        positions_[n * dimensions_ + d] =
            positions_[to_index(parent) * dimensions_ + d] + tree_.peers[to_index(round) * dimensions_ + d];
    }
  }

  void begin_round(std::int32_t round) {
    parts_.first_moves.push_back(to_int(parts_.moves.size()));
    for (std::size_t d = 0; d < dimensions_; ++d)
      parts_.peers.push_back(round == none ? 0 : tree_.peers[to_index(round) * dimensions_ + d]);
  }

  void add(std::size_t sender, Slot to, std::int32_t first_served, std::int32_t end_served) {
    parts_.moves.push_back({slots_[sender], to, first_served, end_served});
    const Count* const position = &positions_[sender * dimensions_];
    parts_.travelled.insert(parts_.travelled.end(), position, position + dimensions_);
  }

  void add_copies_to_itself() {
    if (served_.own_end[0] == 0) return;
    begin_round(none);
    for (std::int32_t i = 0; i < served_.own_end[0]; ++i)
      add(0, {Slot::Buffer::receive, served_.neighbours[to_index(i)]}, i, i + 1);
  }

  void add_messages() {
    const std::size_t rounds = tree_.peers.size() / dimensions_;
    std::vector<std::int32_t> firsts(rounds + 1, 0);
    for (std::size_t n = 1; n < tree_.nodes.size(); ++n) ++firsts[to_index(tree_.nodes[n].round) + 1];
    std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
    std::vector<std::int32_t> next(firsts.begin(), firsts.end() - 1);
    by_round_.resize(tree_.nodes.size() - 1);
    for (std::size_t n = 1; n < tree_.nodes.size(); ++n)
      by_round_[to_index(next[to_index(tree_.nodes[n].round)]++)] = to_int(n);
    for (std::size_t r = 0; r < rounds; ++r) {
      if (firsts[r] < firsts[r + 1]) begin_round(to_int(r));
      for (std::int32_t i = firsts[r]; i < firsts[r + 1]; ++i) {
        const std::size_t n = to_index(by_round_[to_index(i)]);
        add(to_index(tree_.nodes[n].parent), slots_[n], served_.first[n], served_.end[n]);
      }
    }
  }

  /// One round for each round that brings blocks with several neighbours: no copy waits for a later message.
  void add_copies_of_repeated() {
    std::int32_t last_round = none;
    for (const std::int32_t node : by_round_) {
      const std::size_t n = to_index(node);
      for (std::int32_t i = served_.first[n] + 1; i < served_.own_end[n]; ++i) {
        if (tree_.nodes[n].round != last_round) begin_round(none);
        last_round = tree_.nodes[n].round;
        add(n, {Slot::Buffer::receive, served_.neighbours[to_index(i)]}, i, i + 1);
      }
    }
  }

  const Tree& tree_;
  std::size_t dimensions_;
  Served served_;
  std::vector<Slot> slots_;
  Counts positions_;
  std::vector<std::int32_t> by_round_;
  ScheduleParts parts_;
};

}  // namespace

Schedule along(const Stencil& stencil, const Tree& tree) {
  require_size("", "neighbours", count_of(stencil));
  return TreeBuilder(stencil, tree).build();
}

}  // namespace halocline::schedule
