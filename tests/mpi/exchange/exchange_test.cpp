// Every way to exchange delivers every block, and touches nothing else.

#include "halocline/exchange/exchange.hpp"
#include "../../environment_number.hpp"
#include "exchange/scattered_block.hpp"
#include "exchange/traffic.hpp"
#include "halocline/base/error.hpp"
#include "halocline/schedule/algorithms.hpp"
#include "mpi/cart_comm.hpp"
#include "support/scope.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

namespace halocline {
namespace {

std::vector<std::string> every_schedule() {
  std::vector<std::string> names{"auto", "node", "mixed"};
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) names.emplace_back(algorithm.name);
  return names;
}
const std::vector<std::string> schedules = every_schedule();

/// A Cartesian communicator of all ranks or of some of them, in any order.
mpi::Comm make_cart(MPI_Comm comm, const Grid& grid) {
  const Count rank = mpi::rank(comm);
  return mpi::create_cart(comm, grid, rank < grid.size() ? std::optional(grid.cell(rank)) : std::nullopt);
}

/// A grid of exactly `processes` cells, by cutting off random factors.
Grid random_grid(Count processes, Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 4));
  Counts extents(dimensions, 1);
  for (Count p = 2; processes > 1;) {
    if (processes % p != 0) {
      ++p;
      continue;
    }
    extents[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1))] *= p;
    processes /= p;
  }
  Periodicity periodic;
  for (std::size_t d = 0; d < dimensions; ++d) periodic.push_back(random_in(random, 0, 2) > 0);
  return Grid(extents, periodic);
}

Stencil random_offsets(std::size_t dimensions, Random& random) {
  std::vector<Offset> offsets(static_cast<std::size_t>(random_in(random, 1, 12)));
  const Count reach = random_in(random, 1, 3);
  for (Offset& offset : offsets)
    for (std::size_t d = 0; d < dimensions; ++d) offset.push_back(random_in(random, -reach, reach));
  return Stencil(offsets);
}

/// Node sizes that are anything from one node to single processes.
std::string random_machine(Count processes, Random& random) {
  Counts nodes;
  const Count largest = random_in(random, 1, processes);
  for (Count left = processes; left > 0; left -= nodes.back())
    nodes.push_back(std::min(left, random_in(random, 1, largest)));
  std::string text = "node:" + std::to_string(nodes.size()) + " core:";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(nodes[i]);
  return text;
}

Count random_bytes(Random& random) {
  switch (random_in(random, 0, 9)) {
    case 0:
      return 0;
    case 1:
      return random_in(random, 1000, 5000);
    case 2:
      return random_in(random, 0, 3) == 0 ? random_in(random, 60'000, 200'000) : 64;
    default:
      return random_in(random, 1, 60);
  }
}

/// An exchange with all its buffers, and what must be in them.
class Trial {
 public:
  /// `common` is the same on all ranks, `own` is not.
  Trial(const Neighborhood& neighborhood, Rank rank, Operation operation, const ExchangeOptions& options,
        Random& common, Random& own)
      : neighborhood_(neighborhood), rank_(rank), operation_(operation) {
    const bool gather = operation == Operation::allgather;
    const Count one = random_bytes(common);
    std::vector<Block> send, receive;
    for (std::size_t i = 0; i < neighborhood.size(); ++i) {
      const Count bytes = gather ? one : random_bytes(common);
      if (!gather || i == 0) sent_.emplace_back(bytes, own);
      received_.emplace_back(bytes, own);
    }
    for (ScatteredBlock& block : sent_) send.push_back(block.block());
    for (ScatteredBlock& block : received_) receive.push_back(block.block());
    exchange_.emplace(gather ? Exchange::allgather(neighborhood, send.front(), receive, options)
                             : Exchange::alltoall(neighborhood, send, receive, options));
    expected_ = received_;
    sources_ = exchange::neighbours_of(neighborhood.grid(), neighborhood.offsets(), rank).sources;
  }

  void start(Count number) {
    number_ = number;
    for (std::size_t i = 0; i < sent_.size(); ++i)
      sent_[i].fill([&](Count byte) { return content(rank_, static_cast<Count>(i), byte, number); });
    for (std::size_t i = 0; i < received_.size(); ++i) {
      received_[i].clear();
      expected_[i].clear();
      const Count block = operation_ == Operation::allgather ? 0 : static_cast<Count>(i);
      if (sources_[i] >= 0)
        expected_[i].fill([&](Count byte) { return content(sources_[i], block, byte, number); });
    }
    exchange_->start();
  }

  Exchange& exchange() { return *exchange_; }

  /// The first wrong block, or -1.
  [[nodiscard]] Count wrong() const {
    for (std::size_t i = 0; i < received_.size(); ++i)
      if (!(received_[i] == expected_[i])) return static_cast<Count>(i);
    return -1;
  }

 private:
  Neighborhood neighborhood_;
  Rank rank_;
  Operation operation_;
  std::vector<ScatteredBlock> sent_, received_, expected_;
  std::vector<Rank> sources_;
  std::optional<Exchange> exchange_;
  Count number_ = 0;
};

std::string named(const Grid& grid, const Stencil& offsets, const std::string& machine,
                  const ExchangeOptions& options) {
  return grid.to_text() + " offsets " + offsets.to_text() + " on " + machine + " by " + options.schedule +
         " " + options.wire + " shared " + options.shared;
}

