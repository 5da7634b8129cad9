// Blocking HCL_Neighbor_alltoall beside MPI_Neighbor_alltoall of the same MPI: 26 neighbours on a periodic
// grid of three dimensions, and the same exchange prepared. All in one run, in turns; medians of the times
// and of the ratios of a round. "other buffers": every second rank changes its buffers each time.

#include "base/fail.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm.hpp"
#include "parts.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <array>
#include <memory>
#include <vector>

namespace halocline::bench {
namespace {

using mpi::check;
using tools::Answer;
using tools::decimal;
using tools::middle_seconds;
using tools::speed_ups;
using tools::Table;

constexpr int neighbours = 26;

/// The same neighbours as MPI and as Halocline knows them.
struct Around {
  mpi::Comm cart, graph, comm;

  Around() {
    std::array<int, 3> dims{}, cell{};
    const std::array<int, 3> periods{1, 1, 1};
    HALOCLINE_MPI(Dims_create, mpi::size(MPI_COMM_WORLD), 3, dims.data());
    HALOCLINE_MPI(Cart_create, MPI_COMM_WORLD, 3, dims.data(), periods.data(), 0, cart.put());
    HALOCLINE_MPI(Cart_coords, cart.get(), mpi::rank(cart.get()), 3, cell.data());
    std::vector<int> offsets, sources, targets;
    for (int i = 0; i < 27; ++i) {
      if (i == 13) continue;
      const std::array<int, 3> offset{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
      offsets.insert(offsets.end(), offset.begin(), offset.end());
      std::array<int, 3> to{}, from{};
      for (std::size_t d = 0; d < 3; ++d) {
        to[d] = cell[d] + offset[d];
        from[d] = cell[d] - offset[d];
      }
      HALOCLINE_MPI(Cart_rank, cart.get(), to.data(), &targets.emplace_back());
      HALOCLINE_MPI(Cart_rank, cart.get(), from.data(), &sources.emplace_back());
    }
    HALOCLINE_MPI(Dist_graph_create_adjacent, cart.get(), neighbours, sources.data(), MPI_UNWEIGHTED,
                  neighbours, targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, graph.put());
    check(HCL_Neighborhood_create(cart.get(), neighbours, offsets.data(), comm.put()),
          "HCL_Neighborhood_create");
  }
};

/// Blocks of one size, and all ways to exchange them.
class Blocks {
 public:
  Blocks(const Around& around, Count bytes)
      : around_(around), bytes_(static_cast<int>(bytes)), changing_(mpi::rank(MPI_COMM_WORLD) % 2 != 0) {
    const auto all = static_cast<std::size_t>(bytes) * neighbours;
    for (std::size_t i : {0, 1}) {
      send_[i].assign(all, 'a');
      receive_[i].resize(all);
    }
    check(HCL_Neighbor_alltoall_init(send_[0].data(), bytes_, MPI_CHAR, receive_[0].data(), bytes_, MPI_CHAR,
                                     around.comm.get(), MPI_INFO_NULL, &request_),
          "HCL_Neighbor_alltoall_init");
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() { HCL_Request_free(&request_); }

  [[nodiscard]] std::vector<tools::Competitor> ways() {
    return {{"MPI_Neighbor_alltoall",
             [this] {
               HALOCLINE_MPI(Neighbor_alltoall, send_[0].data(), bytes_, MPI_CHAR, receive_[0].data(), bytes_,
                             MPI_CHAR, around_.graph.get());
             }},
            {"HCL_Neighbor_alltoall", [this] { call(0); }},
            {"HCL_Neighbor_alltoall, other buffers", [this] { call(changing_ ? ++turn_ % 2 : 0); }},
            {"HCL_Start, HCL_Wait", [this] {
               check(HCL_Start(&request_), "HCL_Start");
               check(HCL_Wait(&request_), "HCL_Wait");
             }}};
  }

 private:
  void call(std::size_t buffer) {
    check(HCL_Neighbor_alltoall(send_[buffer].data(), bytes_, MPI_CHAR, receive_[buffer].data(), bytes_,
                                MPI_CHAR, around_.comm.get()),
          "HCL_Neighbor_alltoall");
  }

  const Around& around_;
  int bytes_;
  bool changing_;
  std::size_t turn_ = 0;
  std::array<std::vector<char>, 2> send_, receive_;
  HCL_Request request_ = HCL_REQUEST_NULL;
};

struct CallWords {
  int repetitions = 1000;
  std::vector<std::string> bytes{"1"};
};

/// Sizes whose blocks could be in the memory of a process.
Counts sizes_of(const CallWords& words) {
  constexpr Count most = Count{1} << 26;
  Counts sizes;
  for (const std::string& text : words.bytes)
    for (const Count bytes :
         tools::read_option("bytes", text, [](const std::string& t) { return tools::parse_counts(t); })) {
      require(bytes >= 1 && bytes <= most, "bytes ", bytes, ": a block has 1 to ", most);
      sizes.push_back(bytes);
    }
  return sizes;
}

Answer answer_call(const CallWords& words) {
  const Counts sizes = sizes_of(words);
  const tools::MpiAnyway session;
  const Around around;
  Table table({Column::right("bytes", 8, "bytes"), Column::left("call", 38, "call", "  "),
               Column::right("time [us]", 10, "seconds"), Column::right("speedup", 8, "ratio")});
  for (const Count bytes : sizes) {
    Blocks blocks(around, bytes);
    const std::vector<tools::Competitor> ways = blocks.ways();
    const auto rounds =
        tools::measure(MPI_COMM_WORLD, ways, {.repetitions = 1, .runs = words.repetitions, .prepare = {}});
    for (std::size_t way = 0; way < ways.size(); ++way)
      table.add({bytes, ways[way].name, decimal(middle_seconds(rounds, way), 2, 1e6),
                 decimal(speed_ups(rounds, way).middle, 2)});
  }
  const int ranks = mpi::size(MPI_COMM_WORLD);
  return {concat(ranks, " ranks, ", neighbours, " neighbours each, ", words.repetitions,
                 " repetitions; medians; speedup: how many times as fast as MPI\n\n", table.to_text()),
          {{"ranks", ranks}, {"repetitions", words.repetitions}, {"results", table.to_json()}}};
}

}  // namespace

tools::Action declare_call(tools::Options& options) {
  auto words = std::make_shared<CallWords>();
  options.add_option("repetitions", words->repetitions, "of each way").capture_default_str().positive();
  options.add_option("bytes", words->bytes, "of a block, one size or several").capture_default_str();
  return [words] { return answer_call(*words); };
}

}  // namespace halocline::bench
