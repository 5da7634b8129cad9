// Every engine against the typemap, byte by byte: the shapes of layouts that kernels treat in their own ways.

#include "compile/kernels/step.hpp"
#include "every_engine.hpp"
#include "expect_packs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halocline::compile {
namespace {

/// Loops around lists and blocks of every size that kernels treat in their own way.
TEST(Packer, blocks_of_every_size_and_depth) {
  std::mt19937_64 random(7);
  std::vector<Count> sizes(66);
  std::iota(sizes.begin(), sizes.end(), 1);
  for (Count size = 72; size <= 264; size += 24) sizes.insert(sizes.end(), {size - 1, size, size + 4});
  for (const Count size : {432, 511, 512, 513, 1025}) sizes.push_back(size);
  for (const Count size : sizes) {
    const Engines which = size % 5 == 2 || size > 264 ? Engines::available : Engines::always_there;
    const Layout block = Layout::contiguous(size, Layout::named(Elementary::byte));
    const Layout row = Layout::hvector(5, 1, size + 3, block);
    const Layout plane = Layout::hvector(3, 1, 7 * size + 50, row);
    const Layout box = Layout::hvector(2, 1, -(30 * size + 300), plane);
    const Layout deep = Layout::hvector(2, 1, 70 * size + 900, box);
    const Layout transposed = Layout::hvector(9, 1, size, Layout::hvector(6, 1, 10 * size + 1, block));
    const Layout list = Layout::hindexed_block(1, {0, 3 * size + 1, -2 * size - 7, 9 * size + 1}, block);
    const Layout mixed =
        Layout::hindexed({1, 2, 1}, {0, 3 * size + 1, -2 * size - 7}, Layout::resized(0, size + 1, block));
    for (const Layout& layout : {block, row, plane, size % 8 < 3 ? deep : box, transposed, list, mixed}) {
      const Layout spread = Layout::resized(0, layout.true_extent() + 5, layout);
      expect_every_engine_right(Case({{spread, size % 3 == 0 ? 4 : 1, 11}}), random, which);
      if (HasFatalFailure()) return;
    }
  }
}

/// Every size that has code of its own, in rows of every remainder, one row and several, forwards and
/// backwards, and with ends that are not aligned.
TEST(Packer, rows_of_every_size_and_count) {
  std::mt19937_64 random(23);
  for (Count size = 1; size <= 530; size += size < 264 ? 1 : 19) {
    const Layout block = Layout::contiguous(size, Layout::named(Elementary::byte));
    // Blocks that do not fit in a register are copied one by one.
    for (const Count count : size <= 16 ? Counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 17} : Counts{1, 2, 5})
      for (const Count stride : {size + 1, size + 16, -(size + 7)}) {
        const Layout row = Layout::hvector(count, 1, stride, block);
        const Layout plane = Layout::hvector(3, 1, (count + 1) * stride + 5, row);
        const Layout box = Layout::hvector(2, 1, 4 * (count + 2) * stride - 3, plane);
        const auto offset = static_cast<Count>(random() % 64);
        for (const Layout& layout : {row, plane, box}) {
          expect_every_engine_right(Case({{layout, 1, offset}}), random, Engines::always_there);
          if (HasFatalFailure()) return;
        }
      }
  }
}

/// Kernels by wide registers and by those of all processors copy the same and touch nothing else. (On a
/// processor that has no wide ones, both are the same.)
TEST(Packer, kernels_by_any_registers_copy_the_same) {
  std::mt19937_64 random(31);
  Counts sizes(530);
  std::iota(sizes.begin(), sizes.end(), 1);
  sizes.insert(sizes.end(), {575, 576, 607, 640, 671, 768, 1024, 1057, 1500, 3071, 3072, 3073});
  for (const Count size : sizes)
    for (const Count rows : {1, 4, 9, 43})
      for (const Count planes : {1, 3}) {
        const Canonical::Dim row{rows, size + 1 + static_cast<Count>(random() % 40)};
        const Canonical::Dim plane{planes, -row.stride * (rows + 1) - 3};
        Step step;
        step.block = size;
        step.loops = {row, plane, {size % 2 + 1, 3 * row.stride * (rows + 2)}};
        step.offset = 4 * row.stride * (rows + 2) + static_cast<Count>(random() % 64);
        const auto bytes = static_cast<std::size_t>(size * rows * planes * step.loops[2].count);
        std::vector<std::byte> memory(static_cast<std::size_t>(9 * row.stride * (rows + 2) + 128));
        for (std::byte& b : memory) b = static_cast<std::byte>(random());
        const Kernel narrow = strided_kernel(size, step.loops, Registers::of_all_processors);
        const Kernel wide = strided_kernel(size, step.loops, widest_registers());
        Wire one(bytes), other(bytes);
        narrow.pack(&step, memory.data(), one.data());
        wide.pack(&step, memory.data(), other.data());
        ASSERT_TRUE(equal(one.content(), other.content())) << size << " x " << rows << " x " << planes;
        ASSERT_TRUE(one.guards_intact() && other.guards_intact()) << size;
        std::vector<std::byte> from_one(memory.size()), from_other(memory.size());
        narrow.unpack(&step, one.data(), from_one.data());
        wide.unpack(&step, one.data(), from_other.data());
        ASSERT_EQ(from_one, from_other) << size << " x " << rows << " x " << planes;
        Wire again(bytes);
        narrow.pack(&step, from_one.data(), again.data());
        ASSERT_TRUE(equal(again.content(), one.content())) << size;
      }
}

