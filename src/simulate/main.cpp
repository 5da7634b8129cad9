// SPDX-License-Identifier: BSD-3-Clause
// halocline-simulated: one job on one simulated cluster. The command line program starts it; it writes a line
// for each result and "progress 37" for each percent, or one line "error ..." and fails.

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "simulate/overheads.hpp"
#include "simulate/platform.hpp"
#include "simulate/process.hpp"

#include <mpi.h>
#include <simgrid/s4u.hpp>

#include <array>
#include <cstdio>
#include <string>
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

void simulate(sg::Engine& engine, const hs::Job& job) {
  smpi_init_options();  // before this SimGrid does not know the settings of SMPI, and later it is too late
  configure(job.cluster);
  SMPI_init();
  const std::vector<sg::Host*> hosts = hs::build_platform(job.cluster);
  hs::Stage stage(
      job, [](const hs::Result& result) { write_line(result.to_line()); },
      [](int percent) { write_line(halocline::concat("progress ", percent)); });
  SMPI_app_instance_register(instance, nullptr, halocline::to_int(job.machine.ranks()));
  for (halocline::Rank cell = 0; cell < job.grid.size(); ++cell) {
    const halocline::Rank core = stage.placement().rank(job.grid.cell(cell));
    const auto node = halocline::to_index(job.machine.node_of(core));
    const sg::ActorPtr process = sg::Actor::init(halocline::concat("rank", cell), hosts[node]);
    process->set_property("instance_id", instance);
    process->set_property("rank", std::to_string(cell));
    process->start([&stage, cell] {
      try {
        hs::run_process(stage, cell);
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

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<const char*> words(argv + 1, argv + argc);
    const hs::Job job = hs::Job::parse(words);
    // SimGrid looks for options of its own, and says on stderr what it was told.
    std::string quiet = "--log=root.threshold:error";
    std::array<char*, 3> own{argv[0], quiet.data(), nullptr};
    int own_count = 2;
    sg::Engine engine(&own_count, own.data());
    simulate(engine, job);
    return 0;
  } catch (const std::exception& error) {
    end_with(error.what());
  }
}
