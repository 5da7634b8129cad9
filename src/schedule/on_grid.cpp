// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/on_grid.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "schedule/process/merge_rounds.hpp"

#include <algorithm>

namespace halocline::schedule {
namespace {

void require_dimensions(std::size_t dimensions, const Grid& grid) {
  require(dimensions == grid.dimensions(), "offsets of ", dimensions, " components on the grid ",
          grid.to_text(), " of ", grid.dimensions(), " dimensions");
}

Count shortest(Count step, Count extent) {
  const Count forwards = floor_modulo(step, extent);
  return forwards > extent - forwards ? forwards - extent : forwards;
}

/// Replaces the coordinates along periodic dimensions by the shortest ones; tells whether any has changed.
bool shorten(std::span<Count> offset, const Grid& grid) {
  bool changed = false;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    if (!grid.periodic(d)) continue;
    const Count step = shortest(offset[d], grid.extents()[d]);
    changed = changed || step != offset[d];
    offset[d] = step;
  }
  return changed;
}

}  // namespace

Stencil reduced(const Stencil& stencil, const Grid& grid) {
  require_dimensions(stencil.dimensions(), grid);
  std::vector<Offset> offsets = stencil.offsets();
  for (Offset& offset : offsets) shorten(offset, grid);
  return Stencil(std::move(offsets), stencil.weights());
}

Schedule on(Schedule schedule, const Grid& grid) {
  const std::size_t dimensions = schedule.dimensions();
  require_dimensions(dimensions, grid);
  Counts peers = schedule.parts().peers;
  bool changed = false;
  for (std::size_t at = 0; at < peers.size(); at += dimensions)
    changed |= shorten(std::span(peers).subspan(at, dimensions), grid);
  if (changed) {
    ScheduleParts parts = std::move(schedule).parts();
    parts.peers = std::move(peers);
    schedule = Schedule(std::move(parts));
  }
  return merge_rounds(std::move(schedule));
}

Schedule on(const Algorithm& algorithm, const Stencil& stencil, Operation operation, const Grid& grid) {
  return on(algorithm.make(reduced(stencil, grid), operation), grid);
}

}  // namespace halocline::schedule
