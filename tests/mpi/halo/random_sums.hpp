// Fields of random numbers, and what owners must have once halos were accumulated: told by nothing but the
// coordinates of points and processes.
#pragma once

#include "halo/random_fields.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/halo/halo.hpp"

#include <complex>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace halocline {

/// A number somewhere in an element.
struct Component {
  Elementary type;
  Count offset;  ///< In bytes, from the address of the point.
};

/// Calls `with` with a value of the type that an elementary type stands for.
template <class With>
auto with_type(Elementary type, const With& with) {
  using E = Elementary;
  switch (type) {
    case E::int8:
      return with(std::int8_t{});
    case E::short_:
      return with(short{});
    case E::int32:
      return with(std::int32_t{});
    case E::long_:
      return with(long{});
    case E::unsigned_char:
      return with(std::uint8_t{});
    case E::uint16:
      return with(std::uint16_t{});
    case E::unsigned_:
      return with(unsigned{});
    case E::uint64:
      return with(std::uint64_t{});
    case E::float_:
      return with(float{});
    case E::double_:
      return with(double{});
    case E::long_double:
      return with(static_cast<long double>(0));
    case E::c_float_complex:
      return with(std::complex<float>{});
    default:
      return with(std::complex<double>{});
  }
}
inline const std::vector<Elementary> real_types{
    Elementary::int8,          Elementary::short_,  Elementary::int32,     Elementary::long_,
    Elementary::unsigned_char, Elementary::uint16,  Elementary::unsigned_, Elementary::uint64,
    Elementary::float_,        Elementary::double_, Elementary::double_,   Elementary::double_,
    Elementary::long_double};

template <class T>
inline constexpr bool is_complex_number = false;
template <class T>
inline constexpr bool is_complex_number<std::complex<T>> = true;

/// Numbers of very different sizes, so that another order of sums shows.
template <class T>
T number_of(std::uint64_t seed) {
  seed = (seed ^ (seed >> 31)) * 0x9e3779b97f4a7c15ULL;
  seed ^= seed >> 29;
  if constexpr (is_complex_number<T>) {
    using Real = typename T::value_type;
    return T(number_of<Real>(seed), number_of<Real>(seed + 1));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(seed);
  } else {
    if (seed % 61 == 0) return std::numeric_limits<T>::infinity();
    if (seed % 59 == 0) return -T(0);
    const auto fraction = static_cast<T>(static_cast<std::int64_t>(seed >> 8) % 1000003) / T(997);
    return std::ldexp(fraction, static_cast<int>(seed % 40));
  }
}

/// What the rules say, for one number.
template <class T>
T combined(T owner, T other, Accumulate how) {
  if (how == Accumulate::replace) return other;
  if constexpr (is_complex_number<T>) {
    return owner + other;
  } else {
    if (how == Accumulate::min) return other < owner ? other : owner;
    if (how == Accumulate::max) return owner < other ? other : owner;
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::uint64_t>(owner) + static_cast<std::uint64_t>(other));
    else
      return owner + other;
  }
}

/// All bits; of a long double those that are of the number.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, long double>)
    return std::memcmp(&a, &b, sizeof(long double) == 16 && LDBL_MANT_DIG == 64 ? 10 : sizeof a) == 0 ||
           (a != a && b != b);
  else if constexpr (std::is_floating_point_v<T>)
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
  else if constexpr (is_complex_number<T>)
    return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
  else
    return a == b;
}

/// An element of some numbers.
struct NumberElement {
  Layout layout;
  std::vector<Component> components;  ///< In the order in which they travel.
  bool complex;
};

/// Of which types, the same on all ranks: one, several of a kind, or several of several kinds.
inline std::vector<Elementary> random_types(Random& common) {
  const auto any = [&] {
    return coin(common, 6)
               ? any_of<Elementary>({Elementary::c_float_complex, Elementary::c_double_complex}, common)
               : any_of(real_types, common);
  };
  std::vector<Elementary> types(static_cast<std::size_t>(coin(common) ? 1 : random_in(common, 2, 5)), any());
  if (coin(common, 3))
    for (Elementary& type : types) type = any();
  return types;
}

