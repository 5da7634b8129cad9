// SPDX-License-Identifier: BSD-3-Clause
// Vertices whose cells are not known, or wrong: they get those where most of their bytes are near.
#pragma once

#include "plan/pattern/evidence.hpp"
#include "plan/pattern/pair_graph.hpp"

#include <cstdint>
#include <vector>

namespace halocline::plan {

/// Stands for the cell of a vertex that has none.
inline constexpr std::int32_t open_cell = -1;

/// The vertex in each cell, or the largest number for nobody. Of two in a cell both lose it: nobody knows
/// which is right.
std::vector<std::uint32_t> owners_of(Reading& reading, std::size_t cells);

/// How many have no cell; and are those so few that they can be found by trying?
[[nodiscard]] std::size_t open_cells(const Reading& reading, std::size_t vertices);
[[nodiscard]] bool are_few(std::size_t open, std::size_t vertices);

/// Vertices lose their cell if most of their steps lead elsewhere than next to it, or none is known, if they
/// are few.
void take_out_misfits(const PairGraph& steps, Reading& reading);

/// Vertices without a cell get those that are left, each where most of its bytes are near.
/// O(open cells^3 * degree).
void fill_up(const PairGraph& all, Reading& reading);

/// Those of which most steps lead elsewhere change places with others up to two steps away, as long as more
/// bytes are near then. @pre all have a cell
void change_places(const PairGraph& steps, const PairGraph& all, Reading& reading);

}  // namespace halocline::plan
