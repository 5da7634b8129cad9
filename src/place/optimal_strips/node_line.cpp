// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/node_line.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::place {
namespace {

std::size_t last_at_or_before(const Counts& keys, Count key) {
  if (keys.size() == 1) return 0;
  return to_size(std::upper_bound(keys.begin(), keys.end(), key) - keys.begin()) - 1;
}

std::vector<NodeLine::Stretch> stretches_of(const Runs& sizes) {
  std::vector<NodeLine::Stretch> stretches;
  Rank rank = 0;
  for (const Run& run : sizes.runs()) {
    stretches.push_back({0, rank, run.repeats, run.value});
    rank += run.repeats * run.value;
  }
  return stretches;
}

std::vector<NodeLine::Stretch> sorted_stretches(const Runs& sizes) {
  std::vector<NodeLine::Stretch> stretches = stretches_of(sizes);
  std::stable_sort(stretches.begin(), stretches.end(),
                   [](const auto& a, const auto& b) { return a.size > b.size; });
  return stretches;
}

}  // namespace

NodeLine NodeLine::in_rank_order(const Runs& sizes) { return NodeLine(stretches_of(sizes)); }
NodeLine NodeLine::largest_first(const Runs& sizes) { return NodeLine(sorted_stretches(sizes)); }

NodeLine NodeLine::interleaved(const Runs& sizes) {
  std::vector<Stretch> nodes;
  for (const Stretch& stretch : sorted_stretches(sizes))
    for (Count i = 0; i < stretch.nodes; ++i)
      nodes.push_back({0, stretch.first_rank + i * stretch.size, 1, stretch.size});
  std::vector<Stretch> mixed;
  for (std::size_t i = 0, j = nodes.size(); i < j; ++i) {
    mixed.push_back(nodes[i]);
    if (i < --j) mixed.push_back(nodes[j]);
  }
  return NodeLine(std::move(mixed));
}

NodeLine::NodeLine(std::vector<Stretch> stretches) : stretches_(std::move(stretches)) {
  Count position = 0;
  for (Stretch& stretch : stretches_) {
    stretch.first_position = position;
    first_positions_.push_back(position);
    in_rank_order_ &= stretch.first_rank == position;
    position = stretch.end();
  }
  for (const Stretch& stretch : stretches_) sizes_.push_back(stretch.size);
  std::sort(sizes_.begin(), sizes_.end());
  sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
  for (Stretch& stretch : stretches_)
    stretch.kind = to_index(std::lower_bound(sizes_.begin(), sizes_.end(), stretch.size) - sizes_.begin());
  by_rank_.resize(stretches_.size());
  std::iota(by_rank_.begin(), by_rank_.end(), std::size_t{0});
  std::sort(by_rank_.begin(), by_rank_.end(), [&](std::size_t a, std::size_t b) {
    return stretches_[a].first_rank < stretches_[b].first_rank;
  });
  for (const std::size_t i : by_rank_) first_ranks_.push_back(stretches_[i].first_rank);
}

std::size_t NodeLine::by_position(Count position) const {
  return last_at_or_before(first_positions_, position);
}

Rank NodeLine::rank(Count position) const {
  const Stretch& stretch = stretch_at(position);
  return position - stretch.first_position + stretch.first_rank;
}

void NodeLine::make_ranks(std::span<Count> positions) const {
  if (in_rank_order_) return;
  // Neighbours tend to lie in the same stretch.
  Count begin = 0, end = 0, shift = 0;
  for (Count& position : positions) {
    if (position < begin || position >= end) {
      const Stretch& stretch = stretch_at(position);
      begin = stretch.first_position;
      end = stretch.end();
      shift = stretch.first_rank - begin;
    }
    position += shift;
  }
}

Count NodeLine::position(Rank rank) const {
  const Stretch& stretch = stretches_[by_rank_[last_at_or_before(first_ranks_, rank)]];
  return rank - stretch.first_rank + stretch.first_position;
}

bool NodeLine::same_sizes(const NodeLine& other) const {
  return std::equal(
      stretches_.begin(), stretches_.end(), other.stretches_.begin(), other.stretches_.end(),
      [](const Stretch& a, const Stretch& b) { return a.nodes == b.nodes && a.size == b.size; });
}

NodeLine::Node NodeLine::node_at(Count position) const {
  const Stretch& stretch = stretch_at(position);
  const Count begin = position - stretch.past(position);
  return {begin, begin + stretch.size};
}

}  // namespace halocline::place
