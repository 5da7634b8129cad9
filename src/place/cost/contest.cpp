// SPDX-License-Identifier: BSD-3-Clause
#include "place/cost/contest.hpp"

#include "base/integers.hpp"
#include "place/cost/partial_cost.hpp"
#include "place/cost/preference.hpp"

#include <algorithm>

namespace halocline::place {

void Contest::enter(Rated rated) {
  entered_.push_back(std::move(rated));
  if (entered_.size() == 1) return;  // nothing to compare with yet
  if (entered_.size() == 2) {
    Rated& first = entered_[0];
    if (!first.sum) {  // the first is the most promising: as a rule all of its cost is needed in the end
      first.node = node_cost(problem_, first.placement);
      first.sum = first.node->total.bytes;
    }
    least_ = *first.sum;
  }
  find_sum(entered_.back(), acceptable(least_));
  if (entered_.back().sum) least_ = std::min(least_, *entered_.back().sum);
}

void Contest::find_sum(Rated& rated, Count limit) {
  if (rated.sum) return;
  if (!internode_sum_) internode_sum_.emplace(problem_);
  rated.sum = internode_sum_->within(rated.placement, limit);
}

bool Contest::has_mean_from(const Rated& rated, Count limit) const {
  return divide_up(*rated.sum, problem_.machine().nodes()) >= limit;
}

bool Contest::has_maximum_below(Rated& rated, Count limit) {
  if (has_mean_from(rated, limit)) return false;
  if (!rated.node) rated.node = node_cost_below(problem_, rated.placement, limit);
  return rated.node && rated.node->largest.bytes < limit;
}

std::size_t Contest::winner() {
  if (entered_.size() == 1) return 0;
  std::vector<std::size_t> least, larger;
  for (std::size_t i = 0; i < entered_.size(); ++i) {
    const std::optional<Count>& sum = entered_[i].sum;
    if (sum && *sum <= acceptable(least_)) (*sum == least_ ? least : larger).push_back(i);
  }
  if (least.size() + larger.size() == 1) return least.front();

  // Only those are left in the end whose maximum was below that of all before them, or is a quarter of it.
  std::vector<std::size_t> left{least.front()};
  Rated& first = entered_[least.front()];
  if (least.size() == 1 && first.maximum_at_most &&
      std::all_of(larger.begin(), larger.end(),
                  [&](std::size_t i) { return has_mean_from(entered_[i], *first.maximum_at_most / 4 + 1); }))
    return least.front();
  if (!first.node) first.node = node_cost(problem_, first.placement);
  Count maximum = first.node->largest.bytes;
  for (std::size_t i = 1; i < least.size(); ++i) {
    if (!has_maximum_below(entered_[least[i]], maximum)) continue;
    maximum = entered_[least[i]].node->largest.bytes;
    left.push_back(least[i]);
  }
  for (const std::size_t i : larger)
    if (has_maximum_below(entered_[i], maximum / 4 + 1)) left.push_back(i);
  std::vector<LevelCost> costs;
  costs.reserve(left.size());
  for (const std::size_t i : left) costs.push_back(*entered_[i].node);
  return left[preferred(costs)];
}

}  // namespace halocline::place
