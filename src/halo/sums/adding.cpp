// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sums/adding.hpp"

#include "base/integers.hpp"

#include <cstring>
#include <type_traits>

namespace halocline::halo {
namespace {

using Loop = Addends::Loop;

/// Of a type and a way to combine, for the rows of the innermost loop.
using RowsKernel = void (*)(std::byte* to, const std::byte* from, Count numbers, const Loop& rows);

struct Sum {
  template <class T>
  static T of(T owner, T other) {
    if constexpr (std::is_integral_v<T>) {  // beyond the largest comes the least
      using Bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Bits>(static_cast<Bits>(owner) + static_cast<Bits>(other)));
    } else {
      return owner + other;
    }
  }
};
struct Min {
  template <class T>
  static T of(T owner, T other) {
    return other < owner ? other : owner;
  }
};
struct Max {
  template <class T>
  static T of(T owner, T other) {
    return other > owner ? other : owner;
  }
};

/// Numbers need not be aligned: fields lie as programs lay them out.
template <class T, class How>
inline void combine(std::byte* to, const std::byte* from) {
  T owner, other;
  std::memcpy(&owner, to, sizeof(T));
  std::memcpy(&other, from, sizeof(T));
  owner = How::of(owner, other);
  std::memcpy(to, &owner, sizeof(T));
}

/// The compiler makes vectors of this: nothing overlaps.
template <class T, class How>
inline void combine_row(std::byte* __restrict to, const std::byte* __restrict from, Count numbers) {
  constexpr auto size = static_cast<Count>(sizeof(T));
  for (Count i = 0; i < numbers; ++i) combine<T, How>(to + i * size, from + i * size);
}

template <class T, class How>
inline void combine_column(std::byte* __restrict to, const std::byte* __restrict from, const Loop& rows) {
  for (Count i = 0; i < rows.count; ++i)
    combine<T, How>(to + i * rows.to_stride, from + i * rows.from_stride);
}

template <class T, class How>
void combine_rows(std::byte* to, const std::byte* from, Count numbers, const Loop& rows) {
  if (numbers == 1) return combine_column<T, How>(to, from, rows);
  for (Count i = 0; i < rows.count; ++i)
    combine_row<T, How>(to + i * rows.to_stride, from + i * rows.from_stride, numbers);
}

template <class T>
RowsKernel kernel_for(Accumulate how) {
  switch (how) {
    case Accumulate::min:
      return combine_rows<T, Min>;
    case Accumulate::max:
      return combine_rows<T, Max>;
    default:
      return combine_rows<T, Sum>;
  }
}

/// Complex numbers are pairs of real ones.
RowsKernel kernel_of(NumberType type, Accumulate how) {
  switch (type) {
    case NumberType::int8:
      return kernel_for<std::int8_t>(how);
    case NumberType::int16:
      return kernel_for<std::int16_t>(how);
    case NumberType::int32:
      return kernel_for<std::int32_t>(how);
    case NumberType::int64:
      return kernel_for<std::int64_t>(how);
    case NumberType::uint8:
      return kernel_for<std::uint8_t>(how);
    case NumberType::uint16:
      return kernel_for<std::uint16_t>(how);
    case NumberType::uint32:
      return kernel_for<std::uint32_t>(how);
    case NumberType::uint64:
      return kernel_for<std::uint64_t>(how);
    case NumberType::float_:
    case NumberType::complex_float:
      return kernel_for<float>(how);
    case NumberType::double_:
    case NumberType::complex_double:
      return kernel_for<double>(how);
    default:
      return kernel_for<long double>(how);
  }
}

/// Puts a loop around those that are there.
void enclose(Addends& addends, Count row_bytes, const Loop& loop) {
  if (loop.count == 1) return;
  if (addends.loops.empty() && loop.to_stride == row_bytes && loop.from_stride == row_bytes) {
    addends.numbers *= loop.count;
    return;
  }
  if (!addends.loops.empty()) {
    Loop& inner = addends.loops.front();
    if (loop.to_stride == inner.count * inner.to_stride &&
        loop.from_stride == inner.count * inner.from_stride) {
      inner.count *= loop.count;
      return;
    }
  }
  addends.loops.insert(addends.loops.begin(), loop);
}

void run_loops(RowsKernel kernel, std::byte* to, const std::byte* from, Count numbers,
               std::span<const Loop> loops) {
  if (loops.size() == 1) return kernel(to, from, numbers, loops.front());
  const Loop& outer = loops.front();
  for (Count i = 0; i < outer.count; ++i)
    run_loops(kernel, to + i * outer.to_stride, from + i * outer.from_stride, numbers, loops.subspan(1));
}

}  // namespace

std::vector<Addends> addends_of(const Numbers& numbers, const FieldView& field, const FieldView::Part& part,
                                std::span<const std::size_t> order, Count from) {
  std::vector<Addends> all;
  auto* const first = static_cast<std::byte*>(field.at(part.first));
  for (const NumberRun& run : numbers.runs) {
    const Count bytes = bytes_of(run.type);
    Addends addends{run.type, first + run.offset, from, run.count, {}};
    Count pitch = field.element().size();
    for (std::size_t i = order.size(); i-- > 0;) {
      const Count count = part.count[order[i]];
      enclose(addends, addends.numbers * bytes, {count, field.strides()[order[i]], pitch});
      pitch *= count;
    }
    if (addends.loops.empty()) addends.loops.push_back({1, 0, 0});
    if (is_complex(run.type)) addends.numbers *= 2;
    from += run.count * bytes;
    all.push_back(std::move(addends));
  }
  return all;
}

void accumulate(const Addends& addends, const std::byte* arrived, Accumulate how) {
  run_loops(kernel_of(addends.type, how), addends.to, arrived + addends.from, addends.numbers, addends.loops);
}

}  // namespace halocline::halo
