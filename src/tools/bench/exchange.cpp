// SPDX-License-Identifier: BSD-3-Clause
// halocline bench exchange: the exchange of blocks with all neighbours, beside what MPI and programs do.

#include "halocline/exchange/exchange.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "exchange/planning/option_words.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/options/option_names.hpp"
#include "schedule/algorithms.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/bench/measuring/plot.hpp"
#include "tools/bench/rivals/copies_alone.hpp"
#include "tools/bench/rivals/rival_exchanges.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

namespace halocline::tools {
namespace {

struct ExchangeWords {
  JobGridWords grid;
  int dimensions = 3;
  StencilWords stencil{"moore:1"};
  PeriodicWords periodic{"all"};
  std::string operation = "alltoall";
  std::string bytes = "1,64,1024,4096,16384,65536";
  std::string ways = "mpi,plain,hand,auto";
  ContestRules rules;
  std::string plot;
};

/// By its name on the command line: our schedules, and behind them how processes of a node exchange.
ExchangeOptions options_of(const std::string& way) {
  ExchangeOptions options;
  std::string schedule = way;
  options.shared = SharedMemory::on;
  for (const auto& [behind, shared] :
       {std::pair("-messages", SharedMemory::off), std::pair("-buffered", SharedMemory::buffered)})
    if (way.ends_with(behind)) {
      schedule = way.substr(0, way.size() - std::string_view(behind).size());
      options.shared = shared;
    }
  options.schedule = plan::schedule_named(schedule);
  return options;
}

/// What the words say, as far as it does not take processes to know.
struct Wanted {
  Counts extents;  ///< Empty: MPI_Dims_create.
  Periodicity periodicity;
  Stencil offsets;
  Operation operation;
  Counts sizes;
};

Counts sizes_of(const std::string& text) {
  constexpr Count most_bytes = Count{1} << 30;
  Counts sizes = parse_counts(text);
  for (const Count bytes : sizes)
    require(bytes >= 1 && bytes <= most_bytes, "a block of ", bytes, " bytes; it takes 1 to ", most_bytes);
  return sizes;
}

Operation operation_of(const std::string& name) {
  require(name == "alltoall" || name == "allgather", "--operation ", name, ": it is alltoall or allgather");
  return name == "alltoall" ? Operation::alltoall : Operation::allgather;
}

Wanted wanted_of(const ExchangeWords& words) {
  constexpr int most_dimensions = 64;
  const Counts extents = words.grid.given() ? words.grid.grid().extents() : Counts();
  require(words.dimensions >= 1 && words.dimensions <= most_dimensions, "--dims ", words.dimensions,
          ": a grid has 1 to ", most_dimensions, " dimensions");
  const std::size_t dimensions = extents.empty() ? to_size(words.dimensions) : extents.size();
  check_plot_file(words.plot);
  return {extents, words.periodic.periodicity(dimensions), words.stencil.stencil(dimensions),
          operation_of(words.operation), read_option("--bytes", words.bytes, sizes_of)};
}

Grid grid_of(const Wanted& wanted, int processes) {
  if (!wanted.extents.empty()) return Grid(wanted.extents, wanted.periodicity);
  std::vector<int> dims(wanted.periodicity.size(), 0);
  HALOCLINE_MPI(Dims_create, processes, to_int(dims.size()), dims.data());
  return Grid(Counts(dims.begin(), dims.end()), wanted.periodicity);
}

/// The buffers and competitors for one block size. @pre block_bytes > 0
class ExchangeContest {
 public:
  ExchangeContest(MPI_Comm cart, const Grid& grid, const Neighborhood& neighborhood, Operation operation,
                  Count block_bytes, const std::vector<std::string>& ways)
      : receive_(to_size(block_bytes) * neighborhood.size()) {
    const Rank rank = mpi::rank(cart);
    const std::size_t bytes =
        to_size(block_bytes) * (operation == Operation::allgather ? 1 : neighborhood.size());
    if (std::ranges::count(ways, "copy") > 0) {
      seen_ = std::make_shared<SeenBuffer>(cart, bytes, "copy");
      send_ = {seen_->of(rank), bytes};
    } else {
      own_.resize(bytes);
      send_ = own_;
    }
    const RivalProblem problem{
        cart,           operation,           exchange::neighbours_of(grid, neighborhood.offsets(), rank),
        rank,           to_int(block_bytes), send_.data(),
        receive_.data()};
    for (const std::string& way : ways) contestants.push_back(contestant(way, problem, neighborhood));
  }

  void rewrite() {
    ++generation_;
    std::fill(send_.begin(), send_.end(), static_cast<std::byte>(generation_));
  }

  std::vector<Contestant> contestants;

