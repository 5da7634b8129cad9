// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/best_parts.hpp"

#include "base/numbers.hpp"
#include "place/graph/parts_refinement.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace halocline::place {
namespace {

constexpr int most_rounds = 12;
/// A start that cuts so many times as much as the best is not refined.
constexpr double hopeless = 1.6;
constexpr int most_tries = 4;
constexpr int most_restarts = 8;

/// Keeps the best of all that was tried.
class PartsContest {
 public:
  PartsContest(const WorkGraph& graph, std::span<const Count> sizes, double steps, Dice& dice)
      : graph_(graph), sizes_(sizes), steps_(steps), dice_(dice) {}

  void enter(std::vector<Part> parts) {
    PartsRefinement next(graph_, std::move(parts), sizes_.size());
    if (best_ && to_double(next.cut()) > hopeless * to_double(best_->cut())) return;
    next.refine_pairs(most_rounds, steps_, dice_);
    if (!best_ || next.cut() < best_->cut()) best_.emplace(std::move(next));
  }

  void bisect(const BisectionEffort& effort) {
    enter(parts_by_bisection(graph_, sizes_, effort, dice_));
    steps_ -= effort.tries * steps_of_bisection();
  }

  [[nodiscard]] double steps_of_bisection() const {
    return 12.0 * to_double(graph_.extent()) * to_double(std::bit_width(sizes_.size()));
  }

  std::vector<Part> finish() {
    best_->divide_anew(steps_, dice_);
    for (int i = 0; i < most_restarts && steps_ > 0 && best_->cut() > 0; ++i) restart();
    steps_ = to_double(graph_.extent()) * most_rounds;
    best_->refine_pairs(most_rounds, steps_, dice_);
    return best_->parts();
  }

 private:
  /// Where nothing more was found and steps are left.
  void restart() {
    PartsRefinement next(graph_, parts_by_bisection(graph_, sizes_, {}, dice_), sizes_.size());
    steps_ -= steps_of_bisection();
    next.refine_pairs(most_rounds, steps_, dice_);
    next.divide_anew(steps_, dice_);
    if (next.cut() < best_->cut()) best_.emplace(std::move(next));
  }

  const WorkGraph& graph_;
  std::span<const Count> sizes_;
  double steps_;
  Dice& dice_;
  std::optional<PartsRefinement> best_;
};

}  // namespace

std::vector<Part> best_parts(const WorkGraph& graph, std::span<const Count> sizes, double steps, Dice& dice) {
  std::vector<Vertex> numbers(graph.vertices());
  std::iota(numbers.begin(), numbers.end(), Vertex{0});
  std::vector<Part> parts = parts_in_order(numbers, sizes);
  const bool alone = std::all_of(sizes.begin(), sizes.end(), [](Count size) { return size == 1; });
  if (sizes.size() < 2 || alone || cut_between(graph, parts) == 0) return parts;

  // Vertices that talk get numbers close to each other, for the sake of caches.
  const std::vector<Vertex> order = breadth_first_order(graph);
  const WorkGraph near = Subgraphs(graph).among(order);
  std::vector<Part> in_order(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) in_order[i] = parts[order[i]];

  PartsContest contest(near, sizes, steps, dice);
  const double affordable = steps / 2 / contest.steps_of_bisection();
  const int tries = static_cast<int>(std::clamp(affordable, 1.0, to_double(most_tries)));
  for (int i = 0; i < tries; ++i) contest.bisect({});
  contest.enter(std::move(in_order));
  contest.enter(parts_in_order(numbers, sizes));
  const std::vector<Part> best = contest.finish();
  for (std::size_t i = 0; i < order.size(); ++i) parts[order[i]] = best[i];
  return parts;
}

}  // namespace halocline::place
