// The plan of an exchange: it counts what is really sent, it can be written, and another one can be obeyed.

#include "exchange/scattered_block.hpp"
#include "halocline/base/error.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/option_words.hpp"
#include "support/random_prices.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

namespace halocline::exchange_plan_tests {
namespace {

const Layout byte = Layout::named(Elementary::byte);

/// Blocks of all processes to all around them, on described nodes.
class Blocks {
 public:
  Blocks(const std::string& machine, Grid grid, const Stencil& offsets, Counts bytes, Operation operation)
      : described_(machine),
        cart_(mpi::create_cart(MPI_COMM_WORLD, grid, grid.cell(world_rank()))),
        neighborhood_(cart_.get(), offsets),
        bytes_(std::move(bytes)),
        operation_(operation),
        memory_(std::size_t{1} << 18) {}

  [[nodiscard]] Exchange exchange(const std::string& schedule, const LevelCosts& prices = {}) {
    std::vector<Block> send, receive;
    for (const Count size : bytes_) {
      send.push_back({memory_.data(), byte, size});
      receive.push_back({memory_.data() + memory_.size() / 2, byte, size});
    }
    ExchangeOptions options = options_of_words(schedule);
    options.costs = prices;
    return operation_ == Operation::alltoall
               ? Exchange::alltoall(neighborhood_, send, receive, options)
               : Exchange::allgather(neighborhood_, send.front(), receive, options);
  }

 private:
  DescribedMachine described_;
  mpi::Comm cart_;
  Neighborhood neighborhood_;
  Counts bytes_;
  Operation operation_;
  std::vector<std::byte> memory_;
};

Grid grid_of_all() {
  Count first = 1;
  for (Count extent = 2; extent * extent <= world_size(); ++extent)
    if (world_size() % extent == 0) first = extent;
  return Grid({first, world_size() / first}, periodic(1, 0));
}

std::string nodes_of(Count size) {
  Counts sizes;
  for (Count left = world_size(); left > 0; left -= sizes.back()) sizes.push_back(std::min(size, left));
  return Machine::of_nodes(Runs(sizes)).to_text();
}

Traffic of_all(const halocline::Traffic& mine) {
  std::array<Count, 2> sums{mine.messages, mine.bytes};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return {sums[0], sums[1]};
}

TEST(PlanOfAnExchange, counts_what_is_sent) {
  for (const Operation operation : {Operation::alltoall, Operation::allgather})
    for (const Count node_size : {1, 2, 3})
      for (const char* const schedule :
           {"auto", "direct", "node", "mixed", "torus", "torus-direct", "basis"}) {
        Counts bytes(8, 300);
        if (operation == Operation::alltoall) bytes[2] = 5000, bytes[3] = 0;
        Blocks blocks(nodes_of(node_size), grid_of_all(), Stencil::moore(2, 1), bytes, operation);
        Exchange exchange = blocks.exchange(schedule);
        exchange.start();
        exchange.wait();
        const plan::Explanation both = exchange.plan();
        SCOPED_TRACE(testing::Message()
                     << schedule << ", " << node_size << " a node, "
                     << (operation == Operation::allgather ? "gathered " : "") << both.plan.schedule);
        EXPECT_EQ(both.plan.schedule, exchange.schedule());
        const Traffic network = of_all(exchange.statistics().network);
        EXPECT_EQ(both.plan.prediction.total.network.messages, network.messages);
        EXPECT_EQ(both.plan.prediction.total.network.bytes, network.bytes);
        EXPECT_EQ(plan::Explanation::parse(both.to_json()).to_text(), both.to_text());
      }
}

TEST(PlanOfAnExchange, is_written_once) {
  const FirstFolder folder;
  const FirstVariable wanted("HALOCLINE_PLAN", folder.file("plan.json"));
  for (const Count size : {64, 64, 100}) {
    Blocks blocks(nodes_of(2), grid_of_all(), Stencil::nearest(2), Counts(4, size), Operation::alltoall);
    const Exchange exchange = blocks.exchange("auto");
    if (world_rank() != 0) continue;
    const plan::Explanation written =
        plan::Explanation::parse(folder.text_of(size == 64 ? "plan.json" : "plan.2.json"));
    EXPECT_EQ(written.to_text(), exchange.plan().to_text());
    EXPECT_EQ(written.plan.schedule, exchange.schedule());
  }
  EXPECT_EQ(folder.text_of("plan.3.json"), "");
}

TEST(PlanOfAnExchange, is_obeyed_if_it_fits) {
  if (world_size() < 4) GTEST_SKIP();
  const LevelCosts dear_messages{{0, 0}, {1e-3, 1e-12}}, dear_bytes{{0, 1e-6}, {1e-9, 1e-12}};
  // All around a ring on two nodes: many messages between them, whatever the number of processes.
  const std::string halves = nodes_of((world_size() + 1) / 2);
  const auto blocks = [&](Count size) {
    return Blocks(halves, Grid({world_size()}, periodic(1)), Stencil::moore(1, 3), Counts(6, size),
                  Operation::alltoall);
  };
  const std::string planned = blocks(1000).exchange("auto", dear_messages).schedule();
  ASSERT_NE(planned, "direct");
  ASSERT_EQ(blocks(1000).exchange("auto", dear_bytes).schedule(), "direct");
  const std::string text = blocks(1000).exchange("auto", dear_messages).plan().to_json();
  const FirstFolder folder;
  {
    const FirstVariable use("HALOCLINE_PLAN_USE", folder.holding("plan.json", text));
    EXPECT_EQ(blocks(1000).exchange("auto", dear_bytes).schedule(), planned);
    EXPECT_EQ(blocks(1000).exchange("auto", dear_bytes).plan().plan.schedule, planned);
    EXPECT_EQ(blocks(1001).exchange("auto", dear_bytes).schedule(), "direct")
        << "the plan is for other sizes";
    EXPECT_EQ(blocks(1000).exchange("direct", dear_bytes).schedule(), "direct")
        << "the program says so itself";
    const Grid open({world_size()}, periodic(0));
    Blocks others(halves, open, Stencil::moore(1, 3), Counts(6, 1000), Operation::alltoall);
    EXPECT_EQ(others.exchange("auto", dear_bytes).schedule(), "direct") << "the plan is for another grid";
    Blocks elsewhere(nodes_of(world_size() - 1), Grid({world_size()}, periodic(1)), Stencil::moore(1, 3),
                     Counts(6, 1000), Operation::alltoall);
    EXPECT_EQ(elsewhere.exchange("auto", dear_bytes).schedule(), "direct") << "the plan is for other nodes";
  }
  for (const std::string& damaged :
       {text.substr(0, text.size() / 2), std::string("{}"), std::string("\0", 1)}) {
    const FirstVariable use("HALOCLINE_PLAN_USE", folder.holding("damaged.json", damaged));
    EXPECT_EQ(blocks(1000).exchange("auto", dear_bytes).schedule(), "direct");
  }
  const FirstVariable use("HALOCLINE_PLAN_USE", folder.file("nowhere.json"));
  EXPECT_EQ(blocks(1000).exchange("auto", dear_bytes).schedule(), "direct");
}

TEST(PlanOfAnExchange, of_nothing_is_refused) {
  Blocks blocks(nodes_of(2), grid_of_all(), Stencil::nearest(2), Counts(4, 0), Operation::alltoall);
  const Exchange exchange = blocks.exchange("auto");
  EXPECT_THROW((void)exchange.plan(), Error);
}

}  // namespace
}  // namespace halocline::exchange_plan_tests
