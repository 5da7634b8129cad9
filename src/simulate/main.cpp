// SPDX-License-Identifier: BSD-3-Clause
// halocline-simulated: one job, or the messages of one trace, on one simulated cluster. The command line
// program starts it; it writes a line for each result and "progress 37" for each percent, or one line "error
// ..." and fails.

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "simulate/overheads.hpp"
#include "simulate/platform.hpp"
#include "simulate/process.hpp"
#include "simulate/traced_process.hpp"

#include <mpi.h>
#include <simgrid/s4u.hpp>

#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace {

namespace sg = simgrid::s4u;
namespace hs = halocline::simulate;

/// Time passes for messages alone. Stacks are small, since there are thousands of them. Collectives go along
/// trees: they only prepare exchanges, and the fewer messages they have the sooner that is done. No message
/// is buffered: SimGrid has one list of all that are, and looks through it whenever one has arrived. Rates
/// are shared out to a thousandth of a byte a second: by default, rounding errors of many flows end the
/// program.
constexpr std::array settings{"network/model:CM02",
                              "network/crosstraffic:0",
                              "surf/precision:1e-11",
                              "maxmin/precision:1e-3",
                              "smpi/simulate-computation:no",
                              "smpi/host-speed:1Gf",
                              "smpi/test:0",
                              "smpi/wtime:0",
                              "smpi/send-is-detached-thresh:0",
                              "smpi/privatization:no",
                              "smpi/allgather:GB",
                              "smpi/gather:ompi_binomial",
                              "smpi/allreduce:redbcast",
                              "smpi/reduce:binomial",
                              "smpi/bcast:binomial_tree",
                              "contexts/stack-size:256"};

constexpr const char* instance = "exchange";

void configure(const hs::Cluster& cluster) {
  for (const char* const setting : settings) sg::Engine::set_config(setting);
  hs::overheads() = {cluster.send_overhead_seconds, cluster.receive_overhead_seconds,
                     1 / cluster.node_bandwidth};
}

void write_line(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

/// The others wait for a process that failed, so nothing can be left in order.
[[noreturn]] void end_with(const char* what) {
  std::printf("error %s\n", what);
  std::fflush(stdout);
  _exit(1);
}

/// The cluster as SimGrid has it.
std::vector<sg::Host*> set_up(const hs::Cluster& cluster) {
  smpi_init_options();  // before this SimGrid does not know the settings of SMPI, and later it is too late
  configure(cluster);
  SMPI_init();
  return hs::build_platform(cluster);
}

/// The processes, by rank: where each is, and what it does.
struct Cast {
  const halocline::Machine& machine;
  std::function<halocline::Rank(halocline::Rank rank)> core_of;
  std::function<void(halocline::Rank rank)> live;
};

/// Until all of them are done.
void play(sg::Engine& engine, const std::vector<sg::Host*>& hosts, const Cast& cast) {
  SMPI_app_instance_register(instance, nullptr, halocline::to_int(cast.machine.ranks()));
  for (halocline::Rank rank = 0; rank < cast.machine.ranks(); ++rank) {
    const auto node = halocline::to_index(cast.machine.node_of(cast.core_of(rank)));
    const sg::ActorPtr process = sg::Actor::init(halocline::concat("rank", rank), hosts[node]);
    process->set_property("instance_id", instance);
    process->set_property("rank", std::to_string(rank));
    process->start([&cast, rank] {
      try {
        cast.live(rank);
      } catch (const std::exception& error) {
        end_with(error.what());
      }
    });
  }
  // SimGrid would end them, and the program with success.
  sg::Engine::on_deadlock_cb([] { end_with("all processes wait for each other"); });
  engine.run();
  SMPI_finalize();
}

void simulate(sg::Engine& engine, const hs::Job& job) {
  const std::vector<sg::Host*> hosts = set_up(job.cluster);
  hs::Stage stage(
      job, [](const hs::Result& result) { write_line(result.to_line()); },
      [](int percent) { write_line(halocline::concat("progress ", percent)); });
  play(engine, hosts,
       {job.machine, [&](halocline::Rank cell) { return stage.placement().rank(job.grid.cell(cell)); },
        [&](halocline::Rank cell) { hs::run_process(stage, cell); }});
}

void simulate(sg::Engine& engine, const hs::TracedRound& round) {
  const std::vector<sg::Host*> hosts = set_up(round.cluster);
  hs::TracedStage stage(round);
  const std::vector<halocline::Rank> positions = round.order.positions();
  play(engine, hosts,
       {round.machine, [&](halocline::Rank rank) { return positions[halocline::to_index(rank)]; },
        [&](halocline::Rank rank) { hs::run_traced_process(stage, rank); }});
  write_line(hs::Result{"round", round.messages.bytes(), stage.seconds(), false}.to_line());
}

template <class Play>
void simulate_words(const std::vector<const char*>& words, std::string program) {
  const Play described = Play::parse(words);
  // SimGrid looks for options of its own, and says on stderr what it was told.
  std::string quiet = "--log=root.threshold:error";
  std::array<char*, 3> own{program.data(), quiet.data(), nullptr};
  int own_count = 2;
  sg::Engine engine(&own_count, own.data());
  simulate(engine, described);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<const char*> words(argv + 1, argv + argc);
    const bool traced = !words.empty() && words.front() == std::string_view(hs::traced_round_word);
    (traced ? simulate_words<hs::TracedRound> : simulate_words<hs::Job>)(words, argv[0]);
    return 0;
  } catch (const std::exception& error) {
    end_with(error.what());
  }
}
