// SPDX-License-Identifier: BSD-3-Clause
#include "shape/factor_search.hpp"

#include "base/factorization.hpp"
#include "base/numbers.hpp"
#include "shape/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

namespace halocline::shape {
namespace {

constexpr Count unlimited = std::numeric_limits<Count>::max();

double root(double x, std::size_t degree) {
  switch (degree) {
    case 1:
      return x;
    case 2:
      return std::sqrt(x);
    case 3:
      return std::cbrt(x);
    case 4:
      return std::sqrt(std::sqrt(x));
    default:
      return std::pow(x, 1.0 / to_double(degree));
  }
}

}  // namespace

LevelTask LevelTask::outermost(const Problem& problem) {
  const std::size_t dimensions = problem.weights.size();
  LevelTask task;
  task.size = problem.levels.front();
  for (std::size_t level = 1; level < problem.levels.size(); ++level) task.below *= problem.levels[level];
  task.above.assign(dimensions, 1);
  task.limits = problem.limits.empty() ? Counts(dimensions, 0) : problem.limits;
  for (Count& limit : task.limits)
    if (limit == 0) limit = unlimited;
  task.fixed = problem.fixed.empty() ? Counts(dimensions, 0) : problem.fixed;
  task.periodic = problem.periodicity.empty() ? Periodicity(dimensions, false) : problem.periodicity;
  return task;
}

LevelTask LevelTask::next(const Counts& factors, Count next_size) const {
  LevelTask task = *this;
  task.size = next_size;
  task.below = below / next_size;
  for (std::size_t d = 0; d < factors.size(); ++d) {
    task.above[d] *= factors[d];
    if (task.limits[d] != unlimited) task.limits[d] /= factors[d];
    if (task.fixed[d] > 0) task.fixed[d] /= factors[d];
  }
  return task;
}

bool LevelTask::allows(const Counts& factors) const {
  Count wanted_below = 1;
  for (std::size_t d = 0; d < factors.size(); ++d) {
    if (factors[d] > limits[d]) return false;
    if (fixed[d] == 0) continue;
    if (fixed[d] % factors[d] != 0) return false;
    wanted_below *= fixed[d] / factors[d];
  }
  return below % wanted_below == 0;
}

FactorSearch::FactorSearch(const LevelTask& task, const ExactSum& weights, FactorOrders orders)
    : task_(task), weights_(weights), divisors_(divisors(task.size)), factors_(task.above.size(), 1) {
  sort_dimensions();
  prepare_bounds(orders);
}

void FactorSearch::sort_dimensions() {
  dimension_.resize(task_.above.size());
  std::iota(dimension_.begin(), dimension_.end(), std::size_t{0});
  const auto free = std::stable_partition(dimension_.begin(), dimension_.end(),
                                          [&](std::size_t d) { return task_.fixed[d] > 0; });
  std::stable_sort(free, dimension_.end(), [&](std::size_t a, std::size_t b) {
    return std::is_lt(weights_.compare_terms(a, task_.above[a], b, task_.above[b]));
  });
}

void FactorSearch::prepare_bounds(FactorOrders orders) {
  const std::size_t count = dimension_.size();
  const auto free_if_whole = [&](std::size_t d) { return task_.periodic[d] && task_.above[d] == 1; };
  weight_.resize(count);
  mean_.resize(count);
  discount_.assign(count + 1, 0);
  room_.assign(count + 1, 1);
  chained_.assign(count, false);
  chained_on_.assign(count, true);
  double logarithms = 0;
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t d = dimension_[i];
    weight_[i] = weights_.estimate(d) * to_double(task_.above[d]);
    logarithms += std::log(weight_[i]);
    mean_[i] = std::exp(logarithms / to_double(count - i));
    discount_[i] = discount_[i + 1] + (free_if_whole(d) ? weight_[i] : 0);
    room_[i] = room_[i + 1] * to_double(task_.fixed[d] > 0 ? task_.fixed[d] : task_.limits[d]);
    if (i + 1 == count) continue;
    const std::size_t after = dimension_[i + 1];
    chained_[i + 1] = orders == FactorOrders::best && task_.fixed[d] == 0 &&
                      task_.limits[d] >= task_.limits[after] && free_if_whole(d) == free_if_whole(after);
    chained_on_[i] = chained_[i + 1] && chained_on_[i + 1];
  }
}

std::vector<Counts> FactorSearch::best(std::size_t most) {
  most_ = most;
  compared_ = 0;
  kept_.clear();
  threshold_ = std::numeric_limits<double>::infinity();
  descend(0, task_.size, 0);
  std::sort_heap(kept_.begin(), kept_.end(),
                 [&](const Candidate& a, const Candidate& b) { return before(a, b); });
  std::vector<Counts> factors;
  for (Candidate& candidate : kept_) factors.push_back(std::move(candidate.factors));
  return factors;
}

double FactorSearch::term(std::size_t position, Count factor) const {
  const std::size_t d = dimension_[position];
  if (factor == 1 && task_.periodic[d] && task_.above[d] == 1) return 0;
  return weight_[position] * to_double(factor);
}

