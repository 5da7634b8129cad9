// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/default_prices.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <unistd.h>

namespace halocline::plan {
namespace {

namespace fs = std::filesystem;

// Of the size seen on current machines, not measurements of any; those of LevelCosts are of a fast network.
constexpr schedule::LinearCost tcp{5e-6, 1 / 125e6, 15e-6};  // at 1 Gbit/s

/// Is there an entry whose name begins like that?
bool has_entry(const fs::path& folder, std::string_view beginning = "") {
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
    if (it->path().filename().native().starts_with(beginning)) return true;
  return false;
}

/// In bytes a second; 0 if the interface does not tell. Virtual ones say whatever they like.
double link_speed(const fs::path& interface) {
  constexpr double bytes_of_megabit = 1e6 / 8, most_megabits = 1e7;
  std::error_code failure;
  if (!fs::exists(interface / "device", failure)) return 0;
  std::ifstream file(interface / "speed");
  double megabits = 0;
  file >> megabits;  // -1, or 2^32 - 1 of older kernels, is not known
  return file && megabits > 0 && megabits <= most_megabits ? megabits * bytes_of_megabit : 0;
}

double fastest_link(const fs::path& interfaces) {
  double fastest = 0;
  std::error_code failure;
  for (fs::directory_iterator it(interfaces, failure), end; !failure && it != end; it.increment(failure))
    fastest = std::max(fastest, link_speed(it->path()));
  return fastest;
}

}  // namespace

LevelCosts default_prices(const MachineFacts& facts) {
  LevelCosts prices;
  if (facts.network.kind == "tcp") prices.between_nodes = tcp;
  if (facts.network.kind == "tcp" && facts.network.link_bytes_per_second > 0)
    prices.between_nodes.byte_seconds = 1 / facts.network.link_bytes_per_second;
  if (facts.processors > 0 && facts.processes > facts.processors) {
    const double factor = ratio_of(facts.processes, facts.processors);
    for (schedule::LinearCost* const price : {&prices.on_node, &prices.between_nodes}) {
      price->round_seconds *= factor;
      price->latency_seconds *= factor;
    }
    prices.on_node.byte_seconds *= factor;  // a processor copies for several
  }
  return prices;
}

NetworkFacts look_at_network(const fs::path& root) try {
  if (has_entry(root / "sys/class/cxi")) return {"cxi"};
  if (has_entry(root / "dev", "hfi1")) return {"hfi1"};
  if (has_entry(root / "sys/class/infiniband")) return {"infiniband"};
  return {"tcp", fastest_link(root / "sys/class/net")};
} catch (const std::exception&) {  // memory, or a name that is none
  return {};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

}  // namespace halocline::plan
