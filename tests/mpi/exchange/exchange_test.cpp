// Every way to exchange delivers every block, and touches nothing else.

#include "exchange/trial.hpp"
#include "expect_error.hpp"
#include "halocline/base/error.hpp"
#include "support/option_words.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

namespace halocline::exchange_exchange_tests {
namespace {

/// A few starts on a neighbourhood; three use every slot of a channel again.
void expect_right(const Neighborhood& neighborhood, Operation operation, const ExchangeOptions& options,
                  const std::string& machine) {
  Random common(7), own(static_cast<unsigned>(world_rank()));
  Trial trial(neighborhood, world_rank(), operation, options, common, own);
  for (Count start = 0; start < 3; ++start) {
    trial.start(start);
    trial.exchange().wait();
    ASSERT_EQ(trial.wrong(), -1) << named(neighborhood.grid(), neighborhood.offsets(), machine, options);
  }
}

/// On one node all goes through memory, whatever the schedule; without memory, and between nodes, the
/// schedules differ. Wires are told apart where there are messages.
std::vector<ExchangeOptions> ways(bool several_nodes) {
  std::vector<ExchangeOptions> all;
  for (const std::string& schedule : schedules) {
    if (several_nodes || schedule == "auto") all.push_back(options_of_words(schedule, "packed", "on"));
    if (several_nodes) all.push_back(options_of_words(schedule, "datatype", "on"));
    if (!several_nodes)
      all.push_back(options_of_words(schedule, all.size() % 2 == 0 ? "packed" : "datatype", "off"));
  }
  return all;
}

TEST(Exchange, is_right_for_every_schedule_operation_and_boundary) {
  const Count processes = world_size(), half = (processes + 1) / 2;
  std::vector<Grid> grids{Grid({processes}, {true}), Grid({1, processes}, {true, false})};
  if (processes % 2 == 0) grids.emplace_back(Counts{2, processes / 2}, Periodicity{true, true});
  if (processes % 4 == 0) grids.emplace_back(Counts{2, 2, processes / 4}, Periodicity{true, false, true});
  std::vector<std::string> machines{"node:1 core:" + std::to_string(processes)};
  if (processes > 1)
    machines.push_back("node:2 core:" + std::to_string(half) + "," + std::to_string(processes - half));
  for (const Grid& grid : grids)
    for (const std::string& machine : machines) {
      const DescribedMachine described(machine);
      const mpi::Comm cart = make_cart(MPI_COMM_WORLD, grid);
      for (const Stencil& offsets :
           {Stencil::moore(grid.dimensions(), 1), Stencil::octant(grid.dimensions(), 2)}) {
        const Neighborhood neighborhood(cart.get(), offsets);
        for (const ExchangeOptions& options : ways(&machine != &machines.front()))
          for (const Operation operation : {Operation::alltoall, Operation::allgather})
            expect_right(neighborhood, operation, options, machine);
      }
    }
}

TEST(Exchange, is_the_same_by_every_engine) {
  const Count processes = world_size(), half = (processes + 1) / 2;
  std::vector<std::string> machines{"node:1 core:" + std::to_string(processes)};
  if (processes > 1)
    machines.push_back("node:2 core:" + std::to_string(half) + "," + std::to_string(processes - half));
  const Grid grid({processes}, {true});
  for (const std::string& machine : machines) {
    const DescribedMachine described(machine);
    const mpi::Comm cart = make_cart(MPI_COMM_WORLD, grid);
    const Neighborhood neighborhood(cart.get(), Stencil::moore(1, 1));
    // Each message is compiled, which takes its time with llvm: only what packs in different places.
    const bool several_nodes = &machine != &machines.front();
    const std::vector<ExchangeOptions> some =
        several_nodes ? std::vector<ExchangeOptions>{options_of_words("node", "packed", "on"),
                                                     options_of_words("direct", "packed", "on")}
                      : std::vector<ExchangeOptions>{options_of_words("direct", "packed", "off"),
                                                     options_of_words("torus", "packed", "off")};
    for (const char* engine : {"kernels", "llvm", "auto"}) {
      const Variable chosen("HALOCLINE_COMPILE", engine);
      for (const ExchangeOptions& options : some)
        expect_right(neighborhood, Operation::alltoall, options, machine + " with " + engine);
    }
  }
}

TEST(Exchange, is_right_for_strides_of_minus_one_byte) {
  // Which Open MPI takes for none in a vector: they must not get there as they are.
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
  const Neighborhood neighborhood(cart.get(), Stencil(std::vector<Offset>{{1}}));
  const Layout byte = Layout::named(Elementary::byte);
  const int left = (world_rank() + world_size() - 1) % world_size();
  for (const Count bytes : {1, 2, 3, 8, 9})
    for (const char* wire : {"datatype", "packed"})
      for (const Layout& backwards :
           {Layout::hvector(bytes, 1, -1, byte), Layout::vector(bytes, 1, -1, byte)}) {
        std::vector<std::byte> out, in(static_cast<std::size_t>(bytes) + 2, std::byte{0});
        for (Count i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(world_rank() * 16 + i));
        const std::vector<Block> send{{out.data() + bytes - 1, backwards}},
            receive{{in.data() + bytes, backwards}};
        Exchange exchange =
            Exchange::alltoall(neighborhood, send, receive, options_of_words("direct", wire, "off"));
        exchange.start();
        exchange.wait();
        for (std::size_t i = 0; i < out.size(); ++i)
          EXPECT_EQ(in[i + 1], static_cast<std::byte>(left * 16 + static_cast<int>(i))) << bytes << wire;
        EXPECT_TRUE(in.front() == std::byte{0} && in.back() == std::byte{0});
      }
}

TEST(Exchange, refuses_an_engine_that_there_is_not) {
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
  const Neighborhood neighborhood(cart.get(), Stencil::nearest(1));
  // On one rank it is wrong, all are told.
  const Variable chosen("HALOCLINE_COMPILE", world_rank() == world_size() - 1 ? "steam" : "kernels");
  Random common(7), own(8);
  try {
    const Trial trial(neighborhood, world_rank(), Operation::alltoall, {}, common, own);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("steam"), std::string::npos) << error.what();
  }
}

TEST(Exchange, refuses_blocks_that_differ_between_ranks) {
  const Grid grid({world_size()}, {true});
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, grid);
  const Neighborhood neighborhood(cart.get(), Stencil::nearest(1));
  std::vector<std::byte> buffer(100);
  const Layout byte = Layout::named(Elementary::byte);
  const Count odd = world_size() > 1 && world_rank() == world_size() - 1 ? 3 : 2;
  const std::vector<Block> blocks{{buffer.data(), byte, odd}, {buffer.data() + 10, byte, 2}};
  const std::vector<Block> receive{{buffer.data() + 20, byte, odd}, {buffer.data() + 30, byte, 2}};
  if (world_size() > 1) {
    EXPECT_THROW((void)Exchange::alltoall(neighborhood, blocks, receive), Error);
  }
  const std::vector<Block> one{blocks[0]};
  EXPECT_THROW((void)Exchange::alltoall(neighborhood, one, one), Error);
  const std::vector<Block> longer{{buffer.data() + 20, byte, 9}, {buffer.data() + 30, byte, 2}};
  EXPECT_THROW((void)Exchange::alltoall(neighborhood, blocks, longer), Error);
}

