// SPDX-License-Identifier: BSD-3-Clause
// Up and down the tiers of a fat tree: destination decides ("d-mod-k" routing), so that the routes to
// different nodes spread over the parents.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/network.hpp"

#include <vector>

namespace halocline::network {

/// Links are numbered by tier, then direction (up, down), then the child below, its parent above and which
/// of the links side by side it is.
class FatTreeRoutes {
 public:
  explicit FatTreeRoutes(const Network::FatTree& network);

  [[nodiscard]] Count links() const { return links_; }
  [[nodiscard]] double bandwidth(Count link) const;
  [[nodiscard]] Count distance(Count from, Count to) const {
    return 2 * to_count(tiers_.size() - common_tiers(from, to));
  }

  template <class Visit>
  void walk(Count from, Count to, const Visit& visit) const {
    const std::size_t common = common_tiers(from, to);
    for (std::size_t t = tiers_.size(); t-- > common;) visit(link(t, from, to, false));
    for (std::size_t t = common; t < tiers_.size(); ++t) visit(link(t, to, to, true));
  }

 private:
  struct Tier {
    Network::FatTree::Tier given;
    Count nodes_below;    ///< Each child of a switch of this tier.
    Count parents_below;  ///< Choices of parents on all the tiers below together.
    Count first_link;
    Count links_up;  ///< And as many down.
  };

  /// The tiers on which the nodes are below the same child.
  [[nodiscard]] std::size_t common_tiers(Count a, Count b) const {
    std::size_t t = 0;
    while (t < tiers_.size() && a / tiers_[t].nodes_below == b / tiers_[t].nodes_below) ++t;
    return t;
  }

  /// The link of tier t above `node` on the way to `destination`.
  [[nodiscard]] Count link(std::size_t t, Count node, Count destination, bool down) const {
    const auto& [given, nodes_below, parents_below, first_link, links_up] = tiers_[t];
    const Count chosen_below = destination % parents_below;
    const Count parent = destination / parents_below % given.parents;
    const Count beside = destination / parents_below / given.parents % given.links;
    const Count child = node / nodes_below * parents_below + chosen_below;
    return first_link + (down ? links_up : 0) + (child * given.parents + parent) * given.links + beside;
  }

  std::vector<Tier> tiers_;
  Count links_ = 0;
};

}  // namespace halocline::network