/// Blocks that are neighbours in memory and rows apart on the wire, in all remainders of both.
TEST(Packer, transposes_of_every_shape) {
  std::mt19937_64 random(29);
  for (const Count size : {1, 2, 4, 8, 16})
    for (const Count rows : {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 66, 67})
      for (const Count columns : {4, 5, 6, 7, 8, 9, 12, 15}) {
        const Layout block = Layout::contiguous(size, Layout::named(Elementary::byte));
        const Count pitch = size * (columns + 1) + 3;
        for (const Count down : {pitch, -pitch})
          for (const Count right : {size, size + 1, -size - 1}) {
            const Layout column = Layout::hvector(rows, 1, down, block);
            const Layout matrix = Layout::hvector(columns, 1, right, column);
            const auto offset = static_cast<Count>(random() % 64);
            expect_every_engine_right(Case({{matrix, 1, offset}}), random, Engines::always_there);
            if (rows < 9)
              expect_every_engine_right(Case({{Layout::hvector(3, 1, 7 * pitch * rows, matrix), 1, offset}}),
                                        random, Engines::always_there);
            if (HasFatalFailure()) return;
          }
      }
}

TEST(Packer, long_lists_and_many_copies) {
  std::mt19937_64 random(11);
  for (const Count size : {1, 2, 5, 8, 12, 16, 24, 100}) {
    const Layout block = Layout::contiguous(size, Layout::named(Elementary::byte));
    Counts displacements;
    Counts lengths;
    Count at = 0;
    for (int i = 0; i < 333; ++i) {
      displacements.push_back(at);
      lengths.push_back(static_cast<Count>(random() % 4));
      at += size * static_cast<Count>(3 + random() % 5) + 1;
    }
    expect_every_engine_right(Case({{Layout::hindexed_block(1, displacements, block), 1, 0}}), random);
    expect_every_engine_right(Case({{Layout::hindexed(lengths, displacements, block), 1, 0}}), random);
    expect_every_engine_right(Case({{Layout::hindexed(lengths, displacements, block), 20, 0}}), random);
    std::reverse(displacements.begin(), displacements.end());
    expect_every_engine_right(Case({{Layout::hindexed_block(1, displacements, block), 15, 0}}), random);
    if (HasFatalFailure()) return;
  }
}

/// Copies of a list one over the other, and backwards by less than its length.
TEST(Packer, lists_repeated_at_no_distance_and_backwards) {
  std::mt19937_64 random(19);
  for (const auto& [copies, blocks] : {std::pair<Count, Count>{8, 600}, {2, 2100}}) {
    Counts displacements, lengths;
    for (Count i = 0, at = 0; i < blocks; ++i, at += 2 + static_cast<Count>(random() % 5)) {
      displacements.push_back(at);
      lengths.push_back(1 + static_cast<Count>(random() % 2));
    }
    const Layout real = Layout::named(Elementary::float_);
    for (const Layout& list :
         {Layout::indexed_block(1, displacements, real), Layout::indexed(lengths, displacements, real)})
      for (const Count stride : {Count{0}, Count{-4}})
        for (const Part& part : {Part{Layout::resized(0, stride, list), copies, 0},
                                 Part{Layout::hvector(copies, 1, stride, list)}}) {
          expect_every_engine_right(Case({part}), random);
          if (HasFatalFailure()) return;
        }
  }
}

/// An array of structures with holes, alone, in rows, and in more copies than are unrolled.
TEST(Packer, arrays_of_structures) {
  std::mt19937_64 random(13);
  for (const char* text : {"struct([1,1],[0,8],[int,double])", "struct([1,3,1],[0,8,40],[char,double,short])",
                           "struct([1,1,1],[2,16,30],[byte,contiguous(7,byte),contiguous(9,byte)])"}) {
    const Layout structure = Layout::resized(0, 56, Layout::parse(text));
    const Layout rows = Layout::subarray({9, 40}, {5, 25}, {2, 3}, Layout::Order::c, structure);
    for (const Layout& layout :
         {Layout::contiguous(50, structure), rows, Layout::contiguous(5000, structure)})
      expect_every_engine_right(Case({{layout, 1, 0}}), random);
    if (HasFatalFailure()) return;
  }
}

/// Lists that join into longer runs, of one array after the other with blocks of different size.
TEST(Packer, particles_of_several_arrays) {
  std::mt19937_64 random(17);
  for (const Counts& sizes : {Counts{24, 8}, Counts{8, 24, 3}, Counts{16, 12, 20, 7, 1}, Counts{600, 8}}) {
    std::vector<Part> parts;
    Count start = 0;
    for (const Count size : sizes) {
      Counts indices;
      for (Count i = 0; i < 700; ++i)
        if (random() % 3 == 0) indices.push_back(i);
      const Layout block = Layout::contiguous(size, Layout::named(Elementary::byte));
      parts.push_back({Layout::indexed_block(1, indices, block), 1, start});
      start += 700 * size + 5;
    }
    expect_every_engine_right(Case(parts), random);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace halocline::compile
