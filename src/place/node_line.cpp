#include "place/node_line.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::place {
namespace {

std::size_t last_at_or_before(const Counts& keys, Count key) {
  if (keys.size() == 1) return 0;
  return static_cast<std::size_t>(std::upper_bound(keys.begin(), keys.end(), key) - keys.begin()) - 1;
}

}  // namespace

NodeLine NodeLine::in_rank_order(const Runs& sizes) { return NodeLine(sizes, false); }
NodeLine NodeLine::largest_first(const Runs& sizes) { return NodeLine(sizes, true); }

NodeLine::NodeLine(const Runs& sizes, bool largest_first) : even_(sizes.uniform()) {
  Rank rank = 0;
  for (const Run& run : sizes.runs()) {
    stretches_.push_back({0, rank, run.repeats, run.value});
    first_ranks_.push_back(rank);
    rank += run.repeats * run.value;
  }
  by_rank_.resize(stretches_.size());
  std::iota(by_rank_.begin(), by_rank_.end(), std::size_t{0});
  if (largest_first) {
    std::vector<std::size_t> order = by_rank_;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return stretches_[a].size > stretches_[b].size; });
    std::vector<Stretch> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.push_back(stretches_[order[i]]);
      by_rank_[order[i]] = i;
    }
    stretches_ = std::move(sorted);
  }
  Count position = 0;
  for (Stretch& stretch : stretches_) {
    stretch.first_position = position;
    first_positions_.push_back(position);
    position = stretch.end();
  }
}

std::size_t NodeLine::by_position(Count position) const {
  return last_at_or_before(first_positions_, position);
}

Rank NodeLine::rank(Count position) const {
  const Stretch& stretch = stretch_at(position);
  return position - stretch.first_position + stretch.first_rank;
}

Count NodeLine::position(Rank rank) const {
  const Stretch& stretch = stretches_[by_rank_[last_at_or_before(first_ranks_, rank)]];
  return rank - stretch.first_rank + stretch.first_position;
}

NodeLine::Node NodeLine::node_at(Count position) const {
  const Stretch& stretch = stretch_at(position);
  const Count begin = position - (position - stretch.first_position) % stretch.size;
  return {begin, begin + stretch.size};
}

}  // namespace halocline::place
