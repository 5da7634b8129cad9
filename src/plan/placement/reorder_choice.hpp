// SPDX-License-Identifier: BSD-3-Clause
// Whether the processes of an unmodified program get new numbers, and by what: the one place that decides it.
#pragma once

#include "halocline/base/count.hpp"

#include <cstdint>
#include <functional>

namespace halocline::plan {

/// Is a graph of so many edges, of all processes, looked at by one of them? It has to gather them.
inline constexpr Count most_gathered_edges = Count{1} << 22;
[[nodiscard]] inline bool is_gathered(Count edges) { return edges <= most_gathered_edges; }

/// By what a graph's processes are ordered: not at all; as those of a grid, by its placement; or by the
/// mapper of any graph.
enum class GraphOrder : std::uint8_t { none, placement, mapping };

/// What is known of a graph whose processes may be renumbered. What takes time to find out is asked for only
/// where it counts.
struct GraphFacts {
  Count crossing;                 ///< Between nodes, as processes are numbered now.
  std::function<bool()> is_grid;  ///< Are its edges those of a stencil on a grid?
};

struct GraphOrderChoice {
  GraphOrder order;
  const char* why_none;  ///< Null unless that is the order.
};

/// A grid is placed, since that is exact and quick; any other graph is mapped.
[[nodiscard]] GraphOrderChoice choose_graph_order(const GraphFacts& facts);

/// Do processes get the numbers by which so much crosses between nodes, instead of those that they have? Only
/// if less does: of equals the system's numbers are what the program expects.
[[nodiscard]] bool pays_to_renumber(Count before, Count after);

}  // namespace halocline::plan
