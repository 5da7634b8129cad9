// Random layouts of every kind. What the tests of packing do not make here, nobody tests: zero extents and
// zero strides, strides backwards and far away, and more irregular runs than are written out one by one.
#pragma once

#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <optional>
#include <random>

namespace halocline {

/// A stream of layouts, with negative strides, empty parts and bounds of all sorts.
class RandomLayouts {
 public:
  explicit RandomLayouts(std::uint64_t seed) : random_(seed) {}

  /// What next() makes, but one in so many is of many runs, and as many are of long ones.
  Layout next_of_any_length(int levels, Count one_in = 64) {
    switch (between(1, one_in)) {
      case 1:
        return next_long();
      case 2:
        return next_wide();
      default:
        return next(levels);
    }
  }

  /// At most so many constructors on top of each other, a few thousand bytes of data within some hundred
  /// thousand bytes.
  Layout next(int levels) {
    if (levels == 0)
      return Layout::named(
          static_cast<Elementary>(between(0, static_cast<Count>(elementary_types().size()) - 1)));
    Layout element = next(static_cast<int>(between(0, levels - 1)));
    if (is_large(element)) return Layout::dup(element);
    switch (between(0, 11)) {
      case 0:
        return Layout::contiguous(between(0, 4), element);
      case 1:
        return Layout::vector(between(0, 3), between(0, 3), between(-5, 5), element);
      case 2:
        return Layout::hvector(between(0, 3), between(0, 3), distance(70), element);
      case 3:
        return Layout::resized(between(-30, 30), extent(), element);
      case 4:
        return Layout::dup(element);
      case 5:
        return Layout::indexed_block(between(0, 3), list(between(0, 3), -6, 6), element);
      case 6:
        return Layout::hindexed_block(between(0, 3), list(between(0, 3), -60, 60), element);
      case 7:
        return structure(element, levels);
      case 8:
        return subarray(element);
      case 9:
        return darray(element);
      case 10: {
        const Count blocks = between(0, 3);
        return Layout::indexed(list(blocks, 0, 3), list(blocks, -6, 6), element);
      }
      default: {
        const Count blocks = between(0, 3);
        return Layout::hindexed(list(blocks, 0, 3), list(blocks, -60, 60), element);
      }
    }
  }

  /// Rows of up to 10000 bytes, whose lengths and distances are whatever they are, with something around
  /// them.
  Layout next_wide() {
    const Layout element =
        between(0, 1) == 0 ? Layout::named(Elementary::double_) : Layout::named(Elementary::byte);
    const Count most = 10'000 / element.size();
    const Count length = between(1, between(0, 2) == 0 ? most : 64);
    const Count rows = between(1, std::clamp<Count>(2 * most / length, 1, 300));
    const Count gap = between(0, 3) == 0   ? -2 * length - 1
                      : between(0, 1) == 0 ? between(0, 4)
                                           : between(0, 600);
    const Layout plane = Layout::vector(rows, length, length + gap, element);
    switch (between(0, 3)) {
      case 0:
        return Layout::hvector(between(2, 4), 1, plane.true_extent() + distance(64), plane);
      case 1:
        return Layout::structure({1, 1}, {between(-99, 99), plane.true_extent() + 999}, {plane, next(1)});
      case 2:
        return Layout::resized(between(-30, 30), extent(), plane);
      default:
        return plane;
    }
  }

  /// An irregular list, repeated until there are more runs than are unrolled (4096,
  /// compile/form/run_sequence.cpp): up to 10000 of them, a few bytes each.
  Layout next_long() {
    constexpr Count enough = 8000;  // neighbours join, and some are empty
    const Count blocks = between(0, 7) == 0 ? between(2, 64) : between(300, 2200);
    Layout all = irregular(blocks);
    const Count outer = between(0, 1) == 0 ? 1 : between(2, 3);
    all = repeated(enough / blocks / outer + 1, all);
    if (between(0, 3) == 0)
      all = Layout::structure({1, 1}, {between(-99, 99), between(-99, 99)}, {all, next(1)});
    return outer == 1 ? all : repeated(outer, all);
  }

