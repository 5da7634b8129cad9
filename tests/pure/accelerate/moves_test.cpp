// Moves and tiles against a packer: every byte where it belongs, and none anywhere else.
#include "accelerate/kernel/moves.hpp"

#include "accelerate/host/host_kernels.hpp"
#include "compile/trees.hpp"
#include "halocline/compile/packer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

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
  const TileTable table = tiles_of(moves);
  std::vector<std::uint64_t> written(static_cast<std::size_t>(table.bytes()) / 8);
  table.write(reinterpret_cast<std::byte*>(written.data()));
  for (unsigned i = 0; i < table.tiles.size(); ++i)
    run_tile(reinterpret_cast<const Tile*>(written.data()), i);
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
    return tiles_of({{from, to, block, {}}}).tiles.front().word;
  };
  EXPECT_EQ(word(4096, 8192, 64), 16u);
  EXPECT_EQ(word(4096, 8200, 64), 8u);
  EXPECT_EQ(word(4100, 8192, 64), 4u);
  EXPECT_EQ(word(4096, 8192, 6), 2u);
  EXPECT_EQ(word(4097, 8193, 7), 1u);
  EXPECT_EQ(word(4098, 8194, 14), 2u);
  EXPECT_EQ(tiles_of({{4096, 8192, 64, {{3, 72, 64}}}}).tiles.front().word, 8u);
}

TEST(Moves, have_bytes_where_one_memory_is_not_aligned_to_words) {
  const auto tile = [](Count from, Count to, Count block) {
    return tiles_of({{from, to, block, {}}}).tiles.front();
  };
  const Tile to_bytes = tile(4096, 8193, 56), from_bytes = tile(4097, 8196, 60), odd = tile(4097, 8193, 6);
  EXPECT_EQ(to_bytes.word, 8);
  EXPECT_EQ(to_bytes.from_unit, 8);
  EXPECT_EQ(to_bytes.to_unit, 1);
  EXPECT_EQ(from_bytes.word, 4);
  EXPECT_EQ(from_bytes.from_unit, 1);
  EXPECT_EQ(from_bytes.to_unit, 4);
  EXPECT_EQ(odd.word, 1);
}

/// By the kernel and byte by byte, into memory between guards. What is read ends with the last byte of the
/// rows, so that sanitizers see who reads further.
void expect_copied(Count block, const std::vector<Move::Loop>& loops, Count from_shift, Count to_shift) {
  const auto span = [&](Count Move::Loop::*stride, bool forwards) {
    Count all = 0;
    for (const Move::Loop& loop : loops)
      if ((loop.*stride > 0) == forwards) all += (loop.count - 1) * loop.*stride;
    return all;
  };
  const Count from_first = from_shift - span(&Move::Loop::from_stride, false),
              to_first = 16 + to_shift - span(&Move::Loop::to_stride, false);
  std::mt19937_64 random(static_cast<std::uint64_t>(block + from_shift));
  const Bytes source = random_bytes(
      static_cast<std::size_t>(from_first + span(&Move::Loop::from_stride, true) + block), random);
  Bytes expected = random_bytes(
            static_cast<std::size_t>(to_first + span(&Move::Loop::to_stride, true) + block + 16), random),
        actual = expected;
  const auto copy = [&](Count from, Count to) {
    std::copy_n(source.begin() + from, block, expected.begin() + to);
  };
  Counts index(loops.size(), 0);
  for (bool more = true; more;) {
    Count from = from_first, to = to_first;
    for (std::size_t i = 0; i < loops.size(); ++i)
      from += index[i] * loops[i].from_stride, to += index[i] * loops[i].to_stride;
    copy(from, to);
    more = false;
    for (std::size_t i = 0; i < loops.size() && !more; ++i) {
      more = ++index[i] < loops[i].count;
      if (!more) index[i] = 0;
    }
  }
  run({{address(source) + from_first, address(actual) + to_first, block, loops}});
  ASSERT_EQ(actual, expected);
}

TEST(Moves, copy_ragged_rows_that_lie_anywhere) {
  std::mt19937_64 random(16);
  Counts blocks{50, 63, 64, 65, 101, 255, 1001};
  for (Count block = 1; block <= 33; ++block) blocks.push_back(block);
  for (const Count block : blocks)
    for (Count from_shift = 0; from_shift < 8; ++from_shift)
      for (Count to_shift = 0; to_shift < 8; ++to_shift) {
        const auto stride = [&](Count of) {
          const Count forwards = of + static_cast<Count>(random() % 12);
          return random() % 4 == 0 ? -forwards : forwards;
        };
        const Count first = 1 + static_cast<Count>(random() % 5),
                    second = 1 + static_cast<Count>(random() % 3);
        const Count from_stride = stride(block), to_stride = stride(block);
        std::vector<Move::Loop> loops{{first, from_stride, to_stride}};
        if (second > 1)
          loops.push_back(
              {second, stride(first * std::abs(from_stride)), stride(first * std::abs(to_stride))});
        SCOPED_TRACE(testing::Message() << block << " bytes from " << from_shift << " to " << to_shift);
        expect_copied(block, loops, from_shift, to_shift);
        if (HasFatalFailure()) return;
      }
}

