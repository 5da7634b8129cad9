#include "place/contest.hpp"

#include "base/integers.hpp"
#include "place/preference.hpp"

#include <algorithm>
#include <limits>

namespace halocline::place {

void Contest::enter(Rated rated) {
  entered_.push_back(std::move(rated));
  if (entered_.size() == 1) return;  // nothing to compare with yet
  if (entered_.size() == 2) {
    find_sum(entered_[0], std::numeric_limits<Count>::max());
    least_ = *entered_[0].sum;
  }
  find_sum(entered_.back(), acceptable(least_));
  if (entered_.back().sum) least_ = std::min(least_, *entered_.back().sum);
}

void Contest::find_sum(Rated& rated, Count limit) {
  if (rated.sum) return;
  if (!internode_sum_) internode_sum_.emplace(problem_);
  rated.sum = internode_sum_->within(rated.placement, limit);
}

const LevelCost& Contest::node_cost_of(std::size_t number) {
  Rated& rated = entered_[number];
  if (!rated.node) rated.node = node_cost(problem_, rated.placement);
  return *rated.node;
}

std::size_t Contest::winner() {
  if (entered_.size() == 1) return 0;
  const auto sum = [&](std::size_t i) { return *entered_[i].sum; };
  std::vector<std::size_t> rivals;
  for (std::size_t i = 0; i < entered_.size(); ++i)
    if (entered_[i].sum && sum(i) <= acceptable(least_)) rivals.push_back(i);
  if (rivals.size() == 1) return rivals.front();
  std::stable_partition(rivals.begin(), rivals.end(), [&](std::size_t i) { return sum(i) == least_; });

  // A maximum is never below the mean: that leaves most rivals without a chance.
  const Count nodes = problem_.machine().nodes();
  const std::size_t first = rivals.front();
  const Count maximum = node_cost_of(first).largest.bytes;
  std::erase_if(rivals, [&](std::size_t i) {
    const Count mean = divide_up(sum(i), nodes);
    return i != first && (sum(i) == least_ ? mean >= maximum : mean > maximum / 4);
  });
  if (rivals.size() == 1) return first;
  std::vector<LevelCost> costs;
  for (const std::size_t i : rivals) costs.push_back(node_cost_of(i));
  return rivals[preferred(costs)];
}

}  // namespace halocline::place
