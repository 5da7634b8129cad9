// SPDX-License-Identifier: BSD-3-Clause
// Makes parts better that have their sizes: two neighbours exchange vertices, or a few are divided anew.
#pragma once

#include "place/graph/parts.hpp"

#include <utility>
#include <vector>

namespace halocline::place {

class PartsRefinement {
 public:
  /// @pre `graph` outlives this object; all parts below `count`
  PartsRefinement(const WorkGraph& graph, std::vector<Part> parts, std::size_t count);

  /// Moves vertices between each two parts that talk with each other, again where something has changed, at
  /// most `rounds` times. Takes no more steps than `steps`, and takes them off.
  void refine_pairs(int rounds, double& steps, Dice& dice);

  /// Divides a few neighbouring parts anew, as often as `steps` allow, and keeps what is not worse.
  void divide_anew(double& steps, Dice& dice);

  [[nodiscard]] Count cut() const { return cut_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  using Pair = std::pair<Part, Part>;
  [[nodiscard]] std::vector<Pair> neighbouring_pairs(const std::vector<char>& changed);
  bool refine(Pair pair, double& steps);
  [[nodiscard]] std::vector<Part> few_neighbours(Dice& dice);
  [[nodiscard]] std::vector<std::pair<Part, Count>> weights_around(std::span<const Part> parts);
  bool divide(std::span<const Part> parts, double& steps, Dice& dice);
  [[nodiscard]] std::vector<Vertex> members_of(std::span<const Part> parts) const;
  [[nodiscard]] double reach_of(std::span<const Part> parts) const;
  void assign(std::span<const Vertex> vertices, std::span<const Part> now);

  const WorkGraph& graph_;
  std::vector<Part> parts_;
  std::vector<std::vector<Vertex>> members_;
  Count cut_;
  Subgraphs pieces_;
  Counts weight_to_;  ///< Of each part, while some are looked at; 0 in between.
};

}  // namespace halocline::place
