// Moves and tiles against a packer: every byte where it belongs, and none anywhere else.
#include "accelerate/moves.hpp"

#include "accelerate/host_kernels.hpp"
#include "compile/trees.hpp"
#include "halocline/compile/packer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace halocline::accelerate {
namespace {

using compile::Canonical;
using compile::Packer;
using compile::Part;
using Bytes = std::vector<std::byte>;

Count address(const Bytes& bytes) {
  return static_cast<Count>(reinterpret_cast<std::intptr_t>(bytes.data()));
}

Bytes random_bytes(std::size_t count, std::mt19937_64& random) {
  Bytes bytes(count);
  for (std::size_t i = 0; i + 8 <= count; i += 8) {
    const std::uint64_t eight = random();
    std::memcpy(bytes.data() + i, &eight, 8);
  }
  return bytes;
}

void run(const std::vector<Move>& moves) {
  for (const Tile& tile : tiles_of(moves)) run_tile(tile);
}

Part at(const Part& part, Count base) { return {part.layout, part.count, part.offset + base}; }

/// Copies by both, which have to be the same.
void expect_same(const Part& from, const Part& to, std::size_t memory, std::mt19937_64& random) {
  const Bytes source = random_bytes(memory, random);
  Bytes expected = random_bytes(memory, random), actual = expected;
  Bytes wire(static_cast<std::size_t>(Packer(from).bytes()));
  Packer(from).pack(source.data(), wire.data());
  Packer(to).unpack(wire.data(), expected.data());
  run(moves_between(Canonical(at(from, address(source))), Canonical(at(to, address(actual)))));
  ASSERT_EQ(actual, expected);

  Bytes gathered(wire.size() + 32, std::byte{1}), as_packed = gathered;  // with guards
  std::copy(wire.begin(), wire.end(), as_packed.begin() + 16);
  run(moves_to(Canonical(at(from, address(source))), address(gathered) + 16));
  ASSERT_EQ(gathered, as_packed);

  Bytes scattered = random_bytes(memory, random), as_unpacked = scattered;
  Packer(to).unpack(wire.data(), as_unpacked.data());
  run(moves_from(address(wire), Canonical(at(to, address(scattered)))));
  ASSERT_EQ(scattered, as_unpacked);
}

Part box(const Counts& counts, Count element, Count hole, Count shift) {
  Layout layout = Layout::contiguous(element, Layout::named(Elementary::byte));
  for (const Count count : counts) layout = Layout::hvector(count, 1, layout.true_extent() + hole, layout);
  return {layout, 1, shift};
}

TEST(Moves, copy_boxes_of_every_word) {
  std::mt19937_64 random(11);
  for (const Count element : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40})
    for (const Count gap : {0, 1, 2, 4, 8, 16})
      for (int i = 0; i < 6; ++i) {
        const Counts counts{1 + static_cast<Count>(random() % 20), 1 + static_cast<Count>(random() % 6),
                            1 + static_cast<Count>(random() % 4), 1 + static_cast<Count>(random() % 2)};
        SCOPED_TRACE(testing::Message() << element << " bytes, gap " << gap << ", case " << i);
        expect_same(box(counts, element, gap, static_cast<Count>(random() % 17)),
                    box(counts, element, gap + static_cast<Count>(random() % 3) * gap,
                        static_cast<Count>(random() % 17)),
                    160000, random);
        if (HasFatalFailure()) return;
      }
}

TEST(Moves, take_the_widest_word_that_is_aligned) {
  const auto word = [](Count from, Count to, Count block) {
    return tiles_of({{from, to, block, {}}}).front().word;
  };
  EXPECT_EQ(word(4096, 8192, 64), 16u);
  EXPECT_EQ(word(4096, 8200, 64), 8u);
  EXPECT_EQ(word(4100, 8192, 64), 4u);
  EXPECT_EQ(word(4096, 8192, 6), 2u);
  EXPECT_EQ(word(4096, 8193, 64), 1u);
  EXPECT_EQ(tiles_of({{4096, 8192, 64, {{3, 72, 64}}}}).front().word, 8u);
}

