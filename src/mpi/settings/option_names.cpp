// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/settings/option_names.hpp"

#include "base/fail.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"
#include "plan/placement/placement_choice.hpp"

namespace halocline::mpi {

// `best` comes first, then the algorithms in the order of their table.
std::string name_of(PlacementAlgorithm algorithm) {
  if (algorithm == PlacementAlgorithm::best) return std::string(plan::best_placement);
  const auto number = static_cast<std::size_t>(algorithm);
  require(number <= place::algorithms().size(), "no placement algorithm has the number ", number);
  return std::string(place::algorithms()[number - 1].name);
}

PlacementAlgorithm algorithm_named(std::string_view name) {
  if (name == plan::best_placement) return PlacementAlgorithm::best;
  const auto number = &place::algorithm(name) - place::algorithms().data();
  return static_cast<PlacementAlgorithm>(number + 1);
}

std::string name_of(std::optional<NodeMapping> mapping) {
  if (!mapping) return "";
  const auto number = static_cast<std::size_t>(*mapping);
  require(number < network::variants().size(), "no mapping of nodes has the number ", number);
  return std::string(network::variants()[number].name);
}

std::optional<NodeMapping> mapping_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return static_cast<NodeMapping>(&network::variant(name) - network::variants().data());
}

}  // namespace halocline::mpi
