// SPDX-License-Identifier: BSD-3-Clause
// The two sides of a mapping, tasks and cores, ready to be cut into as many parts with their dimensions in
// any order.
#pragma once

#include "network/mapping.hpp"
#include "network/partition/partition_ranked.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::network {

using PartNumbers = std::vector<std::uint32_t>;  ///< The part of each point.

class MappingSides {
 public:
  /// Throws as map_tasks().
  MappingSides(const Points& tasks, const Points& cores, const MapOptions& options);

  [[nodiscard]] std::size_t task_dimensions() const { return tasks_.size(); }
  [[nodiscard]] std::size_t core_dimensions() const { return cores_.size(); }

  /// The partition of each side that sees its dimensions in the given order.
  [[nodiscard]] PartNumbers task_parts(std::span<const std::size_t> dimensions) const;
  [[nodiscard]] PartNumbers core_parts(std::span<const std::size_t> dimensions) const;

  /// The core of each task: the one with the same part.
  [[nodiscard]] Counts matched(const PartNumbers& task_parts, const PartNumbers& core_parts) const;

 private:
  Counts chosen_;  ///< The cores in use, if there are more than tasks.
  OrderingPair orderings_;
  MapOptions options_;
  Count parts_;
  std::vector<RankedColumn> tasks_;
  std::vector<RankedColumn> cores_;
};

}  // namespace halocline::network
