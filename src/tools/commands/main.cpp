// SPDX-License-Identifier: BSD-3-Clause
// The halocline program: reads the command line, runs one subcommand, prints its answer once.
// Exit status: 0 done, 1 the work failed, 2 wrong use.

#include "halocline/base/error.hpp"
#include "halocline/version.h"
#include "mpi/handles/comm.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/out_of_memory.hpp"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace halocline::tools {

std::span<const Command> commands() {
  static constexpr std::array table{
      Command{"shape", "choose the process grid that fits a mesh and a machine",
              "halocline shape --levels 625,2,12 --mesh 1000x1100x950", declare_shape},
      Command{"place",
              "choose which process gets which cell of the grid, and count what that costs between nodes",
              "halocline place --grid 50x48 --nodes 50x48 --stencil hops --algorithm all", declare_place},
      Command{"plan",
              "plan grid, placement, schedule and packing for a mesh on a machine, beside the default",
              "halocline plan --mesh 1000x1100x950 --stencil moore:1 --nodes 50x48", declare_plan},
      Command{"map", "map tasks onto the nodes of a network, and count what their messages cost there",
              "halocline map --tasks 64x64 --task-torus --network torus:16x16x16 --order z,fz,hilbert",
              declare_map},
      Command{"bench", "measure communication on the processes of this job, beside the system's MPI",
              "mpirun -n 8 halocline bench exchange --stencil moore:1 --bytes 64,4096", declare_bench},
      Command{"simulate",
              "run exchanges on a machine that is only described, and compare placements and schedules",
              "halocline simulate --machine vsc4 --nodes 50 --grid 50x48 --place blocked,strips,best",
              declare_simulate, true},
      Command{"layout", "show what a datatype does to memory, and how fast each engine packs it",
              "halocline layout 'hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))'", declare_layout},
      Command{"schedule", "show the rounds and blocks of a neighbourhood collective with combined messages",
              "halocline schedule --dims 3 --stencil moore:1 --operation allgather --algorithm all",
              declare_schedule},
      Command{"machine", "show the machine discovered, as text and as what HALOCLINE_MACHINE takes",
              "mpirun -n 8 halocline machine", declare_machine},
      Command{"run", "start a command, with Halocline in its MPI programs",
              "halocline run --log -- mpirun -n 64 ./app", declare_run, true},
      Command{"trace",
              "start a command and record who sends how much to whom in its MPI programs, or show that",
              "halocline trace --output app.trace -- mpirun -n 64 ./app", declare_trace, true},
      Command{"doctor", "find what the MPI of this job gets wrong, does slowly or does not have",
              "mpirun -n 8 halocline doctor", declare_doctor},
      Command{"verify", "exchange random halos on the processes of this job, and look at every point of them",
              "mpirun -n 8 halocline verify --memory device --cases 1000", declare_verify},
      Command{"man", "print the manual page of the program or of a command, for man",
              "halocline man bench | man -l -", declare_man},
      Command{"completion", "print a script that completes commands and options in the shell",
              "source <(halocline completion bash)", declare_completion},
  };
  return table;
}

namespace {

constexpr int work_failed = 1;
constexpr int wrong_use = 2;

int status_of(Fault fault) {
  const bool callers_fault = fault == Fault::invalid_argument || fault == Fault::invalid_dimensions ||
                             fault == Fault::invalid_topology || fault == Fault::invalid_type;
  return callers_fault ? wrong_use : work_failed;
}

/// One line, whatever was on the command line: nothing in it moves a cursor.
void print_error(const std::string& message) {
  std::string line = message;
  for (char& c : line)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = c == '\n' || c == '\t' ? ' ' : '?';
  fmt::print(stderr, "halocline: {}\n", line);
}

/// Of the processes of a job the first one speaks. The others are content, since a launcher may end the job,
/// and with it the one that speaks, as soon as one is not.
int refuse(const std::string& message) {
  if (!first_of_job()) return 0;
  print_error(message);
  return wrong_use;
}

std::string command_names() {
  std::string names;
  for (const Command& command : commands()) names += (names.empty() ? "" : ", ") + std::string(command.name);
  return names;
}

struct Chosen {
  const CLI::App* app;
  Action action;
  bool alone;
};

/// Runs the chosen action; under an MPI launcher every process runs it and the first one speaks.
int run(const Chosen& chosen, bool as_json) {
  std::optional<MpiSession> session;
  bool speaking = true;
  try {
    if (!chosen.alone && launched_by_mpi()) {
      session.emplace();
      speaking = mpi::rank(MPI_COMM_WORLD) == 0;
    }
    const Answer answer = chosen.action();
    // Words of the command line need not be UTF-8, as JSON has to be.
    constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
    if (speaking) fmt::print("{}", as_json ? answer.json.dump(2, ' ', false, replace) + "\n" : answer.text);
    return 0;
  } catch (const Error& error) {
    if (speaking) print_error(error.what());
    return status_of(error.fault());
  } catch (const std::bad_alloc&) {
    if (speaking) print_error(out_of_memory_text(*chosen.app));
    return work_failed;
  } catch (const std::length_error&) {  // More than fits into any memory.
    if (speaking) print_error(out_of_memory_text(*chosen.app));
    return work_failed;
  } catch (const std::exception& error) {
    if (speaking) print_error(error.what());
    return work_failed;
  }
}

int main_checked(int argc, char** argv) {
  CLI::App app("Halocline makes the halo exchange of MPI stencil codes fast.", "halocline");
  app.set_version_flag("--version", "halocline " HALOCLINE_VERSION_TEXT);
  app.require_subcommand(1);
  app.footer("Each command: halocline COMMAND --help");

  bool as_json = false;
  std::vector<Chosen> chosen;
  for (const Command& command : commands()) {
    CLI::App* const options = app.add_subcommand(command.name, command.summary);
    Options declared(*options);
    declared.add_flag("--json", as_json, "print the answer as JSON");
    chosen.push_back({options, command.declare(declared), command.alone});
    options->footer(std::string("Example:\n  ") + command.example);
  }

  if (argc < 2) return refuse("a command is missing; it is one of " + command_names());
  const auto named = [&](const Command& command) { return std::string_view(argv[1]) == command.name; };
  if (argv[1][0] != '-' && std::none_of(commands().begin(), commands().end(), named))
    return refuse(fmt::format("unknown command '{}'; it is one of {}", argv[1], command_names()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      return refuse(fmt::format("{} (halocline --help tells more)", error.what()));
    return first_of_job() ? app.exit(error) : 0;  // --help or --version
  }
  for (const Chosen& command : chosen)
    if (command.app->parsed()) return run(command, as_json);
  return wrong_use;
}

}  // namespace
}  // namespace halocline::tools

int main(int argc, char** argv) {
  try {
    return halocline::tools::main_checked(argc, argv);
  } catch (const std::exception& error) {
    halocline::tools::print_error(error.what());
    return halocline::tools::work_failed;
  }
}
