// SPDX-License-Identifier: BSD-3-Clause
// Exchanges and plans: the plan that one is told to obey, and the plan that one has to tell.
#pragma once

#include "exchange/planning/choice.hpp"
#include "exchange/planning/create.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/settings/environment.hpp"

namespace halocline::exchange {

/// What is exchanged by blocks of these sizes. Throws as Exchange::plan().
[[nodiscard]] plan::Problem blocks_problem(const NeighborhoodState& neighborhood, Operation operation,
                                           const Counts& bytes, const Machine& machine);

/// The plan of an exchange that was made by this choice. Local.
[[nodiscard]] plan::Explanation explained(const NeighborhoodState& neighborhood, const Choice& choice,
                                          const Described& described);

/// Takes the schedule of the plan that HALOCLINE_PLAN_USE names, if the choice is left to the library and the
/// plan is for this. Otherwise returns why not; nothing if there is no plan. Local.
[[nodiscard]] std::string obey_plan(Choice& choice, const mpi::Environment& environment,
                                    const NeighborhoodState& neighborhood, const Described& described);

/// Prints the plan, or writes it, if this process is asked to; each plan once. Throws nothing. Local.
void tell_plan(const ExchangeOptions& options, const NeighborhoodState& neighborhood, const Choice& choice,
               const Described& described);

}  // namespace halocline::exchange