 private:
  [[nodiscard]] Contestant contestant(const std::string& way, const RivalProblem& problem,
                                      const Neighborhood& neighborhood) const {
    if (way == "mpi")
      return {{way, [rival = std::make_shared<NeighborCollective>(problem)] { rival->run(); }}};
    if (way == "plain") return {{way, [rival = std::make_shared<PlainMessages>(problem)] { rival->run(); }}};
    if (way == "hand") return {{way, [rival = std::make_shared<HandWritten>(problem)] { rival->run(); }}};
    if (way == "copy")
      return {{way, [rival = std::make_shared<CopiesOnce>(problem, seen_)] { rival->run(); }}};
    if (way == "copy-twice")
      return {{way, [rival = std::make_shared<CopiesTwice>(problem)] { rival->run(); }}};
    if (way == "copy-by-kernel")
      return {{way, [rival = std::make_shared<CopiesByKernel>(problem)] { rival->run(); }}};
    const Layout byte = Layout::named(Elementary::byte);
    std::vector<Block> send, receive;
    for (std::size_t i = 0; i < neighborhood.size(); ++i) {
      send.push_back({problem.sent(i), byte, problem.block_bytes});
      receive.push_back({problem.received(i), byte, problem.block_bytes});
    }
    const ExchangeOptions options = options_of(way);
    const auto make = [&] {
      return std::make_shared<Exchange>(
          problem.operation == Operation::allgather
              ? Exchange::allgather(neighborhood, send.front(), receive, options)
              : Exchange::alltoall(neighborhood, send, receive, options));
    };
    auto ours = make();  // the first one may have to make shared memory and the schedule
    const ContestRules rules{.repetitions = 9, .runs = 1, .inner = 1, .prepare = {}};
    const double init = measure(problem.cart, {{way, [&] { (void)make(); }}}, rules).front().front();
    return {{way,
             [ours] {
               ours->start();
               ours->wait();
             }},
            ours->schedule(),
            init};
  }

  std::shared_ptr<const SeenBuffer> seen_;  ///< What is sent, if all processes have to see it.
  std::vector<std::byte> own_;              ///< What is sent otherwise.
  std::span<std::byte> send_;
  std::vector<std::byte> receive_;
  unsigned generation_ = 0;
};

Answer answer_bench_exchange(const ExchangeWords& words) {
  const Wanted wanted = wanted_of(words);
  require(launched_by_mpi(), "bench exchange needs processes: mpirun -n 8 halocline bench exchange");
  const auto& [extents, periodicity, offsets, operation, sizes] = wanted;
  const int processes = mpi::size(MPI_COMM_WORLD);
  const Grid grid = grid_of(wanted, processes);
  require(grid.size() == processes, "--grid ", grid.to_text(), ": ", grid.size(), " cells for ", processes,
          " processes");
  const mpi::Comm cart = mpi::create_cart(MPI_COMM_WORLD, grid, grid.cell(mpi::rank(MPI_COMM_WORLD)));
  const Neighborhood neighborhood(cart.get(), offsets);
  const std::vector<std::string> ways = split(words.ways);

  Answer answer;
  answer.json = {{"ranks", processes},
                 {"grid", grid.to_text()},
                 {"neighbours", offsets.size()},
                 {"operation", words.operation},
                 {"repetitions", words.rules.repetitions},
                 {"runs", words.rules.runs},
                 {"results", nlohmann::ordered_json::array()}};
  answer.text = fmt::format(
      "{} to {} neighbours, {} processes as {}; {} repetitions, {} runs; ratio to {}\n\n", words.operation,
      offsets.size(), processes, grid.to_text(), words.rules.repetitions, words.rules.runs, ways.front());
  Table table = contest_table("bytes", "block_bytes");
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    show_progress(cart.get(), fmt::format("blocks of {} bytes ({} of {})", sizes[s], s + 1, sizes.size()));
    ExchangeContest contest(cart.get(), grid, neighborhood, operation, sizes[s], ways);
    ContestRules rules = words.rules;
    rules.prepare = [&](const Competitor& /*all have the same data*/) { contest.rewrite(); };
    run_contest(table, cart.get(), sizes[s], contest.contestants, rules);
  }
  answer.text += table.to_text();
  answer.json["results"] = table.to_json();
  show_progress(cart.get(), "");
  if (mpi::rank(MPI_COMM_WORLD) == 0)
    plot_ratios(answer, "block_bytes",
                fmt::format("{} to {} neighbours, {} processes as {}", words.operation, offsets.size(),
                            processes, grid.to_text()),
                words.plot);
  return answer;
}

}  // namespace

Action declare_bench_exchange(Options& options) {
  auto words = std::make_shared<ExchangeWords>();
  words->grid.declare(options);
  options.add_option("--dims", words->dimensions, "dimensions of the default grid").capture_default_str();
  words->periodic.declare(options);
  words->stencil.declare(options);
  options.add_option("--operation", words->operation, "alltoall or allgather").capture_default_str();
  options.add_option("--bytes", words->bytes, "block sizes").capture_default_str();
  options
      .add_option(
          "--ways", words->ways,
          "what to compare, the first is the measure: mpi, plain, hand, auto, direct, node, mixed, torus, "
          "torus-direct, basis; with -messages behind it without shared memory, with -buffered without "
          "copies straight from process to process; copy, copy-twice and copy-by-kernel only copy the blocks "
          "on "
          "one node, out of shared memory, into and out of it, and by the system: the least that any way "
          "takes "
          "there")
      .capture_default_str();
  add_contest_options(options, words->rules);
  add_plot_option(options, words->plot);
  return [words] { return answer_bench_exchange(*words); };
}

}  // namespace halocline::tools