TEST(Moves, copy_long_ragged_rows) {
  for (const Count block : {40001, 40008})
    for (const Count to_shift : {0, 3, 5}) {
      expect_copied(block, {{3, block + 1, block + 5}}, 1, to_shift);
      if (HasFatalFailure()) return;
    }
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

TEST(Moves, copy_many_short_runs) {
  std::mt19937_64 random(15);
  for (const Count unit : {1, 2, 4, 8, 16})
    for (int i = 0; i < 8; ++i) {
      SCOPED_TRACE(testing::Message() << "runs of multiples of " << unit << " bytes, case " << i);
      const auto side = [&](Count runs) {
        Counts lengths, offsets;
        Count place = 0;
        for (Count run = 0; run < runs; ++run) {
          place += unit * static_cast<Count>(random() % 5);
          lengths.push_back(unit * (1 + (i % 2) * static_cast<Count>(random() % 3)));
          offsets.push_back(place);
          place += lengths.back();
        }
        std::vector<std::size_t> order(offsets.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (i >= 4) std::shuffle(order.begin(), order.end(), random);
        Counts shuffled_lengths, shuffled_offsets;
        for (const std::size_t at : order)
          shuffled_lengths.push_back(lengths[at]), shuffled_offsets.push_back(offsets[at]);
        return Part{Layout::hindexed(shuffled_lengths, shuffled_offsets, Layout::named(Elementary::byte)), 1,
                    unit * static_cast<Count>(random() % 9)};
      };
      const Part part = side(100 + static_cast<Count>(random() % 900));
      // As many bytes on both sides: the same list elsewhere.
      expect_same(part, {part.layout, 1, part.offset + unit * 3}, 160000, random);
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
    const std::vector<Tile> tiles = tiles_of({move}).tiles;
    EXPECT_LE(tiles.size(), 2049u);
    Count words = 0;
    for (const Tile& tile : tiles) {
      EXPECT_EQ(tile.first, words);
      words = tile.end;
    }
    EXPECT_EQ(words * 16, move.bytes());
  }
}

/// As the kernel does it.
Count quotient(Count number, const TileDivisor& by) {
  const auto n = static_cast<unsigned>(number);
  const auto high = static_cast<unsigned>((std::uint64_t{n} * by.multiplier) >> 32u);
  return (high + n) >> by.shift;
}

TEST(Tiles, divide_all_numbers_of_31_bits_exactly) {
  constexpr Count most = std::numeric_limits<std::int32_t>::max();
  std::mt19937_64 random(14);
  for (int i = 0; i < 20000; ++i) {
    const Count value =
        i < 600 ? i + 1 : std::max(Count{1}, static_cast<Count>(random() >> (33 + random() % 30)));
    const TileDivisor by = tiles_of({{16, 16, 16 * value, {}}}).tiles.front().row;
    ASSERT_EQ(by.value, static_cast<unsigned>(value));
    const Count multiple = most / value * value;
    for (const Count number :
         {Count{0}, value - 1, value, multiple - 1, multiple, most, static_cast<Count>(random() >> 33u)})
      ASSERT_EQ(quotient(number, by), number / value) << number << " / " << value;
  }
}

TEST(Tiles, of_a_long_block_lie_side_by_side) {
  for (const Count block : {(Count{5} << 31) + 7, (Count{37} << 31) + 16}) {
    Count from = 4096, to = Count{1} << 50;
    const Count distance = to - from, end = from + block;
    for (const Tile& tile : tiles_of({{from, to, block, {}}}).tiles) {
      ASSERT_EQ(static_cast<Count>(tile.from) + Count{tile.first} * tile.word, from);
      ASSERT_EQ(static_cast<Count>(tile.to - tile.from), distance);
      const bool is_last =
          tile.end == tile.row.value;  // words of which may lie behind the end of a ragged row
      from = static_cast<Count>(tile.from) +
             (is_last && tile.ragged != 0 ? Count{tile.ragged} : Count{tile.end} * tile.word);
      to = from + distance;
    }
    EXPECT_EQ(from, end);
  }
}

TEST(Tiles, of_far_strides_begin_where_their_rows_do) {
  constexpr Count far = Count{1} << 40;
  for (const auto& [from_stride, to_stride] :
       {std::pair{far, Count{64}}, {Count{64}, far}, {-far, far}, {far, -far}}) {
    const std::vector<Tile> tiles = tiles_of({{far * 8, far * 16, 16, {{5, from_stride, to_stride}}}}).tiles;
    ASSERT_EQ(tiles.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(static_cast<Count>(tiles[i].from), far * 8 + static_cast<Count>(i) * from_stride);
      EXPECT_EQ(static_cast<Count>(tiles[i].to), far * 16 + static_cast<Count>(i) * to_stride);
    }
  }
}

TEST(Tiles, of_rows_that_lie_anywhere_have_parts_of_words) {
  const Tile tile = tiles_of({{4097, 8193, 101, {{20, 128, 101}}}}).tiles.front();
  EXPECT_EQ(tile.ragged, 101u);
  EXPECT_EQ(tile.word, 8);
  EXPECT_EQ(tile.from_unit, 1);
  EXPECT_EQ(tile.to_unit, 1);
  EXPECT_EQ(tile.row.value, 14u);  // 7 + 101 bytes
  EXPECT_EQ(tile.end, 20u * 14u);
  const auto ragged = [](Count from, Count to, Count block) {
    return tiles_of({{from, to, block, {}}}).tiles.front().ragged;
  };
  EXPECT_EQ(ragged(4097, 8193, 8), 8u);
  EXPECT_EQ(ragged(4097, 8193, 7), 0u);
  EXPECT_EQ(ragged(4098, 8194, 16), 16u);
  EXPECT_EQ(ragged(4098, 8194, 14), 0u);
  EXPECT_EQ(ragged(4096, 8193, 56), 0u);  // one of them is aligned
  EXPECT_EQ(ragged(4096, 8193, 64), 64u);
  EXPECT_EQ(ragged(4096, 8192, 101), 101u);
}

TEST(Tiles, of_ragged_rows_read_nothing_outside_of_all_rows) {
  const auto last_row = [](const std::vector<Move>& moves) { return tiles_of(moves).tiles.front().last_row; };
  EXPECT_EQ(last_row({{1, 1, 101, {{20, 128, 101}}}}), 19u);
  EXPECT_EQ(last_row({{1, 1, 101, {{20, 128, 101}, {3, 4000, 4000}}}}), 59u);
  EXPECT_EQ(last_row({{1, 1, 101, {{20, 8, 101}}}}), 19u);
  EXPECT_EQ(last_row({{1, 1, 101, {{20, 7, 101}}}}), 0u);
  EXPECT_EQ(last_row({{9999, 1, 101, {{20, -128, 101}}}}), 0u);
  EXPECT_EQ(last_row({{9999, 1, 101, {{20, 128, 101}, {3, -3000, 4000}}}}), 0u);
  EXPECT_EQ(last_row({{1, 1, 101, {}}}), 0u);
  std::vector<Move> list;
  for (Count i = 0; i < 100; ++i) list.push_back({i * 200 + 1, i * 101 + 1, 101, {}});
  EXPECT_EQ(last_row(list), 0u);
}

/// Blocks of one size, here and there.
std::vector<Move> scattered(Count count, Count block, Count gap) {
  std::vector<Move> moves;
  for (Count i = 0; i < count; ++i)
    moves.push_back({(Count{1} << 40) + (i * 7 % count) * gap, 4096 + i * block, block, {}});
  return moves;
}

TEST(Tiles, of_many_short_moves_are_few_and_a_list) {
  const TileTable table = tiles_of(scattered(10000, 24, 40));
  EXPECT_EQ(table.tiles.size(), 30u);  // of 1024 words
  EXPECT_EQ(table.places.size(), 10000u);
  for (const Tile& tile : table.tiles)
    EXPECT_EQ(tile.list * sizeof(TilePlace), table.tiles.size() * sizeof(Tile));
  EXPECT_EQ(table.bytes(), static_cast<Count>(30 * sizeof(Tile) + 10000 * sizeof(TilePlace)));
}

TEST(Tiles, of_few_short_moves_are_their_own) {
  const TileTable table = tiles_of(scattered(15, 24, 40));
  EXPECT_EQ(table.tiles.size(), 15u);
  EXPECT_TRUE(table.places.empty());
}

TEST(Tiles, of_moves_too_far_from_each_other_are_several_lists) {
  std::vector<Move> moves = scattered(200, 1, 3), far = scattered(200, 1, 3), alone = scattered(3, 1, 3);
  for (Move& move : far) move.from += Count{1} << 35;
  for (Move& move : alone) move.from += Count{1} << 37;
  moves.insert(moves.end(), far.begin(), far.end());
  moves.insert(moves.end(), alone.begin(), alone.end());
  const TileTable table = tiles_of(moves);
  EXPECT_EQ(table.tiles.size(), 5u);
  EXPECT_EQ(table.places.size(), 400u);
}

TEST(Tiles, of_more_than_31_bits_are_split) {
  constexpr Count terabyte = Count{1} << 40;
  const std::vector<Tile> tiles =
      tiles_of({{0, terabyte, 8, {{3, terabyte, terabyte}}}, {0, terabyte, Count{5} << 31, {}}}).tiles;
  Count bytes = 0;
  for (const Tile& tile : tiles) bytes += Count{tile.end - tile.first} * tile.word;
  EXPECT_EQ(bytes, 24 + (Count{5} << 31));
  for (std::size_t i = 0; i < 3; ++i)  // short ones come last
    EXPECT_EQ(tiles[tiles.size() - 3 + i].from, static_cast<unsigned long long>(terabyte) * i);
}

}  // namespace
}  // namespace halocline::accelerate
