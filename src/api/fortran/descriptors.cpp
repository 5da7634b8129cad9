// SPDX-License-Identifier: BSD-3-Clause
#include "api/fortran/descriptors.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"

#include <limits>

namespace halocline::api {

void write_list(const std::vector<std::int64_t>& values, const CFI_cdesc_t* list, const char* name) {
  if (list == nullptr) return;
  if (length_of(*list) < values.size())
    fail(Fault::invalid_dimensions, "the argument ", name, " has ", length_of(*list), " entries for ",
         values.size(), " dimensions");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (list->elem_len == sizeof(std::int64_t)) {
      element_of<std::int64_t>(*list, i) = values[i];
      continue;
    }
    require(values[i] <= std::numeric_limits<std::int32_t>::max(), "the argument ", name,
            " has integers of 4 bytes; ", values[i], " needs 8");
    element_of<std::int32_t>(*list, i) = to_int(values[i]);
  }
}

std::vector<int> columns_of(const CFI_cdesc_t& matrix, std::size_t dimensions, const char* name) {
  const auto rows = to_size(matrix.dim[0].extent);
  if (rows != dimensions)
    fail(Fault::invalid_dimensions, "the argument ", name, " has ", rows, " rows for ", dimensions,
         " dimensions; a column is an offset");
  std::vector<int> offsets;
  for (CFI_index_t column = 0; column < matrix.dim[1].extent; ++column)
    for (CFI_index_t row = 0; row < matrix.dim[0].extent; ++row)
      offsets.push_back(*reinterpret_cast<const int*>(static_cast<const std::byte*>(matrix.base_addr) +
                                                      row * matrix.dim[0].sm + column * matrix.dim[1].sm));
  require(!offsets.empty(), "the argument ", name, " has no columns; it needs at least one");
  return offsets;
}

}  // namespace halocline::api