double FactorSearch::bound(std::size_t position, double rest) const {
  const std::size_t left = dimension_.size() - position;
  return to_double(left) * mean_[position] * root(rest, left) - discount_[position];
}

Count FactorSearch::largest(std::size_t position, Count rest) const {
  const std::size_t d = dimension_[position];
  const Count own = task_.fixed[d] > 0 ? task_.fixed[d] : task_.limits[d];
  const Count chain = chained_[position] ? factors_[dimension_[position - 1]] : unlimited;
  return std::min({rest, own, chain});
}

void FactorSearch::descend(std::size_t position, Count rest, double cost) {
  if (position + 1 == dimension_.size()) return close(position, rest, cost);
  const std::size_t d = dimension_[position];
  const auto real_rest = to_double(rest);
  const double mean_factor = root(real_rest, dimension_.size() - position);

  // The factor lies in [least, most]; below it the dimensions left cannot hold the rest.
  const Count most = largest(position, rest);
  double least = real_rest / room_[position + 1] * (1 - bound_slack);
  if (chained_on_[position]) least = std::max(least, mean_factor * (1 - bound_slack));
  if (task_.fixed[d] > 0 && task_.below == 1) least = to_double(task_.fixed[d]);

  const auto first =
      std::partition_point(divisors_.begin(), divisors_.end(), [&](Count n) { return to_double(n) < least; });
  const auto last = std::upper_bound(first, divisors_.end(), most);
  const double optimum = weight_[position] > 0 ? mean_[position] * mean_factor / weight_[position]
                                               : std::numeric_limits<double>::infinity();
  const auto start = std::partition_point(first, last, [&](Count n) { return to_double(n) <= optimum; });

  // Returns false if this factor, and with it all farther from the optimum, cannot lead to a better grid.
  const auto visit = [&](Count factor) {
    const double with_factor = cost + term(position, factor);
    if (with_factor + bound(position + 1, real_rest / to_double(factor)) > threshold_) return false;
    if (rest % factor != 0 || (task_.fixed[d] > 0 && task_.fixed[d] % factor != 0)) return true;
    factors_[d] = factor;
    descend(position + 1, rest / factor, with_factor);
    return true;
  };
  auto down = start;
  while (down != first && visit(*(down - 1))) --down;
  for (auto up = start; up != last && visit(*up);) ++up;
  // The cost falls once more at a periodic dimension left whole, beyond where the way down may have ended.
  if (down != first && *first == 1 && term(position, 1) < weight_[position]) visit(1);
}

void FactorSearch::close(std::size_t position, Count rest, double cost) {
  const std::size_t d = dimension_[position];
  if (rest > largest(position, rest)) return;
  cost += term(position, rest);
  if (cost > threshold_) return;
  factors_[d] = rest;
  if (task_.allows(factors_)) offer(cost);
}

void FactorSearch::offer(double cost) {
  const auto order = [&](const Candidate& a, const Candidate& b) { return before(a, b); };
  ++compared_;
  Candidate candidate{cost, factors_};
  if (kept_.size() == most_) {
    if (!before(candidate, kept_.front())) return;
    std::pop_heap(kept_.begin(), kept_.end(), order);
    kept_.pop_back();
  }
  kept_.push_back(std::move(candidate));
  std::push_heap(kept_.begin(), kept_.end(), order);
  if (kept_.size() == most_) threshold_ = kept_.front().cost * (1 + bound_slack) + underflow_slack;
}

Counts FactorSearch::effective(const Counts& factors) const {
  Counts parts(factors.size());
  for (std::size_t d = 0; d < parts.size(); ++d) {
    parts[d] = task_.above[d] * factors[d];
    if (task_.periodic[d] && parts[d] == 1) parts[d] = 0;
  }
  return parts;
}

Count FactorSearch::largest_difference(const Counts& factors, Count& largest_factor) const {
  Count smallest = unlimited;
  largest_factor = 0;
  for (std::size_t d = 0; d < factors.size(); ++d) {
    if (task_.fixed[d] > 0) continue;
    smallest = std::min(smallest, factors[d]);
    largest_factor = std::max(largest_factor, factors[d]);
  }
  return largest_factor == 0 ? 0 : largest_factor - smallest;
}

bool FactorSearch::before(const Candidate& a, const Candidate& b) const {
  const double undecided = rounding * std::max(a.cost, b.cost) + underflow_slack;
  if (std::abs(a.cost - b.cost) > undecided) return a.cost < b.cost;
  return before(a.factors, b.factors);
}

bool FactorSearch::before(const Counts& a, const Counts& b) const {
  const auto costs = weights_.compare(effective(a), effective(b));
  if (std::is_neq(costs)) return std::is_lt(costs);
  Count largest_a = 0;
  Count largest_b = 0;
  const Count difference_a = largest_difference(a, largest_a);
  const Count difference_b = largest_difference(b, largest_b);
  if (difference_a != difference_b) return difference_a < difference_b;
  if (largest_a != largest_b) return largest_a < largest_b;
  for (const std::size_t d : dimension_)
    if (a[d] != b[d]) return a[d] > b[d];
  return false;
}

}  // namespace halocline::shape
