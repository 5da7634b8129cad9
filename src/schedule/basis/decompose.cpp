// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/basis/decompose.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <map>

namespace halocline::schedule {
namespace {

/// The cheapest sum found so far for each point of the box. A way that is part of another one stays as it is
/// when a cheaper one is found later, so no element occurs twice.
class SumTable {
 public:
  SumTable(const BasisProblem& problem, const Counts& elements, Detour detour)
      : problem_(problem), best_(problem.box.points(), none) {
    std::vector<bool> stop(problem.box.points(), detour == Detour::free);
    for (std::size_t i = 0; i < problem.size(); ++i) stop[problem.box.index(problem.target(i))] = true;
    best_[problem.box.index(Counts(problem.dimensions(), 0))] = 0;
    partial_sums_.push_back({none, none, 0});
    for (std::size_t at = 0; at < elements.size(); at += problem.dimensions()) {
      const auto element = static_cast<std::int32_t>(at / problem.dimensions());
      problem.box.for_each_sum(
          std::span(elements).subspan(at, problem.dimensions()), [&](std::size_t x, std::size_t sum) {
            if (best_[x] == none) return;
            const std::int64_t cost = partial_sum(best_[x]).cost + (stop[sum] ? 1 : detour_cost);
            if (best_[sum] != none && partial_sum(best_[sum]).cost <= cost) return;
            partial_sums_.push_back({best_[x], element, cost});
            best_[sum] = static_cast<std::int32_t>(partial_sums_.size()) - 1;
          });
    }
  }

  /// Appends the elements that sum to the target, ascending.
  void append(std::span<const Count> target, std::vector<std::int32_t>& steps) const {
    const std::int32_t found = best_[problem_.box.index(target)];
    if (found == none) fail(Fault::internal, "an offset is no sum of the elements of its basis");
    const std::size_t first = steps.size();
    for (std::int32_t at = found; partial_sum(at).element != none; at = partial_sum(at).before)
      steps.push_back(partial_sum(at).element);
    std::reverse(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.end());
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::int64_t detour_cost = std::int64_t{1} << 32;

  struct PartialSum {
    std::int32_t before, element;
    std::int64_t cost;
  };
  [[nodiscard]] const PartialSum& partial_sum(std::int32_t index) const {
    return partial_sums_[to_index(index)];
  }

  const BasisProblem& problem_;
  std::vector<std::int32_t> best_;
  std::vector<PartialSum> partial_sums_;
};

/// The offset itself, or what fits along each axis, the largest first.
class AxisSums {
 public:
  AxisSums(const BasisProblem& problem, const Counts& elements) : axes_(problem.dimensions()) {
    for (std::size_t at = 0; at < elements.size(); at += problem.dimensions()) {
      const auto element = to_int(at / problem.dimensions());
      Offset vector(elements.begin() + to_count(at), elements.begin() + to_count(at + problem.dimensions()));
      const auto axis = std::ranges::find_if(vector, [](Count c) { return c != 0; });
      const auto dimension = to_index(axis - vector.begin());
      if (std::all_of(axis + 1, vector.end(), [](Count c) { return c == 0; }))
        axes_[dimension].emplace(*axis, element);
      whole_.emplace(std::move(vector), element);
    }
  }

  void append(std::span<const Count> target, std::vector<std::int32_t>& steps) const {
    const std::size_t first = steps.size();
    if (const auto found = whole_.find(Offset(target.begin(), target.end())); found != whole_.end()) {
      steps.push_back(found->second);
      return;
    }
    for (std::size_t d = 0; d < target.size(); ++d)
      for (Count rest = target[d]; rest != 0;) {
        const auto step = largest_within(axes_[d], rest);
        steps.push_back(step->second);
        rest -= step->first;
      }
    std::sort(steps.begin() + to_count(first), steps.end());
  }

 private:
  using AxisSteps = std::map<Count, std::int32_t>;

  static AxisSteps::const_iterator largest_within(const AxisSteps& axis, Count rest) {
    auto found = rest > 0 ? axis.upper_bound(rest) : axis.lower_bound(rest);
    if (rest > 0) found = found == axis.begin() ? axis.end() : std::prev(found);
    if (found == axis.end() || (found->first > 0) != (rest > 0))
      fail(Fault::internal, "an offset is no sum of the elements of its basis");
    return found;
  }

  std::vector<AxisSteps> axes_;
  std::map<Offset, std::int32_t> whole_;
};

template <class Sums>
Routes routes_of(const BasisProblem& problem, const Counts& elements, const Sums& sums) {
  Routes routes;
  routes.peers = elements;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    routes.firsts.push_back(to_int(routes.steps.size()));
    sums.append(problem.target(i), routes.steps);
  }
  routes.firsts.push_back(to_int(routes.steps.size()));
  return routes;
}

}  // namespace

bool small_enough_for_tables(const BasisProblem& problem, std::size_t elements) {
  constexpr std::size_t most_steps = std::size_t{1} << 26;
  return problem.box.points() > 0 && elements <= most_steps / problem.box.points();
}

Routes decompose(const BasisProblem& problem, const Counts& elements, Detour detour) {
  return small_enough_for_tables(problem, elements.size() / problem.dimensions())
             ? routes_of(problem, elements, SumTable(problem, elements, detour))
             : routes_of(problem, elements, AxisSums(problem, elements));
}

}  // namespace halocline::schedule
