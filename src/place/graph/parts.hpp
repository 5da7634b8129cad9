// SPDX-License-Identifier: BSD-3-Clause
// A graph in parts of exact sizes. Here all vertices are single ranks.
#pragma once

#include "place/graph/bisection.hpp"
#include "place/graph/dice.hpp"
#include "place/graph/work_graph.hpp"

#include <span>
#include <vector>

namespace halocline::place {

using Part = std::uint32_t;

/// The weight of all edges between different parts.
[[nodiscard]] Count cut_between(const WorkGraph& graph, std::span<const Part> parts);

/// Part after part of the vertices in the given order.
[[nodiscard]] std::vector<Part> parts_in_order(std::span<const Vertex> order, std::span<const Count> sizes);

/// The vertices by breadth first from one that is far from others, component after component.
[[nodiscard]] std::vector<Vertex> breadth_first_order(const WorkGraph& graph);

/// The part of each vertex, by cuts in two again and again. @pre the sizes add up to the vertices
[[nodiscard]] std::vector<Part> parts_by_bisection(const WorkGraph& graph, std::span<const Count> sizes,
                                                   const BisectionEffort& effort, Dice& dice);

}  // namespace halocline::place
