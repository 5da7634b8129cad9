// SPDX-License-Identifier: BSD-3-Clause
#include "halo/points/problem.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <set>

namespace halocline::halo {
namespace {

/// In the order of a family if they are one: the same exchange then has the same name.
Stencil named(Stencil offsets) {
  const auto as_set = [](const Stencil& stencil) {
    return std::set<Offset>(stencil.offsets().begin(), stencil.offsets().end());
  };
  const std::size_t dimensions = offsets.dimensions();
  for (Stencil family : {Stencil::nearest(dimensions), Stencil::moore(dimensions, 1)})
    if (as_set(family) == as_set(offsets)) return family;
  return offsets;
}

bool alike(const std::vector<FieldView>& fields) {
  return std::all_of(fields.begin(), fields.end(), [&](const FieldView& field) {
    return field.staggered().empty() && field.halo() == fields.front().halo() &&
           field.halo().low == field.halo().high;
  });
}

Offset direction_of(const Offset& offset) {
  Offset direction;
  for (const Count step : offset) direction.push_back(-step);
  return direction;
}

/// Are there no offsets along which ghost points go alone?
bool all_send_own_points(const Filling& filling, const Stencil& offsets) {
  return std::all_of(offsets.offsets().begin(), offsets.offsets().end(),
                     [&](const Offset& offset) { return filling.fills(direction_of(offset)); });
}

/// For each point along the dimensions that an offset does not lead along.
Counts own_bytes(const Filling& filling, const std::vector<FieldView>& fields, const Stencil& offsets) {
  Counts bytes;
  for (const Offset& offset : offsets.offsets()) {
    const Offset direction = direction_of(offset);
    bytes.push_back(filling.fills(direction) ? bytes_across(fields, direction) : 0);
  }
  return bytes;
}

}  // namespace

plan::Problem problem_of(const Decomposition& decomposition, const Filling& filling,
                         const std::vector<FieldView>& fields, const Machine& machine) {
  plan::Problem problem{decomposition.mesh(), named(filling.offsets()), machine};
  if (decomposition != Decomposition(decomposition.mesh(), decomposition.grid()))
    problem.slabs = decomposition.slabs();
  problem.fixed = decomposition.grid().extents();
  if (!alike(fields) || !all_send_own_points(filling, problem.stencil)) {
    problem.stencil = named(filling.offsets(fields));  // the others take no part in the exchange
    problem.point_bytes = own_bytes(filling, fields, problem.stencil);
    problem.border_points = filling.border_points(fields, problem.stencil);
    require(
        std::any_of(problem.point_bytes.begin(), problem.point_bytes.end(), [](Count b) { return b > 0; }),
        "the fields have no halo in these directions: there is nothing to plan");
    return problem;
  }
  problem.border_points = filling.border_points(fields, problem.stencil);
  problem.halo = fields.front().halo().low;
  problem.value_bytes = fields.front().element().size();
  problem.fields = count_of(fields);
  if (std::any_of(fields.begin(), fields.end(),
                  [&](const FieldView& field) { return field.element().size() != problem.value_bytes; })) {
    problem.fields = 1;
    problem.value_bytes = 0;
    for (const FieldView& field : fields)
      problem.value_bytes = checked_add(problem.value_bytes, field.element().size());
  }
  return problem;
}

}  // namespace halocline::halo
