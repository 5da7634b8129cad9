// SPDX-License-Identifier: BSD-3-Clause
#include "halo/fields/staggering.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"

namespace halocline::halo {

Counts cells_of(const FieldView& field) {
  Counts cells = field.extents();
  for (const std::size_t d : field.staggered()) --cells[d];
  return cells;
}

Counts points_on(const Counts& cells, const std::vector<std::size_t>& staggered) {
  Counts points = cells;
  for (const std::size_t d : staggered) ++points[d];
  return points;
}

std::string points_text(const FieldView& field) {
  if (field.staggered().empty()) return concat(join(field.extents(), "x"), " own points");
  return concat(join(field.extents(), "x"), " points staggered along ", join(field.staggered(), ","),
                ", which are ", join(cells_of(field), "x"), " cells");
}

}  // namespace halocline::halo
