// SPDX-License-Identifier: BSD-3-Clause
// Numbers of one type as numbers of another: debug builds check that they are the same. What may be another,
// such as a real number that loses its fraction, is a cast.
#pragma once

#include "base/index.hpp"
#include "halocline/base/count.hpp"

#include <cassert>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <utility>

namespace halocline {

/// The number as the size of something. @pre it is not negative
template <std::integral Integer>
[[nodiscard]] constexpr std::size_t to_size(Integer number) {
  return to_index(number);
}

/// The number as MPI takes it. @pre it fits
template <std::integral Integer>
[[nodiscard]] constexpr int to_int(Integer number) {
  assert(std::in_range<int>(number));
  return static_cast<int>(number);
}

/// The number with a sign. @pre it fits
template <std::integral Integer>
[[nodiscard]] constexpr Count to_count(Integer number) {
  assert(std::in_range<Count>(number));
  return static_cast<Count>(number);
}

/// Where it lies in this process's memory, as displacements of layouts have it.
[[nodiscard]] inline Count to_count(const void* address) {
  return static_cast<Count>(reinterpret_cast<std::intptr_t>(address));
}

/// How many there are in it.
template <class Container>
[[nodiscard]] constexpr Count count_of(const Container& container) {
  return to_count(std::size(container));
}

/// The real number nearest to it, for estimates: above 2^53 it may be another.
template <std::integral Integer>
[[nodiscard]] constexpr double to_double(Integer number) {
  return static_cast<double>(number);
}

/// part / whole, not rounded down.
template <std::integral Part, std::integral Whole>
[[nodiscard]] constexpr double ratio_of(Part part, Whole whole) {
  return to_double(part) / to_double(whole);
}

}  // namespace halocline
