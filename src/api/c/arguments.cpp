// SPDX-License-Identifier: BSD-3-Clause
#include "api/c/arguments.hpp"

#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halocline.h"

#include <cstring>

namespace halocline::api {

std::size_t dimensions_of(int ndims) {
  if (ndims < 1) fail(Fault::invalid_dimensions, "a grid of ", ndims, " dimensions; it needs at least one");
  return to_size(ndims);
}

Counts counts_of(std::size_t count, const int* values) { return Counts(values, values + count); }

Stencil stencil_of(std::size_t dimensions, int nneighbors, const int* offsets, const std::int64_t* weights) {
  if (offsets == nullptr) {
    require(weights == nullptr, "weights without offsets; a weight belongs to an offset");
    return Stencil::nearest(dimensions);
  }
  if (offsets == HCL_STENCIL_MOORE) {
    require(weights == nullptr, "weights without offsets; a weight belongs to an offset");
    return Stencil::moore(dimensions, 1);
  }
  require(nneighbors >= 1, "a stencil of ", nneighbors, " neighbours; it needs at least one");
  std::vector<Offset> list;
  for (int i = 0; i < nneighbors; ++i, offsets += dimensions) list.push_back(counts_of(dimensions, offsets));
  return Stencil(std::move(list), weights == nullptr ? Counts() : Counts(weights, weights + nneighbors));
}

void require_room(std::size_t dimensions, int maxdims) {
  require(maxdims >= 0 && to_size(maxdims) >= dimensions, "lists of ", maxdims, " entries for ", dimensions,
          " dimensions");
}

void write_dims(const Counts& chosen, int* dims) {
  const std::vector<int> narrow = mpi::int_extents(chosen);
  std::copy(narrow.begin(), narrow.end(), dims);
}

void require_text(int size, const char* text) {
  require(size >= 0, "a text of at most ", size, " characters; 0 is the least");
  if (size > 0) require_pointer(text, "text");
}

void write_text(const std::string& whole, int size, char* text, int* length) {
  if (size > 0) {
    const std::size_t written = std::min(whole.size(), to_size(size) - 1);
    std::memcpy(text, whole.data(), written);
    text[written] = '\0';
  }
  if (length != nullptr) *length = to_int(whole.size());
}

}  // namespace halocline::api

// Its address is what tells it from a list.
const int HCL_Stencil_moore[1] = {0};
