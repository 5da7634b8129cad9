// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/allocation.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "describe/first_repeat.hpp"
#include "describe/named_allocation.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"

#include <numeric>
#include <sstream>

namespace halocline {
namespace {

constexpr Count most_nodes = Count{1} << 32;

void require_size(Count nodes) {
  require(nodes <= most_nodes, "an allocation of ", nodes, " nodes is too large; it may have ", most_nodes);
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
  Counts nodes(to_size(network.nodes()));
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
  nodes.reserve(to_size(box.size() * cartesian->hosts));
  for (Count b = 0; b < box.size(); ++b) {
    const Count router = routers.index(*routers.neighbor(origin, box.cell(b)));
    for (Count host = 0; host < cartesian->hosts; ++host) nodes.push_back(router * cartesian->hosts + host);
  }
  return {std::move(network), std::move(nodes)};
}

Allocation Allocation::parse(std::string_view text, Network network) {
  std::istringstream in{std::string(text)};
  return read(in, std::move(network));
}

Allocation Allocation::read(std::istream& in, Network network) {
  return NamedAllocation::read(in, std::move(network)).allocation;
}

std::string Allocation::to_text() const {
  std::string text;
  for (const Count node : nodes_) text += join(network_.coordinates(node), " ") + '\n';
  return text;
}

}  // namespace halocline
