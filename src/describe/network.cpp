// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/network.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace halocline {
namespace {

using Cartesian = Network::Cartesian;
using FatTree = Network::FatTree;
using Tier = FatTree::Tier;
using Dragonfly = Network::Dragonfly;

constexpr const char* network_example =
    "\"torus:25x16x24 bandwidth:75,75/37.5,120/75 hosts:2\", mesh:8x8, \"fat-tree:5x24 parents:12x1\" or "
    "\"dragonfly:9x4x2 global:2 bandwidth:4,5,10\"";

// What a network may be, and what stands for a default.

void require_bandwidth(double bandwidth) {
  require(std::isfinite(bandwidth) && bandwidth > 0, "the network bandwidth ", bandwidth,
          " is not a positive finite number");
}

void require_positive(const char* what, Count count) {
  if (count < 1)
    fail(Fault::invalid_dimensions, "the network's number of ", what, " is ", count,
         ", which is not positive");
}

void require_links_fit(const char* where, const Counts& factors) {
  try {
    (void)checked_product(factors);
  } catch (const Error& error) {
    fail(Fault::invalid_dimensions, "network with too many links ", where, ": ", error.what());
  }
}

Cartesian completed(Cartesian network) {
  auto& [extents, periodicity, bandwidths, hosts] = network;
  if (extents.empty()) fail(Fault::invalid_dimensions, "a mesh or torus needs at least one dimension");
  if (periodicity.empty()) periodicity.assign(extents.size(), false);
  if (bandwidths.empty()) bandwidths.assign(extents.size(), {1});
  require(periodicity.size() == extents.size(), "the network has ", extents.size(), " dimensions but ",
          periodicity.size(), " flags for periodic ones");
  require(bandwidths.size() == extents.size(), "the network has ", extents.size(), " dimensions but ",
          bandwidths.size(), " bandwidths or patterns of them");
  for (std::size_t d = 0; d < bandwidths.size(); ++d) {
    require(!bandwidths[d].empty(), "the network's dimension ", d,
            " has an empty pattern of bandwidths; it needs at least one");
    std::for_each(bandwidths[d].begin(), bandwidths[d].end(), require_bandwidth);
  }
  require_positive("hosts", hosts);
  return network;
}

FatTree completed(FatTree network) {
  if (network.tiers.empty()) fail(Fault::invalid_dimensions, "a fat tree needs at least one tier");
  for (const auto& [children, parents, links, bandwidth] : network.tiers) {
    require_positive("children", children);
    require_positive("parents", parents);
    require_positive("parallel links", links);
    require_bandwidth(bandwidth);
  }
  // A child of tier t is named by its path down to it and by the parents chosen on every tier below.
  for (std::size_t t = 0; t < network.tiers.size(); ++t) {
    Counts factors{network.tiers[t].links};
    for (std::size_t above = 0; above <= t; ++above) factors.push_back(network.tiers[above].children);
    for (std::size_t below = t; below < network.tiers.size(); ++below)
      factors.push_back(network.tiers[below].parents);
    require_links_fit("on a tier", factors);
  }
  return network;
}

Count fewest_global_links(const Dragonfly& network) { return divide_up(network.groups - 1, network.routers); }

Dragonfly completed(Dragonfly network) {
  auto& [groups, routers, hosts, global_links, global, local, terminal] = network;
  require_positive("groups", groups);
  require_positive("routers", routers);
  require_positive("hosts", hosts);
  for (const double bandwidth : {global, local, terminal}) require_bandwidth(bandwidth);
  const Count fewest = fewest_global_links(network);
  if (global_links == 0) global_links = fewest;
  require(groups > 1 || global_links == 0, "a dragonfly of one group has no use for ", global_links,
          " global links at each router");
  require(global_links >= fewest, global_links, " global links at each of ", routers,
          " routers cannot join a group to ", groups - 1, " others; it takes ", fewest);
  require_links_fit("between groups", {groups, routers, global_links});
  require_links_fit("within groups", {groups, routers, routers - 1});
  return network;
}

Counts node_extents(const Cartesian& network) {
  Counts extents = network.extents;
  if (network.hosts > 1) extents.push_back(network.hosts);
  return extents;
}

Counts node_extents(const FatTree& network) {
  Counts extents;
  for (const Tier& tier : network.tiers) extents.push_back(tier.children);
  return extents;
}

Counts node_extents(const Dragonfly& network) { return {network.groups, network.routers, network.hosts}; }

// Printing.

std::string text_of(Count count) { return std::to_string(count); }

/// The shortest text that reads back as the same number.
std::string text_of(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string text_of(const Network::Pattern& pattern);

template <class Values>
std::string joined(const Values& values, const char* separator) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : separator) + text_of(value);
  return text;
}

std::string text_of(const Network::Pattern& pattern) { return joined(pattern, "/"); }

/// " name:values", or nothing if every value is the default.
template <class Values, class Value>
std::string word_unless(const Value& standard, const char* name, const Values& values,
                        const char* separator) {
  if (std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == standard; }))
    return "";
  return concat(" ", name, ":", joined(values, separator));
}

std::string text_of(const Cartesian& network) {
  const Counts flags(network.periodicity.begin(), network.periodicity.end());
  const bool torus = std::count(flags.begin(), flags.end(), 1) == std::ssize(flags);
  return concat(torus ? "torus:" : "mesh:", joined(network.extents, "x"),
                torus ? "" : word_unless(Count{0}, "periodic", flags, ","),
                word_unless(Network::Pattern{1}, "bandwidth", network.bandwidths, ","),
                word_unless(Count{1}, "hosts", Counts{network.hosts}, ","));
}

