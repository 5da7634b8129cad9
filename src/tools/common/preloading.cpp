// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/preloading.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sstream>

#include <unistd.h>

namespace halocline::tools {
namespace {

namespace fs = std::filesystem;

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

void set_preload(const std::vector<fs::path>& libraries) {
  std::vector<std::string> names;
  names.reserve(libraries.size());
  for (const fs::path& library : libraries) names.push_back(library.string());
  std::istringstream before(value_of("LD_PRELOAD"));
  for (std::string name; std::getline(before, name, ':');)
    if (!name.empty()) names.push_back(name);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return fs::path(name).filename() == order_library; });
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ":") + name;
  set_variable("LD_PRELOAD", joined);
}

/// What the ranks must have, on whatever node.
std::vector<std::string> variables_for_ranks() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable(*entry, std::strcspn(*entry, "="));
    // The name of the preload library's own begins all others.
    if (variable == "LD_PRELOAD" || variable.starts_with(settings::preload.variable))
      names.push_back(variable);
  }
  return names;
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), fs::path(word).filename().string()) != names.end();
}

/// Open MPI's launcher gives ranks on other nodes only the variables that it is told to, either by options or
/// by a list in its environment; both at once it refuses. Where it is hidden in a script nothing is done, and
/// the preload library stays out of jobs of several nodes. All other launchers hand everything on. Options
/// are those of one program: for several, with colons between them, there is only the list.
std::vector<std::string> handed_on_to_all_nodes(std::vector<std::string> command) {
  // The second is handed to all by Open MPI itself, as all are that begin like this.
  constexpr const char *list = "OMPI_MCA_mca_base_env_list", *everywhere = settings::everywhere.variable;
  const auto has = [&](const char* word) {
    return std::find(command.begin(), command.end(), word) != command.end();
  };
  const auto is_launcher = [](const std::string& word) {
    return is_one_of(word, {"mpirun", "mpiexec", "orterun", "mpirun.openmpi", "mpiexec.openmpi"});
  };
  const auto launcher =
      HALOCLINE_OPEN_MPI ? std::find_if(command.begin(), command.end(), is_launcher) : command.end();
  if (launcher == command.end()) {
    if (is_one_of(command.front(), {"srun"})) set_variable(everywhere, "1");
    return command;
  }
  const bool by_list = has(":") || !value_of(list).empty();
  if (has("mca_base_env_list") || (by_list && has("-x"))) return command;
  set_variable(everywhere, "1");
  std::vector<std::string> options;
  for (const std::string& variable : variables_for_ranks()) {
    if (const std::string names = value_of(list); by_list)
      set_variable(list, names.empty() ? variable : concat(names, ";", variable));
    else
      options.insert(options.end(), {"-x", variable});
  }
  command.insert(launcher + 1, options.begin(), options.end());
  return command;
}

}  // namespace

void set_variable(const std::string& variable, const std::string& value) {
  setenv(variable.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
}

void become_preloaded(const std::vector<fs::path>& libraries, const std::vector<std::string>& command) {
  set_preload(libraries);
  std::vector<std::string> whole = handed_on_to_all_nodes(command);
  std::vector<char*> arguments;
  arguments.reserve(whole.size() + 1);
  for (std::string& word : whole) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  fail(Fault::unsupported, "cannot start ", command.front(), ": ", std::strerror(errno));
}

}  // namespace halocline::tools
