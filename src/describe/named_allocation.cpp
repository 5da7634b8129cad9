// SPDX-License-Identifier: BSD-3-Clause
#include "describe/named_allocation.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "describe/first_repeat.hpp"
#include "halocline/base/error.hpp"

#include <cctype>
#include <istream>
#include <map>

namespace halocline {
namespace {

struct Line {
  std::string host;  ///< Empty if the line has no name.
  Count node;
};

/// Steps over blanks with at most one comma among them. Blanks at the end separate nothing.
bool accept_separator(Scanner& scan) {
  const bool blanks = scan.accept_blanks();
  const bool comma = scan.accept(",");
  scan.accept_blanks();
  return comma || (blanks && !scan.at_end());
}

/// The first field if it has a letter: no coordinate has.
std::string_view name_at_start(std::string_view line) {
  const std::string_view field = line.substr(0, line.find_first_of(" \t,"));
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  return std::any_of(field.begin(), field.end(), is_letter) ? field : std::string_view();
}

/// What a line without comment says; nothing if it is empty.
std::optional<Line> scan_line(std::string_view line, const Network& network, std::string_view example) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.empty()) return std::nullopt;
  Scanner scan("node", line, example);
  const std::string host(name_at_start(line));
  if (!host.empty()) {
    scan.expect(host);
    if (!accept_separator(scan)) scan.refuse("there are no coordinates behind the name");
  }
  Counts coordinates;
  do coordinates.push_back(scan.integer());
  while (accept_separator(scan));
  scan.expect_end();
  const Counts& extents = network.extents();
  if (coordinates.size() != extents.size())
    scan.refuse("the number of coordinates is ", coordinates.size(), ", but ", extents.size(), " in ",
                network.to_text());
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (coordinates[d] < 0 || coordinates[d] >= extents[d])
      scan.refuse("coordinate ", d, " is ", coordinates[d], ", not in 0..", extents[d] - 1);
  return Line{host, network.node(coordinates)};
}

}  // namespace

NamedAllocation NamedAllocation::read(std::istream& in, Network network) {
  require(in.good(), "the allocation cannot be read: its stream has failed before the first line");
  const std::string example = join(network.coordinates(network.nodes() - 1), " ");
  Counts nodes;
  Counts lines;
  std::vector<std::string> hosts;
  std::string text;
  for (Count number = 1; std::getline(in, text); ++number) {
    if (text.ends_with('\r')) text.pop_back();
    try {
      const auto line = scan_line(text.substr(0, text.find('#')), network, example);
      if (!line) continue;
      require(nodes.empty() || hosts.empty() == line->host.empty(), "the node has ",
              line->host.empty() ? "no name" : "a name", ", but that of line ", lines.empty() ? 0 : lines[0],
              line->host.empty() ? " has one" : " has none", "; it takes a name for all nodes or for none");
      nodes.push_back(line->node);
      lines.push_back(number);
      if (!line->host.empty()) hosts.push_back(line->host);
    } catch (const Error& error) {
      fail(error.fault(), "allocation line ", number, ": ", error.what());
    }
  }
  require(!in.bad(), "the allocation cannot be read: its stream has failed");
  if (const auto repeat = first_repeat(nodes))
    fail(Fault::invalid_argument, "allocation lines ", lines[repeat->first], " and ", lines[repeat->second],
         " both name the node ", join(network.coordinates(nodes[repeat->first]), " "));
  if (const auto repeat = first_repeat(hosts))
    fail(Fault::invalid_argument, "allocation lines ", lines[repeat->first], " and ", lines[repeat->second],
         " both name the host ", hosts[repeat->first]);
  return {Allocation(std::move(network), std::move(nodes)), std::move(hosts)};
}

Allocation NamedAllocation::of_hosts(std::span<const std::string> names) const {
  std::map<std::string_view, std::size_t> position_of;
  for (std::size_t i = 0; i < hosts.size(); ++i) position_of.emplace(hosts[i], i);
  std::map<std::size_t, std::string_view> asked;
  Counts nodes;
  for (const std::string_view name : names) {
    auto found = position_of.find(name);
    if (found == position_of.end()) found = position_of.find(name.substr(0, name.find('.')));
    require(found != position_of.end(), "the host ", name, " is not among the ", hosts.size(),
            " hosts of the allocation");
    const auto [earlier, is_new] = asked.emplace(found->second, name);
    require(is_new, "the hosts ", earlier->second, " and ", name, " are both the host ", found->first,
            " of the allocation; nodes need names of their own");
    nodes.push_back(allocation.nodes()[found->second]);
  }
  return {allocation.network(), std::move(nodes)};
}

Allocation NamedAllocation::of_job(std::span<const std::string> names) const {
  if (!hosts.empty()) return of_hosts(names);
  require(to_size(allocation.size()) == names.size(), "the allocation has ", allocation.size(),
          " nodes without names, the job ", names.size(), "; they must be as many, in the same order");
  return allocation;
}

}  // namespace halocline