TEST(Moves, of_equal_boxes_are_one) {
  const Canonical from(box({5, 6, 7}, 8, 16, 0)), to(box({5, 6, 7}, 8, 24, 0));
  EXPECT_EQ(moves_between(from, to).size(), 1u);
}

TEST(Moves, of_boxes_that_merge_on_one_side_are_one) {
  // 4 rows of 6 values that touch, into rows that do not.
  const Part dense{Layout::parse("vector(3,24,32,double)"), 1, 0};
  const Part rows{Layout::hvector(3, 1, 1000, Layout::parse("vector(4,6,9,double)")), 1, 0};
  const std::vector<Move> moves = moves_between(Canonical(dense), Canonical(rows));
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].block, 48);
  EXPECT_EQ(moves[0].bytes(), 3 * 24 * 8);
}

TEST(Moves, copy_random_layouts) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    // Runs of any size, each list of its own.
    const auto side = [&](Count bytes) {
      Counts lengths, offsets;
      Count place = 0;
      for (Count left = bytes; left > 0; left -= lengths.back()) {
        lengths.push_back(std::min<Count>(left, 1 + static_cast<Count>(random() % 90)));
        place += static_cast<Count>(random() % 20);
        offsets.push_back(place);
        place += lengths.back();
      }
      const Layout list = Layout::hindexed(lengths, offsets, Layout::named(Elementary::byte));
      return Part{Layout::hvector(1 + i % 4, 1, list.true_extent() + 8, list), 1,
                  static_cast<Count>(random() % 9)};
    };
    const Count bytes = 1 + static_cast<Count>(random() % 2000);
    expect_same(side(bytes), side(bytes), 160000, random);
    if (HasFatalFailure()) return;
  }
}

TEST(Moves, of_one_list_in_two_places_are_as_many_as_its_runs) {
  const Layout element = Layout::parse("struct([1,1,1],[0,16,30],[float,double,short])");
  const Part from{Layout::hvector(1000, 1, 48, element), 1, 0},
      to{Layout::hvector(1000, 1, 64, element), 1, 0};
  EXPECT_EQ(moves_between(Canonical(from), Canonical(to)).size(), 3u);
}

TEST(Moves, of_any_depth_are_cut_to_the_loops_of_the_kernel) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const Counts counts{2, 3, 2, 2, 3, 2, 2};
    expect_same(box(counts, 4, 4, 0), box(counts, 4, 12, 4), 160000, random);
    if (HasFatalFailure()) return;
  }
}

TEST(Tiles, are_bounded_in_number_and_cover_every_word_once) {
  for (const Count rows : {1, 1000, 1 << 20}) {
    const Move move{1 << 20, 1 << 30, 64, {{rows, 128, 64}}};
    const std::vector<Tile> tiles = tiles_of({move});
    EXPECT_LE(tiles.size(), 2049u);
    Count words = 0;
    for (const Tile& tile : tiles) {
      EXPECT_EQ(tile.first, words);
      words = tile.end;
    }
    EXPECT_EQ(words * 16, move.bytes());
  }
}

TEST(Tiles, of_more_than_31_bits_are_split) {
  constexpr Count terabyte = Count{1} << 40;
  const std::vector<Tile> tiles =
      tiles_of({{0, terabyte, 8, {{3, terabyte, terabyte}}}, {0, terabyte, Count{5} << 31, {}}});
  Count bytes = 0;
  for (const Tile& tile : tiles) bytes += Count{tile.end - tile.first} * tile.word;
  EXPECT_EQ(bytes, 24 + (Count{5} << 31));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(tiles[i].from, static_cast<unsigned long long>(terabyte) * i);
}

}  // namespace
}  // namespace halocline::accelerate
