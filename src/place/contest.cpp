#include "place/contest.hpp"

#include "base/integers.hpp"
#include "halocline/place/cost.hpp"
#include "place/preference.hpp"

#include <algorithm>
#include <limits>

namespace halocline::place {

void Contest::enter(Placement placement, std::optional<Count> sum) {
  placements_.push_back(std::move(placement));
  sums_.push_back(sum);
  if (placements_.size() < 2) return;  // nothing to compare with yet
  if (placements_.size() == 2) rate(0);
  rate(placements_.size() - 1);
}

void Contest::rate(std::size_t number) {
  std::optional<Count>& sum = sums_[number];
  if (!sum) {
    if (!internode_sum_) internode_sum_.emplace(problem_);
    sum = internode_sum_->within(placements_[number],
                                 number == 0 ? std::numeric_limits<Count>::max() : acceptable(least_));
  }
  if (sum) least_ = number == 0 ? *sum : std::min(least_, *sum);
}

std::size_t Contest::winner() {
  if (placements_.size() == 1) return 0;
  std::vector<std::size_t> rivals;  // the first of least sum, then all others that may be preferred to it
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (sums_[i] && *sums_[i] <= acceptable(least_)) rivals.push_back(i);
  if (rivals.size() == 1) return rivals.front();
  std::stable_partition(rivals.begin(), rivals.end(), [&](std::size_t i) { return *sums_[i] == least_; });

  std::vector<LevelCost> costs{node_cost(problem_, placements_[rivals.front()])};
  // A maximum is never below the mean, so a larger sum whose mean is too large need not be looked at.
  const Count nodes = problem_.machine().nodes(), small_maximum = costs.front().largest.bytes / 4;
  std::erase_if(rivals, [&](std::size_t i) {
    return *sums_[i] > least_ && divide_up(*sums_[i], nodes) > small_maximum;
  });
  for (std::size_t i = 1; i < rivals.size(); ++i)
    costs.push_back(node_cost(problem_, placements_[rivals[i]]));
  return rivals[preferred(costs)];
}

}  // namespace halocline::place
