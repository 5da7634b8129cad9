// What the environment allows the preload library to do.
#pragma once

#include <vector>

namespace halocline::preload {

enum class Feature {
  reorder,   ///< HALOCLINE_REORDER: process grids and placement.
  neighbor,  ///< HALOCLINE_NEIGHBOR: neighbourhood collectives.
  types,     ///< HALOCLINE_TYPES: packing of datatypes.
  log,       ///< HALOCLINE_LOG: the summary at the end.
};

/// Everything but the log is on unless its variable is "off" (or 0). Read once.
[[nodiscard]] bool is_on(Feature feature);

/// The variables of those that are off.
[[nodiscard]] std::vector<const char*> switched_off();

/// HALOCLINE_REORDER is "graphs": distributed graphs are reordered as well.
[[nodiscard]] bool wants_reordered_graphs();

/// HALOCLINE_NEIGHBOR is "eager": Cartesian communicators get links when they are made.
[[nodiscard]] bool wants_eager_links();

}  // namespace halocline::preload
