// Graph partitioners that may be installed, opened at run time.
#pragma once

#include "halocline/describe/runs.hpp"
#include "place/graph/message_graph.hpp"

#include <optional>

namespace halocline::bench {

/// What crosses between nodes.
struct PartitionerCrossing {
  Count exact;   ///< After parts that are too large gave what costs least to those with room.
  Count before;  ///< With the parts as they came.
};

/// The best of several strategies; nothing where the library is not installed, or fails.
[[nodiscard]] std::optional<PartitionerCrossing> crossing_by_scotch(const place::MessageGraph& graph,
                                                                    const Runs& nodes);
[[nodiscard]] std::optional<PartitionerCrossing> crossing_by_metis(const place::MessageGraph& graph,
                                                                   const Runs& nodes);
/// Only for nodes of one size: it knows no others.
[[nodiscard]] std::optional<PartitionerCrossing> crossing_by_kahip(const place::MessageGraph& graph,
                                                                   const Runs& nodes);

}  // namespace halocline::bench
