#include "halocline/compile/copier.hpp"

#include "../expect_error.hpp"
#include "trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace halocline::compile {
namespace {

using Bytes = std::vector<std::byte>;

/// `bytes` of data in random layouts: a list of pieces in some order, with gaps.
Layout scattered(Count bytes, std::mt19937_64& random) {
  Counts lengths;
  for (Count left = bytes; left > 0;) {
    lengths.push_back(std::min<Count>(left, 1 + static_cast<Count>(random() % 700)));
    left -= lengths.back();
  }
  Counts offsets;
  Count at = 0;
  for (const Count length : lengths) {
    at += static_cast<Count>(random() % 40);
    offsets.push_back(at);
    at += length;
  }
  return Layout::hindexed(lengths, offsets, Layout::named(Elementary::byte));
}

/// Some number of parts, in any order; no two touch the same byte.
void expect_parts(const Copier& copier, const Bytes& source, const Bytes& before, const Bytes& expected,
                  std::mt19937_64& random) {
  const int parts = 1 + static_cast<int>(random() % 9);
  Bytes by_parts = before;
  std::vector<int> order(static_cast<std::size_t>(parts));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Count touched = 0;
  for (const int part : order) {
    Bytes alone(before.size(), std::byte{0}), other(before.size(), std::byte{0xFF});
    copier.copy_part(source.data(), alone.data(), part, parts);
    copier.copy_part(source.data(), other.data(), part, parts);
    for (std::size_t i = 0; i < alone.size(); ++i) touched += alone[i] == other[i] ? 1 : 0;
    copier.copy_part(source.data(), by_parts.data(), part, parts);
  }
  ASSERT_EQ(by_parts, expected) << parts << " parts";
  ASSERT_EQ(touched, copier.bytes()) << parts << " parts, of which some touch what others do";
}

TEST(Copier, is_a_pack_and_an_unpack) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 90; ++i) {
    const Count bytes = static_cast<Count>(random() % 20000);
    // Every third side is contiguous.
    const auto side = [&](int third) {
      return Packer(
          {third == 0 ? Layout::contiguous(bytes, Layout::named(Elementary::byte)) : scattered(bytes, random),
           1, static_cast<Count>(random() % 9)});
    };
    const Packer from = side(i % 3);
    const Packer to = side(i / 3 % 3);
    Bytes source(50000);
    for (std::byte& b : source) b = static_cast<std::byte>(random());
    Bytes expected(50000);
    for (std::byte& b : expected) b = static_cast<std::byte>(random());
    Bytes actual = expected;
    Bytes wire(static_cast<std::size_t>(bytes));
    from.pack(source.data(), wire.data());
    to.unpack(wire.data(), expected.data());
    const Bytes before = actual;
    const Copier copier(from, to);
    copier.copy(source.data(), actual.data());
    ASSERT_EQ(actual, expected) << bytes << " bytes, case " << i;
    expect_parts(copier, source, before, expected, random);
  }
}

TEST(Copier, copies_faces_to_margins_directly) {
  std::mt19937_64 random(6);
  int sliced = 0;
  for (int i = 0; i < 200; ++i) {
    // The same loops at different distances, one or two terms.
    const Count block = 1 + static_cast<Count>(random() % 40);
    const Counts counts{1 + static_cast<Count>(random() % 5), 1 + static_cast<Count>(random() % 5),
                        1 + static_cast<Count>(random() % 9)};
    const auto side = [&](Count gap) {
      Layout layout = Layout::contiguous(block, Layout::named(Elementary::byte));
      Count hole = gap;  // grows outwards: equal ones would be a single loop
      for (const Count count : counts)
        layout = Layout::hvector(count, 1, layout.true_extent() + hole++, layout);
      std::vector<Part> parts{{layout, 1, gap}};
      if (i % 3 == 0) parts.push_back({Layout::parse("vector(9,3,4,short)"), 1, 60000 + gap});
      if (i % 3 == 1) parts.push_back({layout, 1, 30000 + gap});
      return Packer(parts);
    };
    const Packer from = side(1 + static_cast<Count>(random() % 7));
    const Packer to = side(1 + static_cast<Count>(random() % 7));
    Bytes source(70000);
    for (std::byte& b : source) b = static_cast<std::byte>(random());
    Bytes expected(70000);
    Bytes actual(70000);
    Bytes wire(static_cast<std::size_t>(from.bytes()));
    from.pack(source.data(), wire.data());
    to.unpack(wire.data(), expected.data());
    const Copier copier(from, to);
    copier.copy(source.data(), actual.data());
    ASSERT_EQ(actual, expected) << "case " << i;
    expect_parts(copier, source, Bytes(70000), expected, random);
    if (copier.slices() == 1) continue;
    ++sliced;
    Bytes by_slices(70000);
    for (Count slice = copier.slices(); slice-- > 0;)  // in any order
      copier.copy_slice(source.data(), by_slices.data(), slice);
    ASSERT_EQ(by_slices, expected) << "case " << i;
  }
  EXPECT_GT(sliced, 20);
}

TEST(Copier, refuses_streams_of_different_length) {
  const Packer eight({Layout::parse("double")});
  const Packer twelve({Layout::parse("contiguous(3,int)")});
  expect_error(
      Fault::invalid_argument, [&] { Copier copier(eight, twelve); }, "8", "12");
}

}  // namespace
}  // namespace halocline::compile
