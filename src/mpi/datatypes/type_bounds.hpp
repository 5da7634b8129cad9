// SPDX-License-Identifier: BSD-3-Clause
// Where an MPI says that the data of a datatype lie, beside where its constructors put them.
#pragma once

#include "halocline/describe/layout.hpp"

#include <mpi.h>

#include <string>

namespace halocline::mpi {

/// What this MPI says of a datatype.
struct TypeBounds {
  MPI_Count size = 0;
  MPI_Count lb = 0;
  MPI_Count extent = 0;
  MPI_Count true_lb = 0;
  MPI_Count true_extent = 0;

  explicit TypeBounds(MPI_Datatype type);
};

/// Can `layout` be what this MPI describes by `bounds`? Without data nothing is anywhere. MPICH counts
/// parts that are empty as data, so that with them the true bounds only say where to look.
[[nodiscard]] bool has_data_in(const Layout& layout, const TypeBounds& bounds);

/// "the datatype x", or that it has no name.
[[nodiscard]] std::string name_of(MPI_Datatype type);

/// Throws Error{unsupported} if this MPI has the data of the type elsewhere than the layout: it would copy
/// other bytes. `bounds` are those of `type`.
void require_data_of(const Layout& layout, MPI_Datatype type, const TypeBounds& bounds);

}  // namespace halocline::mpi
