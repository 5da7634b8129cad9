// Processes of a node read each other's memory where it is not shared.

#include "exchange/memory/foreign_memory.hpp"

#include "exchange/scattered_block.hpp"
#include "expect_error.hpp"
#include "mpi/handles/comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

namespace halocline::exchange_foreign_memory_tests {
namespace {

using exchange::ForeignCopy;
using exchange::ForeignMemory;
using exchange::MemoryPlaces;

Count address_of(const std::byte* place) {
  return static_cast<Count>(reinterpret_cast<std::intptr_t>(place));
}

/// `bytes` of a buffer in random pieces that do not touch, in random order.
MemoryPlaces random_places(std::byte* buffer, Count bytes, Count longest, Random& random) {
  MemoryPlaces places;
  for (Count left = bytes, at = 0; left > 0;) {
    const Count length = random_in(random, 1, std::min(left, longest));
    places.push_back({address_of(buffer) + at, length});
    at += length + random_in(random, 0, 1);
    left -= length;
  }
  std::shuffle(places.begin(), places.end(), random);
  return places;
}

/// Tells every process the places of the one before it.
MemoryPlaces places_before_me(const MemoryPlaces& mine) {
  const int next = (world_rank() + 1) % world_size(),
            before = (world_rank() + world_size() - 1) % world_size();
  int count = 0, my_count = static_cast<int>(mine.size());
  MPI_Sendrecv(&my_count, 1, MPI_INT, next, 0, &count, 1, MPI_INT, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MemoryPlaces theirs(static_cast<std::size_t>(count));
  const int segment = sizeof(Segment);
  MPI_Sendrecv(mine.data(), my_count * segment, MPI_BYTE, next, 1, theirs.data(), count * segment, MPI_BYTE,
               before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return theirs;
}

TEST(ForeignMemory, is_copied_byte_for_byte_however_it_is_cut) {
  const auto foreign = ForeignMemory::open(MPI_COMM_WORLD);
  if (!foreign) GTEST_SKIP() << "this system lets nobody read the memory of another process";
  const int before = (world_rank() + world_size() - 1) % world_size();
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random common(seed), own(seed * 64 + static_cast<unsigned>(world_rank()));
    const Count bytes = random_in(common, 1, seed % 4 == 0 ? 300'000 : 5'000);
    const Count longest = random_in(common, 1, seed % 2 == 0 ? 200'000 : 20);
    std::vector<std::byte> source(static_cast<std::size_t>(2 * bytes), ScatteredBlock::guard),
        target = source;
    const MemoryPlaces from = random_places(source.data(), bytes, longest, own);
    Count written = 0;
    for (const Segment& place : from)
      for (Count i = 0; i < place.bytes; ++i)
        source[static_cast<std::size_t>(place.offset - address_of(source.data()) + i)] =
            content(world_rank(), 0, written++, static_cast<Count>(seed));
    const MemoryPlaces theirs = places_before_me(from);
    const MemoryPlaces to = random_places(target.data(), bytes, random_in(own, 1, 5'000), own);
    const ForeignCopy copy(foreign->process(before), theirs, to);
    EXPECT_EQ(copy.bytes(), bytes);
    copy.copy();
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::byte> expected(target.size(), ScatteredBlock::guard);
    Count read = 0;
    for (const Segment& place : to)
      for (Count i = 0; i < place.bytes; ++i)
        expected[static_cast<std::size_t>(place.offset - address_of(target.data()) + i)] =
            content(before, 0, read++, static_cast<Count>(seed));
    EXPECT_TRUE(target == expected);
  }
}

TEST(ForeignMemory, that_is_not_there_is_refused) {
  const auto foreign = ForeignMemory::open(MPI_COMM_WORLD);
  if (!foreign) GTEST_SKIP() << "this system lets nobody read the memory of another process";
  constexpr std::size_t page = 4096;
  void* const gone = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(gone, MAP_FAILED);
  auto* const begin = static_cast<std::byte*>(gone);
  const MemoryPlaces places{{address_of(begin), 10}, {address_of(begin) + Count{page} - 5, 10}};
  EXPECT_TRUE(exchange::can_be_read(places));
  ASSERT_EQ(munmap(begin + page, page), 0);
  EXPECT_FALSE(exchange::can_be_read(places));
  std::vector<std::byte> target(20);
  const MemoryPlaces to{{address_of(target.data()), 20}};
  const ForeignCopy copy(foreign->process(world_rank()), places, to);
  expect_error(
      Fault::internal, [&] { copy.copy(); }, "of 20 bytes could be read", "must stay");
  munmap(begin, page);
}

}  // namespace
}  // namespace halocline::exchange_foreign_memory_tests
