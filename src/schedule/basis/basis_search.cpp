// SPDX-License-Identifier: BSD-3-Clause
// Branch and bound: an offset that is no sum yet needs another element from the box between zero and itself.
#include "schedule/basis/basis_search.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::schedule {
namespace {

class BasisSearch {
 public:
  BasisSearch(const BasisProblem& problem, FoundBasis known, std::size_t most_steps)
      : problem_(problem),
        best_(std::move(known)),
        steps_left_(most_steps),
        refused_(problem.box.points(), false) {}

  FoundBasis run() && {
    extend(HopTable(problem_));
    best_.complete = steps_left_ > 0;
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::size_t elements() const { return chosen_.size() / problem_.dimensions(); }
  [[nodiscard]] std::size_t most_elements() const { return best_.elements.size() / problem_.dimensions(); }

  /// Tries every element that can help the offset with the fewest of them. An element that has been tried is
  /// refused for the rest of this call: all bases with it have been seen.
  void extend(const HopTable& table) {
    steps_left_ -= std::min(steps_left_, problem_.box.points());
    if (steps_left_ == 0) return;
    const std::optional<std::size_t> needy = neediest(table);
    if (!needy) return keep(*table.volume());
    if (elements() + missing(table) > most_elements()) return;

    std::vector<std::size_t> tried;
    const auto target = problem_.target(*needy);
    Counts element(target.begin(), target.end());
    do {
      const std::size_t index = problem_.box.index(element);
      if (refused_[index]) continue;
      HopTable next = table;
      next.add(element);
      chosen_.insert(chosen_.end(), element.begin(), element.end());
      extend(next);
      chosen_.resize(chosen_.size() - element.size());
      refused_[index] = true;
      tried.push_back(index);
    } while (steps_left_ > 0 && next_towards_zero(element, target));
    for (const std::size_t index : tried) refused_[index] = false;
  }

  /// The next point of the box between zero and `corner`; false where zero itself would come.
  static bool next_towards_zero(Counts& point, std::span<const Count> corner) {
    for (std::size_t d = point.size(); d-- > 0;) {
      if (point[d] != 0) {
        point[d] += point[d] > 0 ? -1 : 1;
        return std::any_of(point.begin(), point.end(), [](Count c) { return c != 0; });
      }
      point[d] = corner[d];
    }
    return false;
  }

  [[nodiscard]] std::optional<std::size_t> neediest(const HopTable& table) const {
    std::optional<std::size_t> found;
    Count least = 0;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const auto target = problem_.target(i);
      if (table.hops(target) != HopTable::unreached) continue;
      Count candidates = 1;
      for (const Count c : target) candidates *= std::abs(c) + 1;
      if (!found || candidates < least) {
        found = i;
        least = candidates;
      }
    }
    return found;
  }

  /// At least so many elements more: each can at most double the number of sums.
  [[nodiscard]] std::size_t missing(const HopTable& table) const {
    std::size_t sums = 0, unreached = 0;
    for (std::size_t index = 0; index < problem_.box.points(); ++index)
      sums += table.hops(index) != HopTable::unreached;
    for (std::size_t i = 0; i < problem_.size(); ++i)
      unreached += table.hops(problem_.target(i)) == HopTable::unreached;
    std::size_t more = 0;
    for (std::size_t reachable = sums; reachable < sums + unreached; reachable *= 2) ++more;
    return more;
  }

  void keep(double volume) {
    if (elements() < most_elements() || volume < best_.volume) best_ = {chosen_, volume, false};
  }

  const BasisProblem& problem_;
  FoundBasis best_;
  std::size_t steps_left_;
  std::vector<bool> refused_;
  Counts chosen_;
};

}  // namespace

FoundBasis search_basis(const BasisProblem& problem, FoundBasis known, std::size_t most_steps) {
  return BasisSearch(problem, std::move(known), most_steps).run();
}

}  // namespace halocline::schedule
