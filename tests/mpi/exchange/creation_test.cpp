// What creating an exchange decides, and what it leaves behind when it fails.

#include "base/fail.hpp"
#include "exchange/calls/exchange_cache.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halocline/base/error.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>

namespace halocline::exchange_creation_tests {
namespace {

const Layout byte = Layout::named(Elementary::byte);

mpi::Comm ring(MPI_Comm comm) {
  return mpi::create_cart(comm, Grid({mpi::size(comm)}, {true}), Cell{mpi::rank(comm)});
}

TEST(Creation, gives_its_memory_back_when_it_fails_on_one_rank) {
  if (world_size() < 2) GTEST_SKIP();
  const mpi::Comm cart = ring(MPI_COMM_WORLD);
  const Neighborhood neighborhood(cart.get(), Stencil(std::vector<Offset>{{1}, {1}}));
  exchange::NodeMemory& memory = *state_of(neighborhood)->context->memory();
  constexpr Count large = 30'000;
  std::vector<std::byte> out(large + 4), in(large + 4);
  const auto created = [&](const Layout& layout) {
    const std::vector<Block> send{{out.data(), byte, large}, {out.data() + large, layout, 4}};
    const std::vector<Block> receive{{in.data(), byte, large}, {in.data() + large, byte, 4}};
    return Exchange::alltoall(neighborhood, send, receive);
  };
  // Its last elements lie outside all memory, which shows when it is to be packed: after memory was shared.
  const Layout impossible = Layout::resized(0, Count{1} << 62, byte);
  const Layout mine = world_rank() == world_size() - 1 ? impossible : byte;
  for (int failure = 0; failure < 40; ++failure) {
    EXPECT_THROW((void)created(mine), Error);
    // There is room in the first segment as long as nothing is lost.
    auto arena = memory.allocate(100'000, [](std::byte*) {});
    ASSERT_NE(arena, nullptr);
    EXPECT_EQ(arena->segment, 0U) << failure;
    memory.retire(std::move(arena), [] { return true; });
  }
  Exchange works = created(byte);
  out.assign(out.size(), std::byte{7});
  works.start();
  works.wait();
  EXPECT_EQ(in, out);
}

/// Calls of the one-call forms, with a buffer of this process for each number.
class LastPlans : public testing::Test {
 protected:
  LastPlans() : cart_(ring(MPI_COMM_WORLD)), neighborhood_(cart_.get(), Stencil(std::vector<Offset>{{1}})) {}

  std::shared_ptr<Exchange> get(std::size_t buffer, Count bytes = 8,
                                Operation operation = Operation::alltoall) {
    return cache_.get(neighborhood_, operation, [&] {
      require(bytes >= 0, "a block of ", bytes, " bytes");
      return exchange::Ends{{{out_.at(buffer).data(), byte, bytes}}, {{in_.data(), byte, bytes}}};
    });
  }
  /// Alike on all processes?
  static bool everywhere(bool here) {
    const std::vector<Count> all = everyones(MPI_COMM_WORLD, here);
    EXPECT_EQ(std::count(all.begin(), all.end(), all.front()), world_size());
    return here;
  }

  mpi::Comm cart_;
  Neighborhood neighborhood_;
  exchange::ExchangeCache cache_;
  std::array<std::array<std::byte, 8>, 20> out_{};
  std::array<std::byte, 8> in_{};
};

TEST_F(LastPlans, are_used_again_if_all_processes_call_again_with_their_arguments) {
  const auto first = get(0);
  const int last = world_size() - 1;
  EXPECT_TRUE(everywhere(get(0) == first));
  EXPECT_FALSE(everywhere(get(0, 4) == first));
  EXPECT_FALSE(everywhere(get(0, 8, Operation::allgather) == first));
  EXPECT_TRUE(everywhere(get(0) == first));
  // One process has another buffer, which only it can know.
  const auto other = get(world_rank() == last ? 1 : 0);
  EXPECT_FALSE(everywhere(other == first));
  if (world_size() == 1) return;
  // The last process finds its first, all others the later one: nobody may use either.
  const auto third = get(0);
  EXPECT_FALSE(everywhere(third == first || third == other));
  EXPECT_TRUE(everywhere(get(0) == third));
  for (std::size_t i = 2; i < 12; ++i) (void)get(i);
  EXPECT_FALSE(everywhere(get(0) == third));
}

TEST_F(LastPlans, are_not_used_while_under_way_or_under_other_settings) {
  const auto first = get(0);
  first->start();
  EXPECT_FALSE(everywhere(get(0) == first)) << "although it may have come on some";
  first->wait();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto third = get(0);
  setenv("HALOCLINE_SHARED", "off", 1);
  EXPECT_FALSE(everywhere(get(0) == third));
  unsetenv("HALOCLINE_SHARED");
}

TEST_F(LastPlans, survive_an_error_of_one_process) {
  const auto first = get(0);
  EXPECT_THROW((void)get(0, world_rank() == 0 ? -1 : 8), Error);
  EXPECT_TRUE(everywhere(get(0) == first));
  for (Count start = 0; start < 3; ++start) {
    out_[0].fill(static_cast<std::byte>(world_rank() + 1 + start));
    const auto again = get(0);
    again->start();
    again->wait();
    const int left = (world_rank() + world_size() - 1) % world_size();
    EXPECT_EQ(in_[7], static_cast<std::byte>(left + 1 + start));
  }
}

}  // namespace
}  // namespace halocline::exchange_creation_tests
