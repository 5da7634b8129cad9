// SPDX-License-Identifier: BSD-3-Clause
// The names of options that are types, for command lines, JSON, info keys and variables.
#pragma once

#include "halocline/plan/option_types.hpp"

#include <string>
#include <string_view>

namespace halocline::plan {

/// Each throws Error{invalid_argument} for what there is not; those that read a name list the names there
/// are.
[[nodiscard]] std::string name_of(PlacementAlgorithm algorithm);
[[nodiscard]] PlacementAlgorithm algorithm_named(std::string_view name);
[[nodiscard]] std::string name_of(NodeMapping mapping);
[[nodiscard]] NodeMapping mapping_named(std::string_view name);
[[nodiscard]] const std::string& name_of(ScheduleChoice schedule);
[[nodiscard]] ScheduleChoice schedule_named(std::string_view name);

/// Of Seating::wanted. Where ranks sit as they came nothing was wanted; that is `best`, as if nobody asked.
[[nodiscard]] PlacementAlgorithm wanted_algorithm(std::string_view wanted);

}  // namespace halocline::plan
