// SPDX-License-Identifier: BSD-3-Clause
// A plan that was made elsewhere and is obeyed here: HALOCLINE_PLAN_USE names its file.
#pragma once

#include "base/settings.hpp"
#include "halocline/describe/machine.hpp"
#include "mpi/settings/environment.hpp"
#include "mpi/settings/job_network.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/report/plan_file.hpp"

#include <memory>
#include <optional>
#include <string>

namespace halocline::mpi {

inline constexpr const char* plan_use = settings::plan_use.variable;

/// The text of the plan in a file. If it cannot be used, says why, once, and returns nothing. Local.
[[nodiscard]] std::string usable_plan(const std::string& path);

/// What the first process has read; null if it names no plan, or none that can be used. Local.
[[nodiscard]] std::shared_ptr<const plan::Decisions> plan_in_use(const Environment& environment);

/// The seats that a plan has, or why it has none for these processes.
struct PlannedSeats {
  std::optional<plan::Seating> seating;
  std::string why_not;
};

/// For processes of a machine, on a network if it is described, that are to get a mesh: `here` says its
/// halos, its stencil, and what extents of the grid are fixed. Local.
[[nodiscard]] PlannedSeats planned_seats(const plan::Decisions& plan, const plan::MeshProblem& here,
                                         const JobNetwork* network);
/// That are to get a grid.
[[nodiscard]] PlannedSeats planned_seats(const plan::Decisions& plan, const Grid& grid,
                                         const Machine& machine, const JobNetwork* network);

}  // namespace halocline::mpi