std::string text_of(const FatTree& network) {
  Counts parents;
  Counts links;
  std::vector<double> bandwidths;
  for (const Tier& tier : network.tiers) {
    parents.push_back(tier.parents);
    links.push_back(tier.links);
    bandwidths.push_back(tier.bandwidth);
  }
  return concat("fat-tree:", joined(node_extents(network), "x"),
                word_unless(Count{1}, "parents", parents, "x"), word_unless(Count{1}, "links", links, "x"),
                word_unless(1.0, "bandwidth", bandwidths, ","));
}

std::string text_of(const Dragonfly& network) {
  const std::vector<double> bandwidths{network.global_bandwidth, network.local_bandwidth,
                                       network.terminal_bandwidth};
  return concat("dragonfly:", joined(node_extents(network), "x"),
                word_unless(fewest_global_links(network), "global", Counts{network.global_links}, ","),
                word_unless(1.0, "bandwidth", bandwidths, ","));
}

// Reading.

/// Reads words "name:value" to the end. `scan_value` reads the value of a name, or says that it knows none.
template <class ScanValue>
void scan_words(Scanner& scan, std::string_view kind, ScanValue scan_value) {
  std::vector<std::string> seen;
  while (scan.accept_blanks() && !scan.at_end()) {
    const std::string name = scan.word();
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) scan.refuse("two words '", name, "'");
    seen.push_back(name);
    scan.expect(":");
    if (!scan_value(name)) scan.refuse("a ", kind, " has no word '", name, "'");
  }
  scan.expect_end();
}

Network scan_cartesian(Scanner& scan, std::string_view kind) {
  Cartesian network{.extents = scan.list(&Scanner::integer, "x")};
  const std::size_t dimensions = network.extents.size();
  if (kind == "torus") network.periodicity.assign(dimensions, true);
  scan_words(scan, kind, [&](std::string_view name) {
    if (name == "bandwidth") {
      network.bandwidths = scan.list([](Scanner& in) { return in.list(&Scanner::number, "/"); });
    } else if (name == "hosts") {
      network.hosts = scan.integer();
    } else if (name == "periodic" && kind == "mesh") {
      network.periodicity = parse_periodicity(scan.until_blank(), dimensions);
    } else {
      return false;
    }
    return true;
  });
  return Network(std::move(network));
}

template <class Value>
void set_on_each_tier(Scanner& scan, FatTree& network, Value Tier::*field, const std::vector<Value>& values) {
  if (values.size() != network.tiers.size())
    scan.refuse(values.size(), " values for ", network.tiers.size(), " tiers");
  for (std::size_t t = 0; t < values.size(); ++t) network.tiers[t].*field = values[t];
}

Network scan_fat_tree(Scanner& scan, std::string_view kind) {
  FatTree network;
  for (const Count children : scan.list(&Scanner::integer, "x"))
    network.tiers.push_back({.children = children});
  scan_words(scan, kind, [&](std::string_view name) {
    if (name == "parents")
      set_on_each_tier(scan, network, &Tier::parents, scan.list(&Scanner::integer, "x"));
    else if (name == "links")
      set_on_each_tier(scan, network, &Tier::links, scan.list(&Scanner::integer, "x"));
    else if (name == "bandwidth")
      set_on_each_tier(scan, network, &Tier::bandwidth, scan.list(&Scanner::number, ","));
    else
      return false;
    return true;
  });
  return Network(std::move(network));
}

Network scan_dragonfly(Scanner& scan, std::string_view kind) {
  const Counts extents = scan.list(&Scanner::integer, "x");
  if (extents.size() != 3)
    scan.refuse(extents.size(), " extents where a dragonfly has 3: groups, routers in a group, hosts");
  Dragonfly network{.groups = extents[0], .routers = extents[1], .hosts = extents[2]};
  scan_words(scan, kind, [&](std::string_view name) {
    if (name == "global") {
      network.global_links = scan.integer();
      if (network.global_links < 1) scan.refuse(network.global_links, " global links are not enough");
    } else if (name == "bandwidth") {
      const std::vector<double> bandwidths = scan.list(&Scanner::number, ",");
      if (bandwidths.size() != 3)
        scan.refuse(bandwidths.size(), " bandwidths where a dragonfly has 3: global, local, terminal");
      network.global_bandwidth = bandwidths[0];
      network.local_bandwidth = bandwidths[1];
      network.terminal_bandwidth = bandwidths[2];
    } else {
      return false;
    }
    return true;
  });
  return Network(network);
}

}  // namespace

Network::Network(Topology topology)
    : topology_(
          std::visit([](auto& network) -> Topology { return completed(std::move(network)); }, topology)),
      numbering_(std::visit([](const auto& network) { return node_extents(network); }, topology_)) {}

Network Network::mesh(Counts extents, std::vector<Pattern> bandwidths, Count hosts) {
  return Network(Cartesian{std::move(extents), {}, std::move(bandwidths), hosts});
}

Network Network::torus(Counts extents, std::vector<Pattern> bandwidths, Count hosts) {
  Periodicity all(extents.size(), true);
  return Network(Cartesian{std::move(extents), std::move(all), std::move(bandwidths), hosts});
}

Network Network::parse(std::string_view text) {
  Scanner scan("network", text, network_example);
  scan.accept_blanks();
  const std::string kind = scan.word();
  scan.expect(":");
  if (kind == "mesh" || kind == "torus") return scan_cartesian(scan, kind);
  if (kind == "fat-tree") return scan_fat_tree(scan, kind);
  if (kind == "dragonfly") return scan_dragonfly(scan, kind);
  scan.refuse("unknown kind '", kind, "'");
}

std::string Network::to_text() const {
  return std::visit([](const auto& network) { return text_of(network); }, topology_);
}

}  // namespace halocline