TEST(Exchange, refuses_neighbourhoods_that_differ_between_ranks) {
  if (world_size() < 2) GTEST_SKIP();
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
  EXPECT_THROW(Neighborhood(cart.get(), world_rank() == 0 ? Stencil(std::vector<Offset>{{1}, {-1}})
                                                          : Stencil(std::vector<Offset>{{-1}, {1}})),
               Error);
}

TEST(Exchange, refuses_to_start_what_is_under_way) {
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
  const Neighborhood neighborhood(cart.get(), Stencil::nearest(1));
  std::vector<std::byte> buffer(100);
  const Layout byte = Layout::named(Elementary::byte);
  const std::vector<Block> send{{buffer.data(), byte, 2}, {buffer.data() + 10, byte, 2}};
  const std::vector<Block> receive{{buffer.data() + 20, byte, 2}, {buffer.data() + 30, byte, 2}};
  Exchange exchange = Exchange::alltoall(neighborhood, send, receive);
  Exchange other = Exchange::alltoall(neighborhood, receive, send);
  for (const bool arrived : {false, true}) {
    exchange.start();
    for (int i = 0; arrived && i < 5; ++i) {  // which moves all that is under way
      other.start();
      other.wait();
    }
    if (arrived) MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(exchange.active());
    EXPECT_THROW(exchange.start(), Error);
    EXPECT_THROW(exchange.start(), Error);
    if (arrived)
      while (!exchange.test()) {
      }
    else
      exchange.wait();
    EXPECT_FALSE(exchange.active());
  }
  EXPECT_TRUE(exchange.test());
  EXPECT_EQ(exchange.statistics().exchanges, 2);
}

TEST(Exchange, loses_nothing) {
  expect_no_lost_communicators(MPI_COMM_WORLD, [] {
    const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
    const Neighborhood neighborhood(cart.get(), Stencil::nearest(1));
    Random common(1), own(2);
    Trial trial(neighborhood, world_rank(), Operation::alltoall, {}, common, own);
    trial.start(0);
    trial.exchange().wait();
    EXPECT_EQ(trial.wrong(), -1);
  });
}

TEST(Options, every_way_to_share_memory_has_its_word) {
  for (const SharedMemory shared : {SharedMemory::off, SharedMemory::buffered, SharedMemory::on})
    EXPECT_EQ(exchange::parse_shared(std::array{"off", "buffered", "on"}[static_cast<std::size_t>(shared)]),
              shared);
}

}  // namespace
}  // namespace halocline::exchange_exchange_tests
