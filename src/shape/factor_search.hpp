// SPDX-License-Identifier: BSD-3-Clause
// The search for the best factors of one level, by branch and bound.
#pragma once

#include "shape/exact_sum.hpp"
#include "shape/problem.hpp"

#include <limits>

namespace halocline::shape {

/// The factors of one level, given those of the levels above.
struct LevelTask {
  Count size;            ///< What the factors multiply to.
  Count below = 1;       ///< What the factors of all levels below multiply to.
  Counts above;          ///< The parts the levels above make of each dimension.
  Counts limits;         ///< The largest factor of each dimension.
  Counts fixed;          ///< What this level and those below must make of each dimension; 0 is free.
  Periodicity periodic;  ///< Dimensions that cost nothing while in one part.

  /// The task of the outermost level, and the one after `factors` were chosen for this level.
  [[nodiscard]] static LevelTask outermost(const Problem& problem);
  [[nodiscard]] LevelTask next(const Counts& factors, Count next_size) const;
  /// Can the levels below still make the fixed extents, and does each factor respect its limit?
  [[nodiscard]] bool allows(const Counts& factors) const;
};

/// Which orders of the same factors to look at: only the one that can be best, or all.
enum class FactorOrders { best, all };

/// Factors of `task.size`, compared by the rules of by_levels.
///
/// The free dimensions are taken by increasing weight. A dimension gets at least the factor of the next one
/// if it has at least its limit and is periodic if it is: exchanging the two would otherwise not raise the
/// cost and leave difference and largest factor as they are. Only such orders are searched for the best.
/// Each factor starts from its real-valued optimum and moves away in both directions until the inequality of
/// the arithmetic and the geometric mean says that the dimensions left cannot make up for it.
class FactorSearch {
 public:
  /// `weights` are those of the dimensions, before multiplication by what the levels above made of them.
  FactorSearch(const LevelTask& task, const ExactSum& weights, FactorOrders orders);

  /// The `most` best, best first; fewer if there are no more. @pre most >= 1
  [[nodiscard]] std::vector<Counts> best(std::size_t most);

  /// How many complete factorizations the last search compared: what it cost.
  [[nodiscard]] Count compared() const { return compared_; }

  /// Do the rules put `a` before `b`? @pre both are factors of this level
  [[nodiscard]] bool before(const Counts& a, const Counts& b) const;

 private:
  struct Candidate {
    double cost;
    Counts factors;
  };

  void sort_dimensions();
  void prepare_bounds(FactorOrders orders);
  void descend(std::size_t position, Count rest, double cost);
  void close(std::size_t position, Count rest, double cost);
  void offer(double cost);
  [[nodiscard]] double term(std::size_t position, Count factor) const;
  [[nodiscard]] double bound(std::size_t position, double rest) const;
  [[nodiscard]] Count largest(std::size_t position, Count rest) const;
  [[nodiscard]] Count largest_difference(const Counts& factors, Count& largest_factor) const;
  [[nodiscard]] Counts effective(const Counts& factors) const;
  [[nodiscard]] bool before(const Candidate& a, const Candidate& b) const;

  const LevelTask& task_;
  const ExactSum& weights_;
  Counts divisors_;

  // One entry for each position, that is, for each dimension in the order of the search.
  std::vector<std::size_t> dimension_;
  std::vector<double> weight_;    ///< Of one part at this level.
  std::vector<double> mean_;      ///< Geometric mean of the weights from here to the end.
  std::vector<double> discount_;  ///< What dimensions from here on may save by staying whole.
  std::vector<double> room_;      ///< The product of the limits from here on.
  std::vector<bool> chained_;     ///< Is this factor at most the one before?
  std::vector<bool> chained_on_;  ///< Are all factors after this one at most this one?

  Counts factors_;  ///< Chosen so far, by dimension.
  std::size_t most_ = 1;
  Count compared_ = 0;
  std::vector<Candidate> kept_;  ///< Best first.
  double threshold_ = std::numeric_limits<double>::infinity();
};

}  // namespace halocline::shape
