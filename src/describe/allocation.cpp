#include "halocline/describe/allocation.hpp"

#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"

#include <algorithm>
#include <functional>
#include <istream>
#include <numeric>
#include <optional>
#include <sstream>

namespace halocline {
namespace {

constexpr Count most_nodes = Count{1} << 32;

void require_size(Count nodes) {
  require(nodes <= most_nodes, "an allocation of ", nodes, " nodes is too large; it may have ", most_nodes);
}

struct Repeat {
  std::size_t first, second;
};

/// The positions of the first node that was there before, and of where it was; sorts unless `nodes` grow.
std::optional<Repeat> first_repeat(const Counts& nodes) {
  if (std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<>()) == nodes.end())
    return std::nullopt;
  std::vector<std::size_t> positions(nodes.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a] < nodes[b]; });
  std::optional<Repeat> found;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const Repeat pair{positions[i - 1], positions[i]};
    if (nodes[pair.first] == nodes[pair.second] && (!found || pair.second < found->second)) found = pair;
  }
  return found;
}

/// Steps over blanks with at most one comma among them. Blanks at the end separate nothing.
bool accept_separator(Scanner& scan) {
  const bool blanks = scan.accept_blanks();
  const bool comma = scan.accept(",");
  scan.accept_blanks();
  return comma || (blanks && !scan.at_end());
}

/// The node that a line without comment names; none on an empty line.
std::optional<Count> scan_node(std::string_view line, const Network& network, std::string_view example) {
  Scanner scan("node", line, example);
  scan.accept_blanks();
  if (scan.at_end()) return std::nullopt;
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
  return network.node(coordinates);
}

}  // namespace

Allocation::Allocation(Network network, Counts nodes)
    : network_(std::move(network)), nodes_(std::move(nodes)) {
  require(!nodes_.empty(), "an allocation needs at least one node");
  for (const Count node : nodes_)
    require(0 <= node && node < network_.nodes(), "the allocation's node ", node, " is not in 0..",
            network_.nodes() - 1);
  if (const auto repeat = first_repeat(nodes_))
    fail(Fault::invalid_argument, "the allocation names node ", nodes_[repeat->first],
         " twice, at positions ", repeat->first, " and ", repeat->second);
}

Allocation Allocation::whole(Network network) {
  require_size(network.nodes());
  Counts nodes(static_cast<std::size_t>(network.nodes()));
  std::iota(nodes.begin(), nodes.end(), Count{0});
  return {std::move(network), std::move(nodes)};
}

Allocation Allocation::block(Network network, std::span<const Count> origin, std::span<const Count> extents) {
  const auto* const cartesian = std::get_if<Network::Cartesian>(&network.topology());
  if (cartesian == nullptr)
    fail(Fault::unsupported, "only a mesh or torus has blocks, not ", network.to_text());
  const Grid routers(cartesian->extents, cartesian->periodicity);
  require(origin.size() == routers.dimensions() && extents.size() == routers.dimensions(), "a block of the ",
          routers.dimensions(), " dimensions of ", network.to_text(), " cannot have ", origin.size(),
          " origins and ", extents.size(), " extents");
  for (std::size_t d = 0; d < routers.dimensions(); ++d) {
    const Count all = routers.extents()[d];
    require(0 <= origin[d] && origin[d] < all, "the block's origin ", origin[d], " in dimension ", d,
            " is not in 0..", all - 1);
    const Count room = routers.periodic(d) ? all : all - origin[d];
    require(1 <= extents[d] && extents[d] <= room, "the block's extent ", extents[d], " in dimension ", d,
            " from ", origin[d], " is not in 1..", room);
  }
  const Grid box(Counts(extents.begin(), extents.end()));
  require_size(checked_multiply(box.size(), cartesian->hosts));
  Counts nodes;
  nodes.reserve(static_cast<std::size_t>(box.size() * cartesian->hosts));
  for (Count b = 0; b < box.size(); ++b) {
    const Count router = routers.index(*routers.neighbour(origin, box.cell(b)));
    for (Count host = 0; host < cartesian->hosts; ++host) nodes.push_back(router * cartesian->hosts + host);
  }
  return {std::move(network), std::move(nodes)};
}

Allocation Allocation::parse(std::string_view text, Network network) {
  std::istringstream in{std::string(text)};
  return read(in, std::move(network));
}

Allocation Allocation::read(std::istream& in, Network network) {
  require(in.good(), "the allocation cannot be read: its stream has failed before the first line");
  const std::string example = join(network.coordinates(network.nodes() - 1), " ");
  Counts nodes;
  Counts lines;
  std::string line;
  for (Count number = 1; std::getline(in, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    try {
      const auto node = scan_node(line.substr(0, line.find('#')), network, example);
      if (!node) continue;
      nodes.push_back(*node);
      lines.push_back(number);
    } catch (const Error& error) {
      fail(error.fault(), "allocation line ", number, ": ", error.what());
    }
  }
  require(!in.bad(), "the allocation cannot be read: its stream has failed");
  if (const auto repeat = first_repeat(nodes))
    fail(Fault::invalid_argument, "allocation lines ", lines[repeat->first], " and ", lines[repeat->second],
         " both name the node ", join(network.coordinates(nodes[repeat->first]), " "));
  return {std::move(network), std::move(nodes)};
}

std::string Allocation::to_text() const {
  std::string text;
  for (const Count node : nodes_) text += join(network_.coordinates(node), " ") + '\n';
  return text;
}

}  // namespace halocline
