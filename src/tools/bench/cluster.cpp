// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/cluster.hpp"

#include "base/fail.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"
#include "tools/common/mpi_session.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <unistd.h>

namespace halocline::tools {
namespace {

namespace fs = std::filesystem;

/// As the script reads it: there "010" would be eight.
std::string checked(const std::string& cluster) {
  Scanner scan("cluster", cluster, "4x8@1000mbit");
  const Count nodes = scan.integer();
  scan.expect("x");
  const Count ranks = scan.integer();
  scan.expect("@");
  const Count rate = scan.integer();
  scan.expect("mbit");
  scan.expect_end();
  constexpr Count most_nodes = 199, most_ranks = 1024, most_rate = 1'000'000;
  if (nodes < 1 || nodes > most_nodes) scan.refuse(nodes, " nodes; there may be 1 to ", most_nodes);
  if (ranks < 1 || ranks > most_ranks / nodes)
    scan.refuse(ranks, " processes a node; all together may be 1 to ", most_ranks);
  if (rate < 1 || rate > most_rate) scan.refuse("a rate of ", rate, " Mbit/s; there may be 1 to ", most_rate);
  return concat(nodes, "x", ranks, "@", rate, "mbit");
}

/// The command line of this process, without --cluster.
std::vector<std::string> other_words() {
  std::ifstream line("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  bool skip = false;
  for (std::string word; std::getline(line, word, '\0');) {
    const bool skipped = std::exchange(skip, word == "--cluster");
    if (skipped || skip || word.starts_with("--cluster=")) continue;
    words.push_back(word);
  }
  return words;
}

}  // namespace

void run_on_cluster(const std::string& wanted) {
  const std::string cluster = checked(wanted);
  require(!launched_by_mpi(), "--cluster starts the processes itself: without mpirun");
  if (geteuid() != 0) fail(Fault::unsupported, "--cluster makes network namespaces, which needs root");
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path script = self.parent_path() / "halocline-cluster";
  if (access(script.c_str(), X_OK) != 0)
    fail(Fault::unsupported, "there is no halocline-cluster in ", self.parent_path().string());
  std::vector<std::string> words = other_words();
  words.front() = self.string();
  words.insert(words.begin(), {script.string(), cluster});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  fail(Fault::unsupported, "cannot start ", script.string(), ": ", std::strerror(errno));
}

}  // namespace halocline::tools
