// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/cluster.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/quantity.hpp"
#include "network/routing/routing.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

namespace halocline::simulate {
namespace {

/// All of the text as `scan` reads it.
template <class Scan>
auto read_whole(const std::string& text, const char* noun, const char* example, const Scan& scan) {
  Scanner scanner(noun, text, example);
  const auto value = scan(scanner);
  scanner.expect_end();
  return value;
}

double seconds(const std::string& text) { return read_whole(text, "time", "300 ns", scan_seconds); }

double bytes_per_second(const std::string& text) {
  return read_whole(text, "rate", "12.5 GB/s", scan_bytes_per_second);
}

Count core_count(const std::string& text) {
  const Count cores = read_whole(text, "number of cores", "48", [](Scanner& scan) { return scan.integer(); });
  require(cores >= 1, "a node of ", cores, " cores");
  return cores;
}

/// SimGrid's clusters are less general than Network.
struct Simulable {
  void operator()(const Network::Cartesian& box) const {
    for (std::size_t d = 0; d < box.extents.size(); ++d)
      require(box.periodicity[d] || box.extents[d] == 1, "dimension ", d,
              " is open; the simulator has tori only");
  }
  void operator()(const Network::FatTree& tree) const {
    for (const auto& tier : tree.tiers)
      require(tier.bandwidth == tree.tiers.front().bandwidth, "tiers of ", tree.tiers.front().bandwidth,
              " and ", tier.bandwidth,
              " GB/s; the simulator has one speed for all links of a fat tree, but any number of them");
  }
  void operator()(const Network::Dragonfly&) const {}
};

Network simulable(const std::string& text) {
  Network network = Network::parse(text);
  std::visit(Simulable{}, network.topology());
  return network;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// A word's value and the line it was found in.
class Entries {
 public:
  explicit Entries(std::string_view text) {
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::string entry = trimmed(line.substr(0, line.find('#')));
      if (entry.empty()) continue;
      const std::size_t colon = entry.find(':');
      require(colon != std::string::npos, "line ", number, ": \"", entry, "\" is not \"word: value\"");
      add(trimmed(entry.substr(0, colon)), trimmed(entry.substr(colon + 1)), number);
    }
  }

  [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }
  [[nodiscard]] std::string title() const {
    const auto entry = entries_.find("title");
    return entry == entries_.end() ? std::string() : entry->second.first;
  }

  template <class Read>
  [[nodiscard]] auto get(const char* word, const Read& read) const {
    const auto entry = entries_.find(word);
    require(entry != entries_.end(), "there is no line \"", word, ": ...\"");
    const auto& [value, line] = entry->second;
    try {
      return read(value);
    } catch (const Error& error) {
      fail(error.fault(), "line ", line, ", ", word, ": ", value, ": ", error.what());
    }
  }

 private:
  static constexpr std::array words{"title",          "network",      "cores",         "link-latency",
                                    "node-bandwidth", "node-latency", "send-overhead", "receive-overhead"};

  void add(const std::string& word, const std::string& value, int line) {
    if (word == "source") return sources_.push_back(value);
    for (const char* const known : words) {
      if (word != known) continue;
      const bool fresh = entries_.emplace(word, std::pair(value, line)).second;
      require(fresh, "line ", line, ": ", word, " is said twice");
      return;
    }
    std::string names = "source";
    for (const char* const known : words) names += concat(", ", known);
    fail(Fault::invalid_argument, "line ", line, ": there is no word \"", word, "\"; there are ", names);
  }

  std::map<std::string, std::pair<std::string, int>> entries_;
  std::vector<std::string> sources_;
};

constexpr double gigabyte = 1e9;

/// What all links of a node carry together, in GB/s.
struct NodeBandwidth {
  double operator()(const Network::FatTree& tree) const {
    const Network::FatTree::Tier& last = tree.tiers.back();
    return to_double(last.parents * last.links) * last.bandwidth;
  }
  double operator()(const Network::Cartesian& box) const {
    double sum = 0;
    for (std::size_t d = 0; d < box.extents.size(); ++d)
      if (box.extents[d] > 1) sum += 2 * box.bandwidth(d, 0);
    return sum / to_double(box.hosts);
  }
  double operator()(const Network::Dragonfly& dragonfly) const { return dragonfly.terminal_bandwidth; }
};

}  // namespace

Cluster Cluster::parse(std::string_view text) {
  const Entries entries(text);
  return {entries.title(),
          entries.sources(),
          entries.get("network", simulable),
          entries.get("cores", core_count),
          entries.get("link-latency", seconds),
          entries.get("node-bandwidth", bytes_per_second),
          entries.get("node-latency", seconds),
          entries.get("send-overhead", seconds),
          entries.get("receive-overhead", seconds)};
}

void Cluster::require_room(const Machine& machine) const {
  require(machine.nodes() <= network.nodes(), machine.nodes(), " nodes on a network of ", network.nodes(),
          " (", network.to_text(), "); name fewer by --nodes, or a larger cluster by --machine");
  for (const Run& run : machine.node_sizes().runs())
    require(run.value <= cores, run.value, " processes on a node of ", cores, " cores");
}

LevelCosts Cluster::prices(bool shared, Count nodes) const {
  const double message = send_overhead_seconds + receive_overhead_seconds;
  const double bandwidth = std::visit(NodeBandwidth{}, network.topology()) * gigabyte;
  const network::Routing routing(network);
  Count links = 0;
  for (Count node = 1; node < nodes; ++node) links = std::max(links, routing.distance(0, node));
  const double latency = links > 0 ? to_double(links) * link_latency_seconds : node_latency_seconds;
  return {{shared ? 0 : message, 1 / node_bandwidth, node_latency_seconds},
          {message, 1 / bandwidth, latency}};
}

}  // namespace halocline::simulate
