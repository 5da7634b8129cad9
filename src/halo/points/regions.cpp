// SPDX-License-Identifier: BSD-3-Clause
#include "halo/points/regions.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halo/fields/staggering.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <set>

namespace halocline::halo {

Stencil directions_of(const Stencil& stencil) {
  std::vector<Offset> directions;
  std::set<Offset> known{Offset(stencil.dimensions(), 0)};
  for (const Offset& offset : stencil.offsets())
    for (const Count sign : {1, -1}) {
      Offset direction;
      for (const Count step : offset) direction.push_back(sign * std::clamp(step, Count{-1}, Count{1}));
      if (known.insert(direction).second) directions.push_back(direction);
    }
  return Stencil(directions);
}

Stencil offsets_filling(const Stencil& directions) {
  std::vector<Offset> offsets;
  std::set<Offset> known;
  for (const Offset& direction : directions.offsets()) {
    const bool steps =
        std::all_of(direction.begin(), direction.end(), [](Count c) { return c >= -1 && c <= 1; });
    const bool moves = std::any_of(direction.begin(), direction.end(), [](Count c) { return c != 0; });
    require(steps && moves, "(", join(direction, ","),
            ") is no direction of a halo; components are -1, 0 or 1, not all 0");
    require(known.insert(direction).second, "direction (", join(direction, ","), ") is given twice");
    Offset& offset = offsets.emplace_back();
    for (const Count step : direction) offset.push_back(-step);
  }
  return Stencil(offsets);
}

void require_narrow(const Decomposition& decomposition, const FieldView& field) {
  const HaloWidths& halo = field.halo();
  const Grid& grid = decomposition.grid();
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (grid.extents()[d] == 1 && !grid.periodic(d)) continue;  // nobody there to exchange with
    Count least = decomposition.extent(d, 0);
    for (Count i = 1; i < grid.extents()[d]; ++i) least = std::min(least, decomposition.extent(d, i));
    const Count extra = extra_points(field, d), width = std::max(halo.low[d], halo.high[d]);
    // The shared point comes from the next process, as the halo behind it does.
    if (width > least || halo.high[d] > least - extra)
      fail(Fault::invalid_dimensions, "a halo of ", width, " points",
           extra > 0 ? " and a shared one behind the last cell" : "", " along dimension ", d,
           ", where a process owns ", least, "; the mesh is ", decomposition.mesh().to_text(), " on ",
           grid.to_text(), " processes");
  }
}

}  // namespace halocline::halo
