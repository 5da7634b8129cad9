// SPDX-License-Identifier: BSD-3-Clause
// The best factors of all levels together: branch and bound, outermost level first, from the result of
// by_levels. The bound of a level not yet chosen is the better of two: its best grid of any factors, and its
// least cost with real-valued factors of at least 1 on top of those chosen.

#include "base/factorization.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "shape/choose.hpp"
#include "shape/factor_search.hpp"
#include "shape/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

namespace halocline::shape {
namespace {

/// To set up a search for the factors of the last level takes as long as this many bounds.
constexpr Count closing_work = 16;

/// In how many ways `size` is a product of `dimensions` ordered factors; to rounding.
double ordered_factorizations(Count size, std::size_t dimensions) {
  double ways = 1;
  for (const auto& [prime, exponent] : prime_powers(size))
    for (int e = 1; e <= exponent; ++e) ways *= to_double(dimensions - 1) / e + 1;
  return ways;
}

/// Appends to `all` every way to complete the first `chosen` factors by ordered factors of `rest`.
void list_factors(const Counts& all_divisors, std::size_t chosen, Count rest, Counts& factors,
                  std::vector<Counts>& all) {
  if (chosen + 1 == factors.size()) {
    factors[chosen] = rest;
    all.push_back(factors);
    return;
  }
  for (const Count factor : all_divisors) {
    if (factor > rest) return;
    if (rest % factor != 0) continue;
    factors[chosen] = factor;
    list_factors(all_divisors, chosen + 1, rest / factor, factors, all);
  }
}

std::vector<Weight> checked_ratios(const std::vector<double>& ratios, std::size_t levels) {
  if (ratios.empty()) return std::vector<Weight>(levels);
  require(ratios.size() == levels, ratios.size(), " cost ratios for ", levels, " levels");
  std::vector<Weight> weights;
  for (const double ratio : ratios) {
    require(std::isfinite(ratio) && ratio > 0, "the cost ratio ", ratio, " is not positive and finite");
    weights.push_back(Weight::of(ratio));
  }
  return weights;
}

/// The least sum of terms_i * y_i over real y_i >= 1 with product `growth`: the smallest terms rise to a
/// common height.
double least_growth(std::vector<double>& terms, double growth) {
  std::sort(terms.begin(), terms.end());
  double above = 0;
  for (const double term : terms) above += term;
  double product = growth;
  for (std::size_t raised = 1;; ++raised) {
    product *= terms[raised - 1];
    above -= terms[raised - 1];
    const double height = std::pow(product, 1.0 / to_double(raised));
    if (raised == terms.size() || height <= terms[raised])
      return to_double(raised) * height + std::max(above, 0.0);
  }
}

class JointSearch {
 public:
  JointSearch(const Problem& problem, const std::vector<Weight>& ratios, Count work)
      : problem_(problem), weights_(problem.weights.all()), objective_(problem.weights.all(), ratios) {
    work_left_ = work;
    double largest = 0;
    for (const Weight& ratio : ratios) largest = std::max(largest, ratio.value());
    for (const Weight& ratio : ratios) ratios_.push_back(ratio.value() / largest);
  }

  JointShape run() {
    best_ = by_levels(problem_).levels;
    best_cost_ = cost(best_);
    if (problem_.levels.size() == 1) return {{best_}, true};
    if (!prepare()) return {{best_}, false};
    chosen_.clear();
    descend(LevelTask::outermost(problem_), 0);
    return {{best_}, work_left_ > 0};
  }

 private:
  [[nodiscard]] double parts_cost(const LevelTask& task, const Counts& factors) const {
    double sum = 0;
    for (std::size_t d = 0; d < factors.size(); ++d) {
      const Count parts = task.above[d] * factors[d];
      if (parts > 1 || !task.periodic[d]) sum += weights_.estimate(d) * to_double(parts);
    }
    return sum;
  }

  [[nodiscard]] double cost(const std::vector<Counts>& levels) const {
    LevelTask task = LevelTask::outermost(problem_);
    double sum = 0;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      sum += ratios_[level] * parts_cost(task, levels[level]);
      if (level + 1 < levels.size()) task = task.next(levels[level], problem_.levels[level + 1]);
    }
    return sum;
  }

  /// Lists the factors of every level but the last and the least cost of each level; false if that alone is
  /// too much work.
  bool prepare() {
    double listed = 0;
    for (std::size_t level = 0; level + 1 < problem_.levels.size(); ++level)
      listed += ordered_factorizations(problem_.levels[level], problem_.weights.size());
    if (listed > to_double(work_left_)) return false;
    work_left_ -= static_cast<Count>(listed);

    LevelTask task = LevelTask::outermost(problem_);
    task.below *= task.size;
    task.size = 1;
    for (const Count size : problem_.levels) {
      task.size *= size;
      task.below /= size;
      const std::vector<Counts> least = FactorSearch(task, weights_, FactorOrders::best).best(1);
      least_costs_.push_back(parts_cost(task, least.front()));
    }

    for (std::size_t level = 0; level + 1 < problem_.levels.size(); ++level) {
      Counts factors(problem_.weights.size());
      list_factors(divisors(problem_.levels[level]), 0, problem_.levels[level], factors,
                   factorizations_.emplace_back());
    }
    return true;
  }

