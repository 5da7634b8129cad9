// What a placed grid and a schedule cost: exact traffic, and the time of the linear model.
#pragma once

#include "halocline/plan/plan.hpp"
#include "plan/message_walk.hpp"

namespace halocline::plan {

/// A grid, placed: what all schedules are rated on.
struct Placed {
  const Problem& problem;  ///< As ready() leaves it.
  const Placement& placement;
  Decomposition decomposition;
  NodeOfCell node_of_cell;

  Placed(const Problem& given, const Placement& chosen);
  [[nodiscard]] BlockSizes sizes() const;
};

/// Checks a problem and completes it: halo widths for all dimensions, and no offsets that send nothing.
[[nodiscard]] Problem ready(const Problem& problem);

/// A process can only fill its neighbour's halo with what it owns: throws Error{invalid_dimensions} where one
/// owns less.
void require_wide_shares(const Decomposition& decomposition, const Counts& halo);

/// Throws Error{unsupported} for a schedule that forwards blocks where shares of the mesh differ.
void require_schedule_fits(const Decomposition& decomposition, const std::string& schedule);

/// Every block by itself, as programs do: one message for each neighbour and direction.
[[nodiscard]] Prediction predict_plain(const Placed& placed, const LevelCosts& prices);

/// One of schedule_names().
[[nodiscard]] Prediction predict(const Placed& placed, const std::string& schedule, const LevelCosts& prices);

/// "direct", "node" and "mixed", and then those that combine messages.
[[nodiscard]] std::vector<std::string> schedule_names();
/// Does it send the blocks of others on?
[[nodiscard]] bool combines(const std::string& schedule);

}  // namespace halocline::plan
