// Prices of messages: one process reads them, and they are those of all.

#include "exchange/neighborhood/machine_prices.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "plan/prices/default_prices.hpp"
#include "plan/prices/price_file.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace halocline::exchange_prices_tests {
namespace {

const Layout byte = Layout::named(Elementary::byte);

mpi::Comm ring(MPI_Comm comm) {
  return mpi::create_cart(comm, Grid({mpi::size(comm)}, {true}), Cell{mpi::rank(comm)});
}

/// A file of prices for this machine, with this price of a message between nodes.
std::string prices_with(double alpha, const std::string& host = "*",
                        const std::string& mpi = exchange::mpi_name) {
  const plan::Price network{"network", {alpha, 1e-9, 7e-6}, {host, mpi, "*", 4}, 1};
  const plan::Price node{"node", {alpha / 10, 0, 0}, {host, mpi, "*", 4}, 1};
  return plan::with_prices("", {{network, node}});
}

/// Two nodes, if there are processes for them.
std::string two_nodes() {
  if (world_size() < 2) return "node:1 core:1";
  const int half = world_size() / 2;
  return "node:2 core:" + std::to_string(half) + "," + std::to_string(world_size() - half);
}

/// HALOCLINE_PRICES for the length of a scope.
class Prices : Variable {
 public:
  explicit Prices(const std::string& path) : Variable("HALOCLINE_PRICES", path) {}
};

/// Several messages from each node to the other.
const std::vector<Offset> offsets{{1}, {-1}, {2}, {-2}, {3}};
constexpr Count bytes = 500;

/// One block for each offset.
std::vector<Block> blocks(std::vector<std::byte>& memory) {
  memory.resize(offsets.size() * bytes);
  std::vector<Block> all;
  for (std::size_t i = 0; i < offsets.size(); ++i) all.push_back({memory.data() + i * bytes, byte, bytes});
  return all;
}

/// The prices of a new communicator, and how it exchanges; alike on all processes.
struct Chosen {
  LevelCosts prices;
  std::string schedule;
};
Chosen chosen(const std::string& machine = two_nodes()) {
  const DescribedMachine described(machine);
  // Its first process is not rank 0 of the grid.
  const mpi::Comm turned = mpi::split(MPI_COMM_WORLD, 0, -world_rank());
  const mpi::Comm cart = ring(turned.get());
  const Neighborhood neighborhood(cart.get(), Stencil(offsets));
  std::vector<std::byte> out, in;
  const std::vector<Block> send = blocks(out), receive = blocks(in);
  std::fill(out.begin(), out.end(), static_cast<std::byte>(world_rank() + 1));
  ExchangeOptions options;
  options.schedule = ScheduleChoice::automatic;
  Exchange exchange = Exchange::alltoall(neighborhood, send, receive, options);
  exchange.start();
  exchange.wait();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Count source = (world_rank() + offsets[i][0] + 2 * world_size()) % world_size();
    EXPECT_EQ(std::count(in.begin() + static_cast<std::ptrdiff_t>(i) * bytes,
                         in.begin() + static_cast<std::ptrdiff_t>(i + 1) * bytes,
                         static_cast<std::byte>(source + 1)),
              bytes);
  }
  const LevelCosts prices = state_of(neighborhood)->context->prices();
  for (const double each : {prices.on_node.round_seconds, prices.on_node.byte_seconds,
                            prices.on_node.latency_seconds, prices.between_nodes.round_seconds,
                            prices.between_nodes.byte_seconds, prices.between_nodes.latency_seconds}) {
    double least = 0, most = 0;
    MPI_Allreduce(&each, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&each, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(least, most);
  }
  return {prices, exchange.schedule()};
}

/// Where two nodes have several messages for each other, since one of them has two processes or more, and
/// those are dear.
const char* by_node() { return world_size() < 3 ? "direct" : "node"; }

/// What this process writes to stderr meanwhile.
template <class Work>
std::string written_by(const Work& work) {
  std::string path = (std::filesystem::temp_directory_path() / "halocline_stderr_XXXXXX").string();
  const int file = mkstemp(path.data());
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  work();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  std::ifstream written(path);
  unlink(path.c_str());
  return {std::istreambuf_iterator<char>(written), {}};
}

Count lines_of_all(const std::string& text) {
  const std::vector<Count> each = everyones(MPI_COMM_WORLD, std::count(text.begin(), text.end(), '\n'));
  return std::accumulate(each.begin(), each.end(), Count{0});
}

TEST(Prices, of_a_file_decide) {
  const SharedFile dear(prices_with(1e-4)), cheap(prices_with(1e-9));
  {
    const Prices named(dear.path());
    const Chosen way = chosen();
    EXPECT_EQ(way.prices.between_nodes.round_seconds, 1e-4);
    EXPECT_EQ(way.prices.between_nodes.byte_seconds, 1e-9);
    EXPECT_EQ(way.prices.between_nodes.latency_seconds, 7e-6);
    EXPECT_EQ(way.prices.on_node.round_seconds, 1e-5);
    EXPECT_EQ(way.schedule, by_node());
  }
  const Prices named(cheap.path());
  EXPECT_EQ(chosen().schedule, "direct");
}

TEST(Prices, of_other_levels_count_where_the_machine_has_them) {
  const plan::Price network{"network", {1e-4, 1e-9, 7e-6}, {"*", "*", "*", 4}, 1};
  const plan::Price near{"switch", {1e-9, 1e-9, 7e-6}, {"*", "*", "*", 4}, 1};
  const plan::Price domain{"numa", {3e-9, 0, 0}, {"*", "*", "*", 4}, 1};
  const SharedFile file(plan::with_prices("", {{network, near, domain}}));
  const Prices named(file.path());
  EXPECT_EQ(chosen().schedule, by_node());
  EXPECT_TRUE(chosen().prices.levels.empty());
  const Chosen way = chosen("switch:1 " + two_nodes());
  EXPECT_EQ(way.schedule, "direct");
  const LevelPrices& levels = way.prices.levels;
  ASSERT_NE(levels.find("switch"), nullptr);
  EXPECT_EQ(levels.find("switch")->round_seconds, 1e-9) << "of process " << world_rank();
  EXPECT_EQ(levels.find("numa"), nullptr);
  EXPECT_EQ(way.prices.between_nodes.round_seconds, 1e-4);
}

TEST(Prices, given_by_the_call_prevail) {
  const SharedFile cheap(prices_with(1e-9));
  const Prices named(cheap.path());
  const DescribedMachine described(two_nodes());
  const mpi::Comm world = shuffled_world(5);
  const mpi::Comm cart = ring(world.get());
  const Neighborhood neighborhood(cart.get(), Stencil(offsets));
  std::vector<std::byte> out, in;
  const std::vector<Block> send = blocks(out), receive = blocks(in);
  ExchangeOptions options;
  options.schedule = ScheduleChoice::automatic;
  options.costs = LevelCosts{{0, 0}, {1e-4, 1e-9}};
  EXPECT_EQ(Exchange::alltoall(neighborhood, send, receive, options).schedule(), by_node());
}

TEST(Prices, of_the_first_process_alone_are_those_of_all) {
  const SharedFile dear(prices_with(1e-4));
  const Prices named(world_rank() == 0 ? dear.path() : "none");
  const Chosen way = chosen();
  EXPECT_EQ(way.prices.between_nodes.round_seconds, 1e-4);
  EXPECT_EQ(way.schedule, by_node());
}

TEST(Prices, differ_from_process_to_process_without_harm) {
  const SharedFile dear(prices_with(1e-4)), cheap(prices_with(1e-9)), garbage("garbage");
  {
    const Prices named(world_rank() == 0 ? cheap.path() : world_rank() == 1 ? dear.path() : garbage.path());
    const Chosen way = chosen();
    EXPECT_EQ(way.prices.between_nodes.round_seconds, 1e-9);
    EXPECT_EQ(way.schedule, "direct");
  }
  const Prices named(world_rank() == 0 ? dear.path() : cheap.path());
  EXPECT_EQ(chosen().schedule, by_node());
}

TEST(Prices, that_cannot_be_used_are_named_once_and_the_usual_ones_hold) {
  Chosen usual;
  {
    const Prices none("none");
    usual = chosen();
  }
  // Every kind of damage is in tests/pure/plan; here are the ways that lead to them.
  const SharedFile garbage("\x01garbage\n\xff"), elsewhere(prices_with(1e-4, "no-such-host*")),
      of_another_mpi(prices_with(1e-4, "*", "lam"));
  const std::pair<std::string, const char*> cases[] = {{garbage.path(), "line 1"},
                                                       {elsewhere.path(), "line 2"},
                                                       {of_another_mpi.path(), "mpi=lam"},
                                                       {"/dev/zero", "plain file"},
                                                       {garbage.path() + "-not", "no such file"}};
  for (const auto& [path, named] : cases) {
    const Prices set(path);
    Chosen way;
    const std::string written = written_by([&] {
      way = chosen();
      if (path == garbage.path()) (void)chosen();  // without another word
    });
    EXPECT_EQ(way.prices.between_nodes.round_seconds, usual.prices.between_nodes.round_seconds) << path;
    EXPECT_EQ(way.schedule, usual.schedule) << path;
    EXPECT_EQ(lines_of_all(written), 1) << path << ": " << written;
    if (world_rank() != 0) continue;
    EXPECT_NE(written.find(path), std::string::npos) << written;
    EXPECT_NE(written.find(named), std::string::npos) << written;
  }
}

TEST(Prices, are_the_usual_ones_of_this_machine_without_a_file) {
  const Prices none("none");
  const LevelCosts prices = chosen().prices;
  // Tests may run on any machine: its processors are one to as many as there are here.
  const LevelCosts roomy = plan::default_prices({plan::look_at_network(), 1, 1});
  const LevelCosts crowded = plan::default_prices({plan::look_at_network(), world_size(), 1});
  EXPECT_GE(prices.between_nodes.round_seconds, roomy.between_nodes.round_seconds);
  EXPECT_LE(prices.between_nodes.round_seconds, crowded.between_nodes.round_seconds);
  EXPECT_EQ(prices.between_nodes.byte_seconds, roomy.between_nodes.byte_seconds);
  EXPECT_GE(prices.on_node.byte_seconds, roomy.on_node.byte_seconds);
  EXPECT_LE(prices.on_node.byte_seconds, crowded.on_node.byte_seconds);
}

}  // namespace
}  // namespace halocline::exchange_prices_tests
