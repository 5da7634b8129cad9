#include "random_cases.hpp"

#include "base/numbers.hpp"
#include "halocline/describe/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace halocline::bench {
namespace {

constexpr Count longest_row = 300, least_bytes = 100, most_bytes = Count{1} << 23;
constexpr Count most_of_list = 200;  // a compiler takes long over lists

struct Named {
  std::string name;
  Layout layout;
};

class RandomCases {
 public:
  explicit RandomCases(std::uint64_t seed) : random_(seed) {}

  PackCase next() {
    const auto log = std::uniform_real_distribution<double>(std::log(to_double(least_bytes)),
                                                            std::log(to_double(most_bytes)))(random_);
    const auto bytes = static_cast<Count>(std::exp(log));
    Named made = of_kind(between(0, 5), bytes);
    const Count offset = one_in(2) ? 0 : between(0, 15);
    const compile::Part part{made.layout, 1, offset - made.layout.true_lb()};
    const Count end = offset + made.layout.true_ub() - made.layout.true_lb();
    if (offset > 0) made.name += fmt::format(" at {}", offset);
    return {std::move(made.name), {part}, end, {}, {}};
  }

 private:
  Count between(Count least, Count most) {
    return std::uniform_int_distribution<Count>(least, most)(random_);
  }
  bool one_in(Count many) { return between(1, many) == 1; }

  Named of_kind(Count kind, Count bytes) {
    switch (kind) {
      case 0:
        return rows(bytes, 1);
      case 1:
        return rows(bytes, static_cast<int>(between(2, 3)));
      case 2:
        return box(bytes);
      case 3:
        return structures(bytes);
      case 4:
        return blocks(bytes);
      default:
        return runs(bytes);
    }
  }

  /// A length of any remainder, or a multiple of words.
  Count length() {
    constexpr std::array<Count, 6> units{1, 1, 2, 4, 8, 16};
    const Count unit = units[static_cast<std::size_t>(between(0, 5))];
    return unit * between(1, longest_row / unit);
  }

  /// Rows under so many loops, the innermost first; about as many iterations in each.
  Named rows(Count bytes, int loops) {
    const Count row = length(), unit = row % 8 == 0 && !one_in(4) ? 8 : 1;
    Layout all = Layout::contiguous(row, Layout::named(Elementary::byte));
    std::string name = fmt::format("rows of {} B", row);
    Count left = std::max<Count>(bytes / row, 1);
    for (int loop = loops; loop > 0; --loop) {
      Count count = left;
      if (loop > 1)
        count = std::clamp<Count>(
            static_cast<Count>(std::pow(to_double(left), 1.0 / loop) * to_double(between(5, 20)) / 10), 1,
            left);
      left = std::max<Count>(left / count, 1);
      const Count stride = all.true_extent() + unit * between(loop == loops ? 1 : 0, one_in(3) ? 200 : 20);
      const bool backwards = one_in(8);
      name += fmt::format(", {} by {}{}", count, backwards ? "-" : "", stride);
      all = Layout::hvector(count, 1, backwards ? -stride : stride, all);
    }
    return {name, all};
  }

  Layout element() {
    constexpr std::array all{Elementary::byte,   Elementary::short_,  Elementary::int_,
                             Elementary::float_, Elementary::double_, Elementary::double_};
    return Layout::named(all[static_cast<std::size_t>(between(0, 5))]);
  }

  /// A box inside of an array of two or three dimensions.
  Named box(Count bytes) {
    const Layout of = element();
    const bool fortran = one_in(2);
    const auto dims = static_cast<std::size_t>(between(2, 3));
    Counts sizes, part, starts;
    Count left = std::max<Count>(bytes / of.size(), 1);
    std::string name = fortran ? "box of Fortran" : "box of C";
    name += fmt::format(", {} B", of.size());
    for (std::size_t d = 0; d < dims; ++d) {
      const Count most = std::min<Count>(left, 300);
      part.push_back(one_in(4) ? between(1, std::min<Count>(most, 3)) : between(1, most));
      left = std::max<Count>(left / part.back(), 1);
      const Count margin = between(0, 6);
      starts.push_back(between(0, margin));
      sizes.push_back(part.back() + margin);
      name += fmt::format(", {} of {}", part.back(), sizes.back());
    }
    return {name,
            Layout::subarray(sizes, part, starts, fortran ? Layout::Order::fortran : Layout::Order::c, of)};
  }

  Named structures(Count bytes) {
    Counts lengths, offsets;
    std::vector<Layout> members;
    Count place = 0, own = 0;
    const Count unit = one_in(2) ? 1 : 4;
    for (Count left = between(1, 4); left > 0; --left) {
      const Layout of = element();
      lengths.push_back(between(1, one_in(3) ? 40 : 4));
      offsets.push_back(place);
      members.push_back(of);
      own += lengths.back() * of.size();
      place += lengths.back() * of.size() + unit * between(0, 6);
      place = (place + unit - 1) / unit * unit;
    }
    const Count extent = place + unit * between(0, 4), count = std::max<Count>(bytes / own, 1);
    return {
        fmt::format("{} structures of {} parts, {} of {} B", count, members.size(), own, extent),
        Layout::contiguous(count, Layout::resized(0, extent, Layout::structure(lengths, offsets, members)))};
  }

  Named blocks(Count bytes) {
    const Layout of = element();
    const Count block = one_in(2) ? between(1, 4) : between(1, 40);
    const Count count = std::clamp<Count>(bytes / (block * of.size()), 1, most_of_list);
    Counts places;
    for (Count i = 0, place = 0; i < count; ++i, place += block + between(0, 8)) places.push_back(place);
    const bool shuffled = one_in(2);
    if (shuffled) std::shuffle(places.begin(), places.end(), random_);
    return {fmt::format("{} blocks of {} x {} B{}", count, block, of.size(), shuffled ? ", unsorted" : ""),
            Layout::indexed_block(block, places, of)};
  }

  Named runs(Count bytes) {
    const Layout of = element();
    const Count longest = std::max<Count>((one_in(2) ? 30 : longest_row) / of.size(), 1);
    const Count count = std::clamp<Count>(2 * bytes / (longest * of.size()), 1, most_of_list);
    Counts lengths, places;
    for (Count i = 0, place = 0; i < count; ++i, place += lengths.back() + between(1, 20)) {
      lengths.push_back(between(1, longest));
      places.push_back(place);
    }
    return {fmt::format("{} runs of 1 to {} x {} B", count, longest, of.size()),
            Layout::indexed(lengths, places, of)};
  }

  std::mt19937_64 random_;
};

}  // namespace

std::vector<PackCase> random_cases(int count, std::uint64_t seed) {
  RandomCases random(seed);
  std::vector<PackCase> cases;
  for (int i = 0; i < count; ++i) cases.push_back(random.next());
  return cases;
}

}  // namespace halocline::bench
