// SPDX-License-Identifier: BSD-3-Clause
#include "halo/fields/check_slots.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halo/fields/staggering.hpp"
#include "halocline/base/error.hpp"

namespace halocline::halo {
namespace {

void check_points(const FieldView& field, const FieldView& first, std::size_t dimensions,
                  const std::string& name) {
  require(field.dimensions() > 0, name,
          " is empty: it was made of nothing, or moved from; use the one that it was moved to");
  require(field.origin() != nullptr, name, " begins at a null pointer; it needs memory");
  if (field.dimensions() != dimensions)
    fail(Fault::invalid_dimensions, name, " has ", field.dimensions(), " dimensions, the process grid ",
         dimensions);
  if (cells_of(field) != cells_of(first))
    fail(Fault::invalid_dimensions, name, " has ", points_text(field), ", field 0 ", points_text(first));
}

void check_alike(const FieldView& field, const FieldView& first, const std::string& name) {
  require(field.element().size() == first.element().size(), name, " has ", field.element().size(),
          " bytes a point, memory 0 of it ", first.element().size(), "; fields that rotate have as many");
  if (field.halo() != first.halo())
    fail(Fault::invalid_dimensions, name, " has halos of ", join(field.halo().low, ","), " and ",
         join(field.halo().high, ","), ", memory 0 of it ", join(first.halo().low, ","), " and ",
         join(first.halo().high, ","), "; fields that rotate have the same");
  if (field.staggered() != first.staggered())
    fail(Fault::invalid_dimensions, name, " has ", points_text(field), ", memory 0 of it ",
         points_text(first), "; fields that rotate have the same");
}

/// Could an address mean either?
bool confused(const FieldView& a, const FieldView& b, bool one_slot) {
  if (a.origin() == b.origin()) return true;
  return one_slot &&
         (first_point(a) == first_point(b) || first_point(a) == b.origin() || a.origin() == first_point(b));
}

struct Known {
  const FieldView* memory;
  std::size_t slot;
  std::string name;
  bool rotates;
};

void check_distinct(const Known& memory, const std::vector<Known>& before) {
  for (const Known& other : before)
    if (memory.rotates || other.rotates)
      require(!confused(*memory.memory, *other.memory, memory.slot == other.slot), memory.name,
              " begins where ", other.name, " does; a memory that rotates is there once");
}

}  // namespace

std::string name_of(std::size_t slot, std::size_t memory, std::size_t memories) {
  return memories == 1 ? concat("field ", slot) : concat("memory ", memory, " of field ", slot);
}

const void* first_point(const FieldView& memory) {
  Cell point;
  for (const Count low : memory.halo().low) point.push_back(-low);
  return memory.at(point);
}

void check_slots(const std::vector<HaloSlot>& slots, std::size_t dimensions) {
  require(!slots.empty(), "a halo of no fields");
  const FieldView& first = slots.front().memories().front();
  std::vector<Known> known;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const std::vector<FieldView>& memories = slots[s].memories();
    for (std::size_t m = 0; m < memories.size(); ++m) {
      Known memory{&memories[m], s, name_of(s, m, memories.size()), memories.size() > 1};
      check_points(memories[m], first, dimensions, memory.name);
      check_alike(memories[m], memories.front(), memory.name);
      check_distinct(memory, known);
      known.push_back(std::move(memory));
    }
  }
}

void require_alike(std::size_t slot, const FieldView& field, const FieldView& shape) {
  const auto require_same = [&](const char* what, const Counts& its, const Counts& ours) {
    if (its != ours)
      fail(Fault::invalid_dimensions, "field ", slot, " has ", what, " ", join(its, ","),
           " now; the halo was made for ", join(ours, ","));
  };
  require(field.dimensions() > 0, "field ", slot,
          " is empty: it was made of nothing, or moved from; use the one that it was moved to");
  if (field.staggered() != shape.staggered())
    fail(Fault::invalid_dimensions, "field ", slot, " has ", points_text(field),
         " now; the halo was made for ", points_text(shape));
  require_same("own points", field.extents(), shape.extents());
  require_same("a halo below of", field.halo().low, shape.halo().low);
  require_same("a halo above of", field.halo().high, shape.halo().high);
  require_same("strides of", field.strides(), shape.strides());
  if (field.element() != shape.element())  // texts take longer than all the rest: none without an error
    fail(Fault::invalid_argument, "field ", slot, " has elements ", field.element().to_text(),
         " now; the halo was made for ", shape.element().to_text());
}

}  // namespace halocline::halo
