// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/fat_tree_routes.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"

namespace halocline::network {

FatTreeRoutes::FatTreeRoutes(const Network::FatTree& network) {
  Count nodes = 1;
  for (const auto& given : network.tiers) nodes *= given.children;
  Count parents_below = 1;
  for (const auto& given : network.tiers) parents_below *= given.parents;
  Count nodes_below = nodes;
  try {
    for (const auto& given : network.tiers) {
      nodes_below /= given.children;
      parents_below /= given.parents;
      const Count up =
          checked_product(Counts{nodes / nodes_below, parents_below, given.parents, given.links});
      tiers_.push_back({given, nodes_below, parents_below, links_, up});
      links_ = checked_add(links_, checked_multiply(2, up));
    }
  } catch (const Error&) {
    fail(Fault::unsupported, "the links of a fat tree with ", nodes, " nodes cannot be numbered in 64 bits");
  }
}

double FatTreeRoutes::bandwidth(Count link) const {
  std::size_t t = tiers_.size() - 1;
  while (link < tiers_[t].first_link) --t;
  return tiers_[t].given.bandwidth;
}

}  // namespace halocline::network