 private:
  Count between(Count low, Count high) { return std::uniform_int_distribution<Count>(low, high)(random_); }

  static bool is_large(const Layout& layout) {
    constexpr Count far = 100'000;
    return layout.size() > 2000 || std::abs(layout.extent()) > far || layout.true_extent() > far;
  }

  /// Often within `near`, else 0, or of any size up to some thousand bytes, backwards more often than not.
  Count distance(Count near) {
    switch (between(0, 7)) {
      case 0:
        return 0;
      case 1:
      case 2:
        return (between(0, 2) == 0 ? 1 : -1) * between(1, Count{1} << between(0, 13));
      default:
        return between(-near, near);
    }
  }

  Count extent() { return between(0, 3) == 0 ? distance(16) : between(-10, 60); }

  /// Blocks of one or several lengths at displacements without a rule.
  Layout irregular(Count blocks) {
    Counts displacements(static_cast<std::size_t>(blocks)), lengths(displacements.size());
    Count at = between(-50, 50);
    for (std::size_t i = 0; i < displacements.size(); ++i) {
      displacements[i] = at;
      lengths[i] = between(0, 2);
      at += between(0, 9) == 0 ? -between(1, 40) : between(1, 9);
    }
    const Layout element = Layout::named(between(0, 1) == 0 ? Elementary::byte : Elementary::short_);
    return between(0, 2) == 0 ? Layout::indexed(lengths, displacements, element)
                              : Layout::indexed_block(1, displacements, element);
  }

  /// Copies at no distance, one over the other, side by side, apart, or backwards.
  Layout repeated(Count copies, const Layout& element) {
    const Count stride = between(0, 2) == 0   ? 0
                         : between(0, 1) == 0 ? distance(16)
                                              : (between(0, 1) == 0 ? 1 : -1) * element.true_extent();
    switch (between(0, 3)) {
      case 0:
        return Layout::hvector(copies, 1, stride, element);
      case 1:
        return Layout::contiguous(copies, Layout::resized(between(-9, 9), stride, element));
      case 2:
        return Layout::vector(copies, 1, between(-1, 1), Layout::resized(0, stride, element));
      default:
        return Layout::hindexed({copies}, {between(-99, 99)}, Layout::resized(0, stride, element));
    }
  }

  Counts list(Count length, Count low, Count high) {
    Counts values(static_cast<std::size_t>(length));
    for (Count& value : values) value = between(low, high);
    return values;
  }

  Layout::Order order() { return between(0, 1) == 0 ? Layout::Order::c : Layout::Order::fortran; }

  Layout structure(const Layout& first, int levels) {
    std::vector<Layout> members{first};
    if (between(0, 15) == 0) members.clear();
    for (Count more = between(0, 2); more > 0; --more)
      members.push_back(next(static_cast<int>(between(0, levels - 1))));
    const auto size = static_cast<Count>(members.size());
    return Layout::structure(list(size, 0, 2), list(size, -64, 64), members);
  }

  Layout subarray(const Layout& element) {
    const Counts sizes = list(between(1, 3), 1, 4);
    Counts subsizes;
    Counts starts;
    for (const Count size : sizes) {
      subsizes.push_back(between(1, size));
      starts.push_back(between(0, size - subsizes.back()));
    }
    return Layout::subarray(sizes, subsizes, starts, order(), element);
  }

  Layout darray(const Layout& element) {
    Layout::Darray array{1, 0, list(between(1, 3), 1, 5), {}, {}, {}, order()};
    for (const Count size : array.sizes) {
      const auto distribution = static_cast<Layout::Distribution>(between(0, 2));
      const Count processes = distribution == Layout::Distribution::none ? 1 : between(1, 3);
      const Count least =
          distribution == Layout::Distribution::block ? (size + processes - 1) / processes : 1;
      array.distributions.push_back(distribution);
      array.process_grid.push_back(processes);
      array.arguments.push_back(between(0, 1) == 0 ? std::nullopt : std::optional(between(least, least + 2)));
      array.processes *= processes;
    }
    array.rank = between(0, array.processes - 1);
    return Layout::darray(array, element);
  }

  std::mt19937_64 random_;
};

}  // namespace halocline
