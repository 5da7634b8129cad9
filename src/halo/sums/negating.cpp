// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sums/negating.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace halocline::halo {
namespace {

template <class T>
void negate_row(std::byte* numbers, Count count) {
  for (Count i = 0; i < count; ++i) {
    std::byte* const address = numbers + i * static_cast<Count>(sizeof(T));
    T number;
    std::memcpy(&number, address, sizeof(T));
    if constexpr (std::is_integral_v<T>) {
      using Bits = std::make_unsigned_t<T>;
      number = static_cast<T>(static_cast<Bits>(Bits{0} - static_cast<Bits>(number)));
    } else {
      number = -number;
    }
    std::memcpy(address, &number, sizeof(T));
  }
}

void negate_run(std::byte* element, const NumberRun& run) {
  std::byte* const numbers = element + run.offset;
  switch (run.type) {
    case NumberType::int8:
      return negate_row<std::int8_t>(numbers, run.count);
    case NumberType::int16:
      return negate_row<std::int16_t>(numbers, run.count);
    case NumberType::int32:
      return negate_row<std::int32_t>(numbers, run.count);
    case NumberType::int64:
      return negate_row<std::int64_t>(numbers, run.count);
    case NumberType::float_:
      return negate_row<float>(numbers, run.count);
    case NumberType::double_:
      return negate_row<double>(numbers, run.count);
    case NumberType::complex_float:
      return negate_row<float>(numbers, 2 * run.count);
    case NumberType::complex_double:
      return negate_row<double>(numbers, 2 * run.count);
    case NumberType::complex_long_double:
      return negate_row<long double>(numbers, 2 * run.count);
    default:
      return negate_row<long double>(numbers, run.count);
  }
}

bool has_sign(NumberType type) {
  return type != NumberType::uint8 && type != NumberType::uint16 && type != NumberType::uint32 &&
         type != NumberType::uint64;
}

void require_known(const Numbers& numbers) {
  if (!numbers.unknown.empty())
    fail(Fault::invalid_type, " has elements that cannot change their sign: ", numbers.unknown,
         "; a layout of numbers tells which there are");
}

void require_sign(const NumberRun& run) {
  if (!has_sign(run.type))
    fail(Fault::invalid_type, " has unsigned integers, which cannot change their sign");
}

}  // namespace

std::vector<NumberRun> negated_runs(const Numbers& numbers) {
  require_known(numbers);
  for (const NumberRun& run : numbers.runs) require_sign(run);
  return numbers.runs;
}

std::vector<NumberRun> negated_runs(const Numbers& numbers, std::span<const std::size_t> which) {
  require_known(numbers);
  std::vector<NumberRun> runs;
  for (const std::size_t wanted : which) {
    Count before = 0;
    bool found = false;
    for (const NumberRun& run : numbers.runs) {
      const Count index = to_count(wanted) - before;
      if (index < run.count) {
        require_sign(run);
        runs.push_back({run.type, run.offset + index * bytes_of(run.type), 1});
        found = true;
        break;
      }
      before += run.count;
    }
    if (!found)
      fail(Fault::invalid_type, " has elements of ", before, " numbers, and number ", wanted,
           " of them, counted from 0, is to change its sign");
  }
  return runs;
}

void negate(const FieldView& field, const FieldView::Part& part, const std::vector<NumberRun>& runs) {
  if (runs.empty()) return;
  for (const Count count : part.count)
    if (count == 0) return;
  // Along the dimension whose points lie nearest to each other in the inner loop.
  std::size_t inner = 0;
  for (std::size_t d = 1; d < part.count.size(); ++d)
    if (std::abs(field.strides()[d]) < std::abs(field.strides()[inner])) inner = d;
  Counts point = part.first;
  for (;;) {
    auto* element = static_cast<std::byte*>(field.at(point));
    for (Count i = 0; i < part.count[inner]; ++i, element += field.strides()[inner])
      for (const NumberRun& run : runs) negate_run(element, run);
    std::size_t d = point.size();
    while (d-- > 0) {
      if (d == inner) continue;
      if (++point[d] < part.first[d] + part.count[d]) break;
      point[d] = part.first[d];
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace halocline::halo
