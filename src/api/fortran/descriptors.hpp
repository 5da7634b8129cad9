// SPDX-License-Identifier: BSD-3-Clause
// Arrays as Fortran hands them to C: descriptors of ISO_Fortran_binding.
#pragma once

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/count.hpp"
#include "halocline/base/error.hpp"

#include <ISO_Fortran_binding.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace halocline::api {

/// The address of an element of a list.
template <class T>
[[nodiscard]] T& element_of(const CFI_cdesc_t& list, std::size_t i) {
  auto* const address =
      static_cast<std::byte*>(list.base_addr) + static_cast<CFI_index_t>(i) * list.dim[0].sm;
  return *reinterpret_cast<T*>(address);
}

[[nodiscard]] inline std::size_t length_of(const CFI_cdesc_t& list) { return to_size(list.dim[0].extent); }

/// The values of a list of integers of either kind. Throws Error{invalid_dimensions} unless it has as many
/// entries as there are dimensions, all of which fit.
template <class To>
[[nodiscard]] std::vector<To> list_of(const CFI_cdesc_t& list, std::size_t dimensions, const char* name) {
  if (length_of(list) != dimensions)
    fail(Fault::invalid_dimensions, "the argument ", name, " has ", length_of(list), " entries for ",
         dimensions, " dimensions");
  std::vector<To> values;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t value = list.elem_len == sizeof(std::int64_t) ? element_of<std::int64_t>(list, i)
                                                                     : element_of<std::int32_t>(list, i);
    if (!std::in_range<To>(value))
      fail(Fault::invalid_dimensions, "the argument ", name, " holds ", value, ", which needs 8 bytes");
    values.push_back(static_cast<To>(value));
  }
  return values;
}

/// Writes into a list of the caller, of either kind. Throws Error{invalid_argument} for what does not fit.
void write_list(const std::vector<std::int64_t>& values, const CFI_cdesc_t* list, const char* name);

/// The columns of a matrix with `dimensions` rows, one behind the other.
[[nodiscard]] std::vector<int> columns_of(const CFI_cdesc_t& matrix, std::size_t dimensions,
                                          const char* name);

/// What C functions take for an argument that may be absent.
template <class T>
[[nodiscard]] const T* data_or_null(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}

}  // namespace halocline::api
