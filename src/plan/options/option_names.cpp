// SPDX-License-Identifier: BSD-3-Clause
#include "plan/options/option_names.hpp"

#include "base/fail.hpp"
#include "base/find_by_name.hpp"
#include "base/index.hpp"
#include "halocline/plan/plan.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"

#include <array>

namespace halocline::plan {
namespace {

struct NamedSchedule {
  std::string name;
};

/// In the order of ScheduleChoice.
const auto& named_schedules() {
  static const std::array<NamedSchedule, 7> names{
      {{"auto"}, {"direct"}, {"node"}, {"mixed"}, {"torus"}, {"torus-direct"}, {"basis"}}};
  return names;
}

}  // namespace

// `best` comes first, then the algorithms in the order of their table.
std::string name_of(PlacementAlgorithm algorithm) {
  if (algorithm == PlacementAlgorithm::best) return std::string(best_placement);
  const auto number = to_index(algorithm);
  require(number <= place::algorithms().size(), "no placement algorithm has the number ", number);
  return std::string(place::algorithms()[number - 1].name);
}

PlacementAlgorithm algorithm_named(std::string_view name) {
  if (name == best_placement) return PlacementAlgorithm::best;
  const auto number = &place::algorithm(name) - place::algorithms().data();
  return static_cast<PlacementAlgorithm>(number + 1);
}

PlacementAlgorithm wanted_algorithm(std::string_view wanted) {
  return wanted == not_placed ? PlacementAlgorithm::best : algorithm_named(wanted);
}

std::string name_of(NodeMapping mapping) {
  const auto number = to_index(mapping);
  require(number < network::variants().size(), "no mapping of nodes has the number ", number);
  return std::string(network::variants()[number].name);
}

NodeMapping mapping_named(std::string_view name) {
  return static_cast<NodeMapping>(&network::variant(name) - network::variants().data());
}

const std::string& name_of(ScheduleChoice schedule) {
  const auto number = to_index(schedule);
  require(number < named_schedules().size(), "no schedule has the number ", number);
  return named_schedules()[number].name;
}

ScheduleChoice schedule_named(std::string_view name) {
  const NamedSchedule& found = find_by_name(named_schedules(), "schedule", name);
  return static_cast<ScheduleChoice>(&found - named_schedules().data());
}

}  // namespace halocline::plan
