// What the environment allows the preload library to do.
#pragma once

namespace halocline::preload {

enum class Feature {
  reorder,   ///< HALOCLINE_REORDER: process grids and placement.
  neighbor,  ///< HALOCLINE_NEIGHBOR: neighbourhood collectives.
  types,     ///< HALOCLINE_TYPES: packing of datatypes.
};

/// Everything is on unless its variable is "off" (or 0). Read once.
[[nodiscard]] bool is_on(Feature feature);

/// HALOCLINE_NEIGHBOR is "eager": Cartesian communicators get links when they are made.
[[nodiscard]] bool wants_eager_links();

/// HALOCLINE_LOG asks for the summary at the end.
[[nodiscard]] bool wants_log();

}  // namespace halocline::preload
