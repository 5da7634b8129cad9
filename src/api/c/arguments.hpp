// SPDX-License-Identifier: BSD-3-Clause
// Reading the arguments of C functions into values.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace halocline::api {

/// Throws Error{invalid_dimensions} unless there is at least one dimension.
[[nodiscard]] std::size_t dimensions_of(int ndims);

/// The first `count` of the values. @pre there are as many
[[nodiscard]] Counts counts_of(std::size_t count, const int* values);

/// The stencil of `nneighbors` offsets, one behind the other, or HCL_STENCIL_NEAREST or _MOORE.
/// Throws Error{invalid_argument} if there are none, and as Stencil does.
[[nodiscard]] Stencil stencil_of(std::size_t dimensions, int nneighbors, const int* offsets,
                                 const std::int64_t* weights);

/// Throws Error{invalid_argument} if a list of the caller, `maxdims` long, has no room for all dimensions.
void require_room(std::size_t dimensions, int maxdims);

/// Writes extents into an array of the caller. Throws Error{invalid_dimensions} if one does not fit.
void write_dims(const Counts& chosen, int* dims);

/// Throws Error{invalid_argument} unless a text of the caller has room for `size` characters.
void require_text(int size, const char* text);
/// Writes as much as there is room for, and the length of all of it where that is asked for.
void write_text(const std::string& whole, int size, char* text, int* length);

/// Every rank reads its own arguments; all must be fine before anyone goes on. Collective.
template <class Read>
auto agreed_arguments(MPI_Comm comm, const Read& read) {
  mpi::require_intracommunicator(comm);
  return mpi::agreed(comm, read);
}

}  // namespace halocline::api
