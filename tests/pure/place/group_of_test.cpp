#include "place/cost/group_of.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline::place {
namespace {

template <class Word>
void expect_groups(const Runs& sizes, const std::vector<Rank>& ranks) {
  std::vector<Word> groups(ranks.size());
  GroupOf<Word>{sizes}(ranks, groups.data());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    ASSERT_EQ(static_cast<Count>(groups[i]), sizes.find(ranks[i]))
        << "rank " << ranks[i] << " of " << sizes.to_text();
}

/// The first and the last ranks of some groups and the ranks beside them.
std::vector<Rank> borders(const Runs& sizes) {
  std::vector<Rank> ranks;
  for (const Count group : {Count{0}, Count{1}, sizes.size() / 2, sizes.size() - 1}) {
    if (group >= sizes.size()) continue;
    const Rank first = sizes.start(group), end = first + sizes[group];
    for (const Rank rank : {first - 1, first, end - 1, end})
      if (0 <= rank && rank < sizes.total()) ranks.push_back(rank);
  }
  return ranks;
}

TEST(GroupOf, divides_exactly_up_to_16_bits) {
  constexpr Count most = std::numeric_limits<std::uint16_t>::max();
  for (Count size = 1; size <= most; ++size)
    expect_groups<std::uint16_t>(Runs::of(most / size, size), borders(Runs::of(most / size, size)));
}

TEST(GroupOf, divides_exactly_up_to_31_bits) {
  constexpr Count most = std::numeric_limits<std::int32_t>::max();
  for (Count size = 1; size < 5000; ++size)
    expect_groups<std::uint32_t>(Runs::of(most / size, size), borders(Runs::of(most / size, size)));
  for (Count size = 5000; size <= most; size += size / 3 + 1)
    for (const Count near : {size - 1, size, size + 1})
      if (near <= most)
        expect_groups<std::uint32_t>(Runs::of(most / near, near), borders(Runs::of(most / near, near)));
}

TEST(GroupOf, knows_wide_and_uneven_groups) {
  const Runs wide = Runs::of(Count{1} << 40, 3);
  expect_groups<Count>(wide, borders(wide));
  for (const char* const text : {"3,1,4,1,5,9,2,6", "40x48,20x24,17", "1,1000000,1", "3x700000,2x5,1"}) {
    const Runs sizes = Runs::parse(text);
    expect_groups<std::uint32_t>(sizes, borders(sizes));
    expect_groups<Count>(sizes, borders(sizes));
  }
}

}  // namespace
}  // namespace halocline::place
