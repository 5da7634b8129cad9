// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/type_bounds.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/wide.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/call.hpp"

#include <vector>

namespace halocline::mpi {
namespace {

/// Parts without data, of its own or of those that an MPI puts a distributed array together from.
bool may_have_empty_parts(const Layout& layout) {
  std::vector<const Layout*> open{&layout};
  while (!open.empty()) {
    const Layout& part = *open.back();
    open.pop_back();
    if (part.size() == 0 || part.as<Layout::Darray>() != nullptr) return true;
    for (const Layout& member : part.members()) open.push_back(&member);
  }
  return false;
}

}  // namespace

TypeBounds::TypeBounds(MPI_Datatype type) {
  HALOCLINE_MPI(Type_size_x, type, &size);
  HALOCLINE_MPI(Type_get_extent_x, type, &lb, &extent);
  HALOCLINE_MPI(Type_get_true_extent_x, type, &true_lb, &true_extent);
}

bool has_data_in(const Layout& layout, const TypeBounds& bounds) {
  if (layout.size() != bounds.size) return false;
  if (bounds.size == 0) return true;
  const Wide true_ub = Wide{bounds.true_lb} + bounds.true_extent;
  if (layout.true_lb() == bounds.true_lb && layout.true_ub() == true_ub) return true;
  return layout.true_lb() >= bounds.true_lb && layout.true_ub() <= true_ub && may_have_empty_parts(layout);
}

std::string name_of(MPI_Datatype type) {
  std::string name(MPI_MAX_OBJECT_NAME, '\0');
  int length = 0;
  HALOCLINE_MPI(Type_get_name, type, name.data(), &length);
  name.resize(to_size(length));
  return name.empty() ? "a datatype without a name" : "the datatype " + name;
}

void require_data_of(const Layout& layout, MPI_Datatype type, const TypeBounds& bounds) {
  if (has_data_in(layout, bounds)) [[likely]]
    return;
  fail(Fault::unsupported, "this MPI says that ", name_of(type), " has ", bounds.size,
       " bytes of data in the ", bounds.true_extent, " from ", bounds.true_lb, " on, but as ",
       layout.to_text().substr(0, 80), " it would have ", layout.size(), " in the ", layout.true_extent(),
       " from ", layout.true_lb(), " on");
}

}  // namespace halocline::mpi