int trials() { return environment_number("HALOCLINE_NEIGHBORHOODS", world_size() <= 8 ? 120 : 60); }

TEST(Exchange, DeliversEveryBlockOfRandomNeighbourhoodsAndTouchesNothingElse) {
  const auto seed = environment_number<std::uint64_t>("HALOCLINE_SEED", 20261115, 0);
  if (world_rank() == 0) std::cout << trials() << " neighbourhoods, seed " << seed << "\n";
  Random common(seed + static_cast<unsigned>(world_size())),
      own(seed * 31 + static_cast<unsigned>(world_rank()));
  const std::vector<std::string> wires{"packed", "datatype", "auto"};
  for (int trial = 0; trial < trials(); ++trial) {
    const std::string machine = random_machine(world_size(), common);
    const DescribedMachine described(machine);
    const Grid grid =
        random_grid(random_in(common, 0, 3) == 0 ? random_in(common, 1, world_size()) : world_size(), common);
    const Stencil offsets = random_offsets(grid.dimensions(), common);
    const mpi::Comm fresh = mpi::split(MPI_COMM_WORLD, 0, static_cast<int>(random_in(own, 0, 100)));
    const mpi::Comm cart = make_cart(fresh.get(), grid);
    // Every rank must go on with the same random numbers, whether it takes part or not.
    const Random before = common;
    Random mine = before;
    common.discard(1000);
    if (!cart) continue;
    const Neighborhood neighborhood(cart.get(), offsets);
    std::vector<Trial> some;
    std::string what;
    some.reserve(3);
    const Count in_flight = random_in(mine, 1, 3);
    for (Count i = 0; i < in_flight; ++i) {
      ExchangeOptions options;
      options.schedule =
          schedules[static_cast<std::size_t>(random_in(mine, 0, static_cast<Count>(schedules.size()) - 1))];
      options.wire = wires[static_cast<std::size_t>(random_in(mine, 0, 2))];
      options.shared = random_in(mine, 0, 3) > 0 ? "on" : "off";
      // So that "mixed" has short and long ones.
      options.costs.between_nodes.round_seconds *= std::ldexp(1, -static_cast<int>(random_in(mine, 0, 12)));
      const auto operation = random_in(mine, 0, 1) == 0 ? Operation::alltoall : Operation::allgather;
      what += (what.empty() ? "" : " and ") + named(grid, offsets, machine, options);
      some.emplace_back(neighborhood, mpi::rank(cart.get()), operation, options, mine, own);
    }
    for (Count start = 0; start < 4; ++start) {
      for (Trial& each : some) each.start(start);
      // Each process completes them in an order of its own.
      std::vector<std::size_t> order(some.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), own);
      for (const std::size_t i : order) {
        if (random_in(own, 0, 1) == 0)
          while (!some[i].exchange().test()) {
          }
        some[i].exchange().wait();
        ASSERT_EQ(some[i].wrong(), -1)
            << "trial " << trial << " start " << start << " exchange " << i << ": " << what;
      }
    }
  }
}

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
    if (several_nodes || schedule == "auto") all.push_back({schedule, "packed", "on"});
    if (several_nodes) all.push_back({schedule, "datatype", "on"});
    if (!several_nodes) all.push_back({schedule, all.size() % 2 == 0 ? "packed" : "datatype", "off"});
  }
  return all;
}

TEST(Exchange, IsRightForEveryScheduleOperationAndBoundary) {
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

TEST(Exchange, IsTheSameByEveryEngine) {
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
        several_nodes ? std::vector<ExchangeOptions>{{"node", "packed", "on"}, {"direct", "packed", "on"}}
                      : std::vector<ExchangeOptions>{{"direct", "packed", "off"}, {"torus", "packed", "off"}};
    for (const char* engine : {"interpreter", "kernels", "llvm", "auto"}) {
      const Variable chosen("HALOCLINE_COMPILE", engine);
      for (const ExchangeOptions& options : some)
        expect_right(neighborhood, Operation::alltoall, options, machine + " with " + engine);
    }
  }
}

TEST(Exchange, IsRightForStridesOfMinusOneByte) {
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
        Exchange exchange = Exchange::alltoall(neighborhood, send, receive, {"direct", wire, "off"});
        exchange.start();
        exchange.wait();
        for (std::size_t i = 0; i < out.size(); ++i)
          EXPECT_EQ(in[i + 1], static_cast<std::byte>(left * 16 + static_cast<int>(i))) << bytes << wire;
        EXPECT_TRUE(in.front() == std::byte{0} && in.back() == std::byte{0});
      }
}

TEST(Exchange, RefusesAnEngineThatThereIsNot) {
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

TEST(Exchange, RefusesBlocksThatDifferBetweenRanks) {
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

TEST(Exchange, RefusesNeighbourhoodsThatDifferBetweenRanks) {
  if (world_size() < 2) GTEST_SKIP();
  const mpi::Comm cart = make_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}));
  EXPECT_THROW(Neighborhood(cart.get(), world_rank() == 0 ? Stencil(std::vector<Offset>{{1}, {-1}})
                                                          : Stencil(std::vector<Offset>{{-1}, {1}})),
               Error);
}

TEST(Exchange, RefusesToStartWhatIsUnderWay) {
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

TEST(Exchange, LosesNothing) {
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

}  // namespace
}  // namespace halocline
