#pragma once

#include "halocline/describe/layout.hpp"

#include <optional>
#include <random>

namespace halocline {

/// A stream of layouts of every kind, with negative strides, empty parts and bounds of all sorts.
class RandomLayouts {
 public:
  explicit RandomLayouts(std::uint64_t seed) : random_(seed) {}

  /// At most so many constructors on top of each other, and a few thousand bytes of data.
  Layout next(int levels) {
    if (levels == 0)
      return Layout::named(
          static_cast<Elementary>(between(0, static_cast<Count>(elementary_types().size()) - 1)));
    Layout element = next(static_cast<int>(between(0, levels - 1)));
    if (element.size() > 2000) return Layout::dup(element);
    switch (between(0, 11)) {
      case 0:
        return Layout::contiguous(between(0, 4), element);
      case 1:
        return Layout::vector(between(0, 3), between(0, 3), between(-5, 5), element);
      case 2:
        return Layout::hvector(between(0, 3), between(0, 3), between(-70, 70), element);
      case 3:
        return Layout::resized(between(-30, 30), between(-10, 60), element);
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

 private:
  Count between(Count low, Count high) { return std::uniform_int_distribution<Count>(low, high)(random_); }

  Counts list(Count length, Count low, Count high) {
    Counts values(static_cast<std::size_t>(length));
    for (Count& value : values) value = between(low, high);
    return values;
  }

  Layout::Order order() { return between(0, 1) == 0 ? Layout::Order::c : Layout::Order::fortran; }

  Layout structure(const Layout& first, int levels) {
    std::vector<Layout> members{first};
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
