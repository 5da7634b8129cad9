// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate/simulated_machine.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace halocline::tools {
namespace {

namespace fs = std::filesystem;

/// Laid out in a build as where it was installed.
fs::path machine_folder() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return here.parent_path() / HALOCLINE_DATADIR / "halocline" / "machines";
}

SimulatedMachine read(const std::string& name, const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  require(in.good() && !fs::is_directory(file), "--machine ", name, ": ", file.string(), " cannot be read");
  try {
    return {name, text.str(), simulate::Cluster::parse(text.str())};
  } catch (const Error& error) {
    fail(error.fault(), "--machine ", name, ": ", error.what());
  }
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(machine_folder(), error))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

SimulatedMachine simulated_machine(const std::string& name_or_file) {
  const std::vector<std::string> names = known_names();
  if (std::find(names.begin(), names.end(), name_or_file) != names.end())
    return read(name_or_file, machine_folder() / (name_or_file + ".txt"));
  if (fs::exists(name_or_file)) return read(name_or_file, name_or_file);
  std::string list;
  for (const std::string& name : names) list += concat(list.empty() ? "" : ", ", name);
  fail(Fault::invalid_argument, "--machine ", name_or_file,
       ": there is no such file, and no such machine in ", machine_folder().string(), "; there are ",
       list.empty() ? "none" : list);
}

std::vector<SimulatedMachine> simulated_machines() {
  std::vector<SimulatedMachine> machines;
  for (const std::string& name : known_names())
    machines.push_back(read(name, machine_folder() / (name + ".txt")));
  return machines;
}

}  // namespace halocline::tools