  /// A lower bound on the cost of the levels after this one.
  double bound_below(const LevelTask& task, const Counts& factors) {
    double discount = 0;
    terms_.resize(factors.size());
    for (std::size_t d = 0; d < factors.size(); ++d) {
      const Count parts = task.above[d] * factors[d];
      terms_[d] = weights_.estimate(d) * to_double(parts);
      if (parts == 1 && task.periodic[d]) discount += terms_[d];
    }
    double sum = 0;
    double growth = 1;
    for (std::size_t level = chosen_.size() + 1; level < problem_.levels.size(); ++level) {
      growth *= to_double(problem_.levels[level]);
      sum += ratios_[level] * std::max(least_growth(terms_, growth) - discount, least_costs_[level]);
    }
    return sum;
  }

  [[nodiscard]] double threshold() const { return best_cost_ * (1 + bound_slack) + underflow_slack; }

  /// Chooses the level after those chosen, whose cost is `cost_above`, and all below.
  void descend(const LevelTask& task, double cost_above) {
    const std::size_t level = chosen_.size();
    if (level + 1 == problem_.levels.size()) return close(task, cost_above);

    struct Child {
      double bound;
      double cost;
      const Counts* factors;
    };
    std::vector<Child> children;
    for (const Counts& factors : factorizations_[level]) {
      if (work_left_ <= 0) return;
      --work_left_;
      if (!task.allows(factors)) continue;
      const double with_level = cost_above + ratios_[level] * parts_cost(task, factors);
      const double bound = with_level + bound_below(task, factors);
      if (bound <= threshold()) children.push_back({bound, with_level, &factors});
    }
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return a.bound < b.bound; });
    for (const Child& child : children) {
      if (child.bound > threshold()) return;
      chosen_.push_back(*child.factors);
      descend(task.next(*child.factors, problem_.levels[level + 1]), child.cost);
      chosen_.pop_back();
    }
  }

  void close(const LevelTask& task, double cost_above) {
    if (work_left_ <= 0) return;
    FactorSearch search(task, weights_, FactorOrders::best);
    const std::vector<Counts> last = search.best(1);
    work_left_ -= closing_work + search.compared();
    if (last.empty()) return;
    const double total = cost_above + ratios_.back() * parts_cost(task, last.front());
    if (total > threshold()) return;
    chosen_.push_back(last.front());
    if (chosen_before_best(total)) {
      best_ = chosen_;
      best_cost_ = total;
    }
    chosen_.pop_back();
  }

  [[nodiscard]] bool chosen_before_best(double total) const {
    const double undecided = rounding * std::max(total, best_cost_) + underflow_slack;
    if (std::abs(total - best_cost_) > undecided) return total < best_cost_;
    const auto costs = objective_.compare(effective_parts(chosen_), effective_parts(best_));
    if (std::is_neq(costs)) return std::is_lt(costs);
    LevelTask task = LevelTask::outermost(problem_);
    for (std::size_t level = 0; level < best_.size(); ++level) {
      if (chosen_[level] != best_[level])
        return FactorSearch(task, weights_, FactorOrders::best).before(chosen_[level], best_[level]);
      if (level + 1 < best_.size()) task = task.next(best_[level], problem_.levels[level + 1]);
    }
    return false;
  }

  /// The parts of every dimension on every level, as the objective counts them.
  [[nodiscard]] Counts effective_parts(const std::vector<Counts>& levels) const {
    Counts all;
    Counts parts(problem_.weights.size(), 1);
    for (const Counts& factors : levels)
      for (std::size_t d = 0; d < parts.size(); ++d) {
        parts[d] *= factors[d];
        const bool whole = !problem_.periodicity.empty() && problem_.periodicity[d] && parts[d] == 1;
        all.push_back(whole ? 0 : parts[d]);
      }
    return all;
  }

  const Problem& problem_;
  const ExactSum weights_;
  const ExactSum objective_;
  std::vector<double> ratios_;                       ///< The largest is 1.
  std::vector<double> least_costs_;                  ///< Of each level, whatever is above it.
  std::vector<std::vector<Counts>> factorizations_;  ///< Of each level but the last.
  std::vector<double> terms_;
  std::vector<Counts> chosen_;
  std::vector<Counts> best_;
  double best_cost_ = 0;
  Count work_left_ = 0;
};

}  // namespace

JointShape joint(const Problem& problem, const std::vector<double>& ratios, Count work) {
  problem.validate();
  return JointSearch(problem, checked_ratios(ratios, problem.levels.size()), work).run();
}

}  // namespace halocline::shape
