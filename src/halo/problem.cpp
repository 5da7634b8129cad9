#include "halo/problem.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halo/regions.hpp"

#include <algorithm>
#include <set>

namespace halocline::halo {
namespace {

/// The offsets to which halos in these directions send, in the order of a family if they are one: the same
/// exchange then has the same name.
Stencil named_offsets(const Stencil& directions) {
  Stencil offsets = offsets_filling(directions);
  const auto as_set = [](const Stencil& stencil) {
    return std::set<Offset>(stencil.offsets().begin(), stencil.offsets().end());
  };
  const std::size_t dimensions = directions.dimensions();
  for (Stencil family : {Stencil::nearest(dimensions), Stencil::moore(dimensions, 1)})
    if (as_set(family) == as_set(offsets)) return family;
  return offsets;
}

bool alike(const std::vector<FieldView>& fields) {
  return std::all_of(fields.begin(), fields.end(), [&](const FieldView& field) {
    return field.halo() == fields.front().halo() && field.halo().low == field.halo().high;
  });
}

/// What goes along an offset for each point of the sender's own that does not lie across it, all fields
/// together.
Count bytes_across(const std::vector<FieldView>& fields, const Offset& offset) {
  Count bytes = 0;
  for (const FieldView& field : fields) {
    Count points = field.element().size();
    for (std::size_t d = 0; d < offset.size(); ++d) {
      // What goes up fills the halo below the receiver.
      if (offset[d] > 0) points = checked_multiply(points, field.halo().low[d]);
      if (offset[d] < 0) points = checked_multiply(points, field.halo().high[d]);
    }
    bytes = checked_add(bytes, points);
  }
  return bytes;
}

}  // namespace

plan::Problem problem_of(const Decomposition& decomposition, const Stencil& directions,
                         const std::vector<FieldView>& fields, const Machine& machine) {
  plan::Problem problem{decomposition.mesh(), named_offsets(directions), machine};
  if (decomposition != Decomposition(decomposition.mesh(), decomposition.grid()))
    problem.slabs = decomposition.slabs();
  problem.fixed = decomposition.grid().extents();
  if (!alike(fields)) {
    std::vector<Offset> sent;  // the others take no part in the exchange
    for (const Offset& offset : problem.stencil.offsets())
      if (const Count bytes = bytes_across(fields, offset); bytes > 0) {
        sent.push_back(offset);
        problem.point_bytes.push_back(bytes);
      }
    require(!sent.empty(), "the fields have no halo in these directions: there is nothing to plan");
    problem.stencil = Stencil(std::move(sent));
    return problem;
  }
  problem.halo = fields.front().halo().low;
  problem.value_bytes = fields.front().element().size();
  problem.fields = static_cast<Count>(fields.size());
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
