// halocline machine: what the processes run on, in the form that HALOCLINE_MACHINE takes back.

#include "halocline/mpi/discover.hpp"
#include "mpi/comm.hpp"
#include "tools/command.hpp"
#include "tools/mpi_session.hpp"
#include "tools/words.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace halocline::tools {
namespace {

struct Source {
  const char* key;
  const char* words;
};
constexpr Source described{"environment", "described by HALOCLINE_MACHINE"};
constexpr Source host{"host", "this host, one rank a core"};
constexpr Source job{"job", "discovered by the processes of this job"};

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
  answer.text =
      fmt::format("{} ranks on {} node{}: {}\n\n{:<10} {:>10}  ranks in each\n", machine.ranks(),
                  machine.nodes(), machine.nodes() == 1 ? "" : "s", source.words, "level", "groups");
  for (std::size_t level = 0; level < machine.levels().size(); ++level) {
    const std::string& name = machine.levels()[level].name;
    const Runs& sizes = machine.sizes(level);
    answer.json["levels"].push_back({{"name", name}, {"groups", sizes.size()}, {"sizes", runs_json(sizes)}});
    answer.text += fmt::format("{:<10} {:>10}  {}\n", name, sizes.size(),
                               sizes.uniform() ? std::to_string(sizes[0]) : sizes.to_text());
  }
  answer.text += fmt::format("\nHALOCLINE_MACHINE=\"{}\"\n", machine.to_text());
  return answer;
}

Answer answer_machine() {
  const char* const text = std::getenv("HALOCLINE_MACHINE");
  const bool is_described = text != nullptr && *text != '\0';
  if (launched_by_mpi()) return describe(discover(MPI_COMM_WORLD).machine, is_described ? described : job);
  if (is_described) return describe(read_option("HALOCLINE_MACHINE", text, Machine::parse), described);
  return describe(this_host(), host);
}

}  // namespace

Action declare_machine(Options& /*options*/) { return answer_machine; }

}  // namespace halocline::tools
