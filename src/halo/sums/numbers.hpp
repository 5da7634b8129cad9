// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of an element are numbers of which type.
#pragma once

#include "halocline/describe/layout.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halocline::halo {

enum class NumberType : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float_,
  double_,
  long_double,
  complex_float,
  complex_double,
  complex_long_double,
};
[[nodiscard]] Count bytes_of(NumberType type);
[[nodiscard]] bool is_complex(NumberType type);

/// Numbers side by side.
struct NumberRun {
  NumberType type;
  Count offset;  ///< Of the first, from the address of the element.
  Count count;
};

struct Numbers {
  std::vector<NumberRun> runs;  ///< In the order of the typemap. Empty if something is unknown.
  std::string unknown;          ///< Why there are none: "it holds byte"; empty if they are known.

  [[nodiscard]] bool complex() const;
  /// Numbers in their order, whatever lies between them: the same text for elements whose values belong
  /// together.
  [[nodiscard]] std::string to_text() const;
};

/// Those of an element: integers, real and complex numbers, as MPI counts them for its reductions; a byte, a
/// character or a truth value is none. Elements of more than a million runs are unknown.
[[nodiscard]] Numbers numbers_of(const Layout& element);
/// The same; what is wrong with an element on one process, which must not keep the others waiting, makes its
/// numbers unknown.
[[nodiscard]] Numbers known_numbers(const Layout& element);

}  // namespace halocline::halo
