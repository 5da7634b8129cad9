// SPDX-License-Identifier: BSD-3-Clause
// What a plan file decides, without what follows from it.
#pragma once

#include "halocline/plan/explanation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::plan {

/// Enough to do as a plan says, or to make it again.
struct Decisions {
  Problem problem;
  Choices choices;  ///< What was asked for.
  MachineSource source;
  Counts grid;
  std::string algorithm;  ///< As Seating has it, here and below.
  std::string wanted;
  std::size_t candidates = 0;
  std::vector<int> nodes_of_cells = {};             ///< Only where ranks sit as they came.
  std::string schedule;                             ///< What was chosen.
  std::optional<Stencil> placed_along = {};         ///< The weights of the placement.
  double hops_before = 0, fullest_link_before = 0;  ///< On the network, before nodes changed places.
};

/// What Explanation::to_json() wrote. Throws Error{invalid_argument} that names the line where the text is no
/// JSON, or the entry that is missing, of another version or nonsense.
[[nodiscard]] Decisions read_decisions(std::string_view text);

/// Everybody on the seat that the file has for him. Throws as the placement does.
[[nodiscard]] Seating seating_of(const Decisions& decisions);

/// Why a plan that is for the one machine does not fit the other; empty if it does: as many processes on
/// each node, in the same order.
[[nodiscard]] std::string why_not_on(const Machine& planned, const Machine& here);

}  // namespace halocline::plan