inline Layout numbers_at(const std::vector<Component>& components, Random& random) {
  const bool alike = std::all_of(components.begin(), components.end(), [&](const Component& component) {
    return component.type == components.front().type;
  });
  Counts ones(components.size(), 1), places;
  std::vector<Layout> types;
  for (const Component& component : components) {
    places.push_back(component.offset);
    types.push_back(Layout::named(component.type));
  }
  if (alike && coin(random)) return Layout::hindexed(ones, places, types.front());
  return Layout::structure(ones, places, types);
}

/// The numbers in any order in memory, with gaps or without; perhaps all of them twice.
inline NumberElement random_numbers(const std::vector<Elementary>& types, bool twice, Random& random) {
  const bool dense = coin(random);
  std::vector<std::size_t> in_memory(types.size());
  std::iota(in_memory.begin(), in_memory.end(), std::size_t{0});
  if (!dense) std::shuffle(in_memory.begin(), in_memory.end(), random);
  NumberElement element{Layout::named(Elementary::byte), std::vector<Component>(types.size()), false};
  Count end = dense ? 0 : random_in(random, 0, 5);
  for (const std::size_t i : in_memory) {
    element.components[i] = {types[i], end};
    end += traits(types[i]).segments().front().bytes +
           (dense ? 0 : random_in(random, 0, 1) * random_in(random, 0, 7));
    element.complex = element.complex || types[i] == Elementary::c_float_complex ||
                      types[i] == Elementary::c_double_complex;
  }
  if (types.size() == 1 && dense) {
    element.layout = Layout::named(types.front());
  } else {
    element.layout = Layout::resized(0, end, numbers_at(element.components, random));
  }
  if (twice) {
    const Count again = end + (dense ? 0 : random_in(random, 0, 3));
    const std::size_t before = types.size();
    for (std::size_t i = 0; i < before; ++i)
      element.components.push_back({types[i], element.components[i].offset + again});
    element.layout = coin(random) && again == end ? Layout::vector(1, 2, 2, element.layout)
                                                  : Layout::hvector(2, 1, again, element.layout);
  }
  return element;
}

/// One field of this process, and what must be in it.
class SummedField {
 public:
  SummedField(std::byte* origin, Counts strides, Counts extents, HaloWidths halo, NumberElement element,
              std::uint64_t number, Staggered staggered = {})
      : origin_(origin),
        strides_(std::move(strides)),
        extents_(std::move(extents)),
        halo_(std::move(halo)),
        element_(std::move(element)),
        number_(number),
        staggered_(std::move(staggered)) {}

  void fill(const Decomposition& decomposition, const Cell& cell, std::uint64_t time) const {
    for_each_point(extents_, halo_, [&](const Cell& point) {
      const std::uint64_t seed = seed_of(decomposition, cell, point, time);
      each_number(point, [&](auto* number, std::size_t component) {
        const auto value = number_of<std::remove_pointer_t<decltype(number)>>(seed + component);
        std::memcpy(static_cast<void*>(number), &value, sizeof value);
      });
    });
  }

