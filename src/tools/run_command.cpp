// halocline run: a command, with the preload library in every MPI program that it starts, on all nodes.

#include "halocline/base/error.hpp"
#include "tools/command.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace halocline::tools {
namespace {

namespace fs = std::filesystem;

struct RunWords {
  std::string off;
  bool log = false;
  std::vector<std::string> command;
};

constexpr std::array features{"reorder", "neighbor", "types"};

/// Beside the program, as in a build; or in the library folder of where it was installed.
fs::path preload_library() {
  constexpr const char* name = "libhalocline-preload.so";
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& file : {here / name, here.parent_path() / HALOCLINE_LIBDIR / name})
    if (access(file.c_str(), R_OK) == 0) return file;
  fail(Fault::unsupported, "there is no ", name, " in ", here.string(), " or in ",
       (here.parent_path() / HALOCLINE_LIBDIR).string());
}

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

void set(const std::string& variable, const std::string& value) {
  setenv(variable.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
}

void set_preload(const fs::path& library) {
  const std::string before = value_of("LD_PRELOAD");
  set("LD_PRELOAD", library.string() + (before.empty() ? "" : ":" + before));
}

void switch_off(const std::string& feature) {
  for (const char* const known : features) {
    if (feature != known) continue;
    std::string variable = "HALOCLINE_" + feature;
    for (char& c : variable) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return set(variable, "off");
  }
  fail(Fault::invalid_argument, "--off ", feature, ": there are reorder, neighbor and types");
}

/// Open MPI gives ranks on other nodes only the variables that it is told to; other launchers give them all.
void hand_on_to_all_nodes() {
  constexpr const char* list = "OMPI_MCA_mca_base_env_list";
  set("HALOCLINE_EVERYWHERE", "1");
  std::string names = value_of(list);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable(*entry, std::strcspn(*entry, "="));
    if (variable == "LD_PRELOAD" || variable.starts_with("HALOCLINE"))
      names += (names.empty() ? "" : ";") + variable;
  }
  set(list, names);
}

Answer execute(const RunWords& words) {
  require(!words.command.empty(), "a command is missing; halocline run -- mpirun -n 64 ./app");
  const fs::path library = preload_library();
  std::istringstream off(words.off);
  for (std::string feature; std::getline(off, feature, ',');) switch_off(feature);
  if (words.log) set("HALOCLINE_LOG", "info");
  set_preload(library);
  hand_on_to_all_nodes();
  std::vector<char*> arguments;
  for (const std::string& word : words.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  fail(Fault::unsupported, "cannot start ", words.command.front(), ": ", std::strerror(errno));
}

}  // namespace

Action declare_run(CLI::App& options) {
  const auto words = std::make_shared<RunWords>();
  options.add_option("--off", words->off, "leave to MPI what is listed: reorder,neighbor,types");
  options.add_flag("--log", words->log, "at the end rank 0 tells what was taken over, and what not and why");
  options.add_option("command", words->command, "what to run, after --");
  return [words] { return execute(*words); };
}

}  // namespace halocline::tools
