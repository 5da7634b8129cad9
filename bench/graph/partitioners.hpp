// Graph partitioners that may be installed, opened at run time.
#pragma once

#include "halocline/describe/runs.hpp"
#include "place/graph/message_graph.hpp"

#include <optional>

namespace halocline::bench {

/// What crosses between nodes; nothing where the library is not installed, or fails. Parts that are too large
/// give what costs least to those with room.
[[nodiscard]] std::optional<Count> crossing_by_scotch(const place::MessageGraph& graph, const Runs& nodes);
[[nodiscard]] std::optional<Count> crossing_by_metis(const place::MessageGraph& graph, const Runs& nodes);

}  // namespace halocline::bench
