// SPDX-License-Identifier: BSD-3-Clause
// What the dynamic program behind optimal strips knows of one level that is cut: see strip_planner.cpp.
#pragma once

#include "place/optimal_strips/kept_weight.hpp"
#include "place/optimal_strips/strip.hpp"
#include "place/optimal_strips/strip_walk.hpp"
#include "place/optimal_strips/strip_widths.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace halocline::place {

constexpr Count unreachable = std::numeric_limits<Count>::min() / 2;

/// The best cut of one level and all deeper ones, in one place.
struct SubPlan {
  Count kept = unreachable;
  StripPlan::Intervals intervals;
  std::vector<const SubPlan*> inside;  ///< Of each interval; empty at the last level that is cut.
  const Section* first = nullptr;      ///< Of the first and the last strip.
  const Section* last = nullptr;
};

/// The best cut of the first layers of a slab that ends with an interval of a certain width.
struct CutSoFar {
  Count kept = unreachable;
  std::size_t previous = 0;  ///< The width of the interval before the last, by number.
  const SubPlan* inside = nullptr;
};

/// What can be cut across one level, given the widths of the outer ones.
struct Slab {
  Counts widths;
  Count layer = 1;  ///< Cells in a layer of width 1 of the level that is cut here.
  WidthChoice choice;
  std::vector<std::unique_ptr<Slab>> inside;    ///< By width; or, at the last level that is cut:
  std::vector<std::unique_ptr<Strip>> strips;   ///< by width,
  std::size_t wide = 0;                         ///< Turns between wider strips are all alike: turns
  std::vector<std::optional<StripTurn>> turns;  ///< by the widths of both up to this one,
  std::vector<Counts> kept_at_turns;            ///< and what they keep, by kind of node and place in it.
  std::unordered_map<Count, std::optional<SubPlan>> solved;  ///< By where it starts.
  std::vector<CutSoFar> states;  ///< Of the cut that is worked on, by layers and width.
};

}  // namespace halocline::place