  /// Numbers that are not what they must be; before halos were accumulated if there are no directions.
  [[nodiscard]] Count wrong(const Decomposition& decomposition, const Cell& cell, const Stencil* directions,
                            Accumulate how, std::uint64_t time) const {
    Count wrong = 0;
    std::vector<std::uint64_t> ghosts;  // by their seeds
    const Counts own = owned_points(decomposition, cell, staggered_);
    const Counts cells = decomposition.box(cell).extents;
    for_each_point(extents_, halo_, [&](const Cell& point) {
      const std::uint64_t seed = seed_of(decomposition, cell, point, time);
      ghosts.clear();
      if (directions != nullptr && side_of(point, own) == Offset(point.size(), 0))
        for (const Offset& direction : directions->offsets())
          if (may_be_seen(point, direction, cells))
            if (const auto ghost = ghost_of(decomposition, cell, point, direction))
              ghosts.push_back(seed_of(decomposition, ghost->cell, ghost->point, time));
      each_number(point, [&](auto* number, std::size_t component) {
        using T = std::remove_pointer_t<decltype(number)>;
        T value;
        std::memcpy(static_cast<void*>(&value), number, sizeof value);
        T expected = number_of<T>(seed + component);
        for (const std::uint64_t ghost : ghosts)
          expected = combined(expected, number_of<T>(ghost + component), how);
        wrong += !same_bits(value, expected);
      });
    });
    return wrong;
  }

  /// Bytes of its array that are no numbers and have been touched.
  [[nodiscard]] Count touched(const std::vector<std::byte>& memory) const {
    std::vector<char> data(memory.size());
    for_each_point(extents_, halo_, [&](const Cell& point) {
      each_number(point, [&](auto* number, std::size_t /*component*/) {
        const auto place = reinterpret_cast<std::byte*>(number) - memory.data();
        std::fill_n(data.begin() + place, sizeof *number, 1);
      });
    });
    Count touched = 0;
    for (std::size_t i = 0; i < memory.size(); ++i)
      touched += data[i] == 0 && memory[i] != RandomArray::guard;
    return touched;
  }

  [[nodiscard]] const NumberElement& element() const { return element_; }

 private:
  struct Ghost {
    Cell cell, point;
  };
  /// Is a point near enough to those sides?
  [[nodiscard]] bool may_be_seen(const Cell& point, const Offset& direction, const Counts& cells) const {
    for (std::size_t d = 0; d < point.size(); ++d)
      if ((direction[d] > 0 && point[d] >= halo_.high[d] + (is_staggered(staggered_, d) ? 1 : 0)) ||
          (direction[d] < 0 && point[d] - cells[d] < -halo_.low[d]))
        return false;
    return true;
  }
  /// The process that has such a point in its part of the halo in a direction, and the point as it counts it.
  [[nodiscard]] std::optional<Ghost> ghost_of(const Decomposition& decomposition, const Cell& cell,
                                              Cell point, const Offset& direction) const {
    Offset back;
    for (const Count step : direction) back.push_back(-step);
    const auto other = decomposition.grid().neighbor(cell, back);
    if (!other) return std::nullopt;
    for (std::size_t d = 0; d < point.size(); ++d) {
      if (direction[d] > 0) point[d] += decomposition.extent(d, (*other)[d]);
      if (direction[d] < 0) point[d] -= decomposition.extent(d, cell[d]);
    }
    return Ghost{*other, point};
  }

  /// Of the numbers that a process has at a point at first.
  [[nodiscard]] std::uint64_t seed_of(const Decomposition& decomposition, const Cell& cell, const Cell& point,
                                      std::uint64_t time) const {
    auto seed = static_cast<std::uint64_t>(decomposition.grid().index(cell)) * 31 + number_;
    for (const Count c : point) seed = (seed + static_cast<std::uint64_t>(c) + 77) * 0xbf58476d1ce4e5b9ULL;
    return seed * 1009 + time * 0x94d049bb133111ebULL;
  }

  template <class Visit>
  void each_number(const Cell& point, const Visit& visit) const {
    std::byte* address = origin_;
    for (std::size_t d = 0; d < point.size(); ++d) address += point[d] * strides_[d];
    for (std::size_t i = 0; i < element_.components.size(); ++i)
      with_type(element_.components[i].type, [&](auto zero) {
        visit(reinterpret_cast<decltype(zero)*>(address + element_.components[i].offset), i);
      });
  }

  std::byte* origin_;
  Counts strides_, extents_;
  HaloWidths halo_;
  NumberElement element_;
  std::uint64_t number_;
  Staggered staggered_;
};

}  // namespace halocline
