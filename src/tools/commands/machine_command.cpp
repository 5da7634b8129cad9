// SPDX-License-Identifier: BSD-3-Clause
// halocline machine: what the processes run on, in the form that HALOCLINE_MACHINE takes back.

#include "base/settings.hpp"
#include "halocline/mpi/discover.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/prices/default_prices.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"
#include "tools/plan/device_report.hpp"
#include "tools/plan/job_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace halocline::tools {
namespace {

struct Source {
  const char* key;
  const char* words;
};
constexpr Source by_environment{"environment", "described by HALOCLINE_MACHINE"};
constexpr Source by_host{"host", "this host, one rank a core"};
constexpr Source by_job{"job", "discovered by the processes of this job"};

nlohmann::ordered_json runs_json(const Runs& runs) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [repeats, value] : runs.runs()) list.push_back({{"groups", repeats}, {"ranks", value}});
  return list;
}

Answer describe(const Machine& machine, const Source& source) {
  Answer answer;
  answer.json = {{"machine", machine.to_text()},
                 {"source", source.key},
                 {"ranks", machine.ranks()},
                 {"nodes", machine.nodes()},
                 {"levels", nlohmann::ordered_json::array()}};
  Table table({Column::left("level", 10, "name"), Column::right("groups", 10, "groups"),
               Column::left("ranks in each", 0, "sizes", "  ")});
  for (std::size_t level = 0; level < machine.levels().size(); ++level) {
    const std::string& name = machine.levels()[level].name;
    const Runs& sizes = machine.sizes(level);
    table.add({name,
               sizes.size(),
               {sizes.uniform() ? std::to_string(sizes[0]) : sizes.to_text(), runs_json(sizes)}});
  }
  answer.json["levels"] = table.to_json();
  answer.text = fmt::format("{} ranks on {} node{}: {}\n\n{}\nHALOCLINE_MACHINE=\"{}\"\n", machine.ranks(),
                            machine.nodes(), machine.nodes() == 1 ? "" : "s", source.words, table.to_text(),
                            machine.to_text());
  return answer;
}

/// How a program of this MPI is started on all nodes of a job.
std::string launch_words(std::string_view scheduler) {
  const bool slurm = scheduler == "slurm";
#if HALOCLINE_OPEN_MPI
  return slurm ? "mpirun halocline machine, or srun --mpi=pmix halocline machine"
               : "mpirun halocline machine";
#else
  return slurm ? "srun --mpi=pmi2 halocline machine" : "mpiexec halocline machine";
#endif
}

bool is_among(const std::string& host, const std::vector<std::string>& names) {
  const auto beginning = [](const std::string& name) { return name.substr(0, name.find('.')); };
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return beginning(name) == beginning(host); });
}

/// The nodes of a job of which MPI did not start this program: as halocline plan takes them, and what to do
/// to see what is inside.
Answer describe_job(const ScheduledNodes& job) {
  const auto& [names, slots] = job.hosts;
  const std::string words = fmt::format("from {}'s variables", job.called);
  Answer answer = describe(Machine::of_nodes(Runs(slots)), {job.scheduler, words.c_str()});
  const std::string host = plan::host_name();
  const char* const started = std::getenv("SLURM_STEP_NUM_TASKS");
  const bool strangers = started != nullptr && std::strcmp(started, "1") != 0;
  const std::string note = fmt::format(
      "{}This is {}{}. What is inside the nodes only processes on them see: {}.",
      strangers ? fmt::format("srun started {} processes that do not know of each other. ", started) : "",
      host, is_among(host, names) ? "" : ", which is no node of the job", launch_words(job.scheduler));
  answer.text += "\n" + note + "\n";
  answer.json["hosts"] = names;
  answer.json["note"] = note;
  return answer;
}

/// What a scheduler says that cannot be read is worth a sentence here, not a failure.
Answer describe_job_or_host() {
  std::string note;
  try {
    if (const std::optional<ScheduledNodes> job = scheduled_nodes()) return describe_job(*job);
  } catch (const Error& error) {
    note = error.what();
  }
  Answer answer = describe(halocline::this_host(), by_host);
  add_devices_of_host(answer);
  if (note.empty()) return answer;
  answer.json["note"] = note;
  answer.text +=
      fmt::format("\nThis is {} alone, in a job whose nodes cannot be told: {}\n", plan::host_name(), note);
  return answer;
}

Answer answer_machine() {
  const char* const text = std::getenv(settings::machine.variable);
  const bool is_described = text != nullptr && *text != '\0';
  if (launched_by_mpi()) {
    Answer answer = describe(discover(MPI_COMM_WORLD).machine, is_described ? by_environment : by_job);
    if (!is_described) add_devices_of_job(answer);
    return answer;
  }
  if (is_described)
    return describe(read_option(settings::machine.variable, text, Machine::parse), by_environment);
  return describe_job_or_host();
}

}  // namespace

Action declare_machine(Options& /*options*/) { return answer_machine; }

}  // namespace halocline::tools
