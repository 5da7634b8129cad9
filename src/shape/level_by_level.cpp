// SPDX-License-Identifier: BSD-3-Clause
// Level by level, after Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI",
// EuroMPI 2018: the weights of a level are multiplied by the factors given on the levels above.

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"
#include "shape/factor_search.hpp"

namespace halocline::shape {
namespace {

/// How many factors of a level are tried when the best leave no room below, and how often in all.
constexpr std::size_t most_alternatives = 4096;
constexpr int most_retreats = 10'000;

/// Gives every level its factors, outermost first.
class Descent {
 public:
  Descent(const Problem& problem, const ExactSum& weights) : problem_(problem), weights_(weights) {}

  /// Appends the factors of `level` and those below to `levels`; false, and nothing, if there are none.
  bool run(std::size_t level, const LevelTask& task, std::vector<Counts>& levels) {
    FactorSearch search(task, weights_, FactorOrders::best);
    const std::vector<Counts> best = search.best(1);
    if (best.empty()) return false;
    if (accept(level, task, best.front(), levels)) return true;

    FactorSearch all(task, weights_, FactorOrders::all);
    for (const Counts& factors : all.best(most_alternatives)) {
      if (++retreats_ > most_retreats) return false;
      if (factors != best.front() && accept(level, task, factors, levels)) return true;
    }
    return false;
  }

 private:
  bool accept(std::size_t level, const LevelTask& task, const Counts& factors, std::vector<Counts>& levels) {
    levels.push_back(factors);
    if (level + 1 == problem_.levels.size()) return true;
    if (run(level + 1, task.next(factors, problem_.levels[level + 1]), levels)) return true;
    levels.pop_back();
    return false;
  }

  const Problem& problem_;
  const ExactSum& weights_;
  int retreats_ = 0;
};

}  // namespace

Shape by_levels(const Problem& problem) {
  problem.validate();
  const ExactSum weights(problem.weights.all());
  Shape shape;
  if (!Descent(problem, weights).run(0, LevelTask::outermost(problem), shape.levels))
    fail(Fault::invalid_dimensions, "no grid of ", join(problem.levels, ","), " processes stays within ",
         join(problem.limits, ","), " parts of each dimension",
         problem.fixed.empty() ? "" : " with the fixed extents " + join(problem.fixed, ","),
         "; use fewer processes or a larger mesh");
  return shape;
}

Counts weighted_dims(Count processes, const Weights& weights, const Counts& fixed) {
  return by_levels({{processes}, weights, fixed, {}, {}}).levels.front();
}

std::vector<double> level_costs(const Problem& problem, const Shape& shape) {
  std::vector<double> costs;
  Counts parts(problem.weights.size(), 1);
  for (const Counts& factors : shape.levels) {
    double cost = 0;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      parts[d] *= factors[d];
      const bool whole = !problem.periodicity.empty() && problem.periodicity[d] && parts[d] == 1;
      if (!whole) cost += problem.weights[d].value() * to_double(parts[d]);
    }
    costs.push_back(cost);
  }
  return costs;
}

std::vector<Counts> candidates(const Problem& problem, std::size_t most) {
  problem.validate();
  if (most == 0) return {};
  Problem flat = problem;
  flat.levels = {1};
  for (const Count size : problem.levels) flat.levels.front() *= size;
  const ExactSum weights(problem.weights.all());
  const LevelTask task = LevelTask::outermost(flat);
  return FactorSearch(task, weights, FactorOrders::all).best(most);
}

}  // namespace halocline::shape
