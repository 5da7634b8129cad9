// SPDX-License-Identifier: BSD-3-Clause
// Minimal routes of a dragonfly: at most one local link, one global link, one local link.
#pragma once

#include "halocline/describe/network.hpp"

namespace halocline::network {

/// Links are numbered: hosts up, hosts down, local by group and both routers, global by group and port.
class DragonflyRoutes {
 public:
  explicit DragonflyRoutes(const Network::Dragonfly& network);

  [[nodiscard]] Count links() const { return first_global_ + network_.groups * ports_; }
  [[nodiscard]] double bandwidth(Count link) const;
  [[nodiscard]] Count distance(Count from, Count to) const;

  template <class Visit>
  void walk(Count from, Count to, const Visit& visit) const {
    if (from == to) return;
    visit(from);
    const Count a = from / network_.hosts;
    const Count b = to / network_.hosts;
    const Count group_a = a / network_.routers;
    const Count group_b = b / network_.routers;
    if (group_a == group_b) {
      if (a != b) visit(local_link(a, b));
    } else {
      const GlobalLink link = best_link(a, b);
      if (link.exit != a) visit(local_link(a, link.exit));
      visit(first_global_ + group_a * ports_ + link.port);
      if (link.entrance != b) visit(local_link(link.entrance, b));
    }
    visit(nodes_ + to);
  }

 private:
  /// A global link: its port in the group it leaves, and the routers at both ends.
  struct GlobalLink {
    Count port;
    Count exit;
    Count entrance;
  };

  /// Among the global links between the groups of two routers one with the fewest hops.
  [[nodiscard]] GlobalLink best_link(Count a, Count b) const;

  [[nodiscard]] Count local_link(Count a, Count b) const {
    return first_local_ + a * network_.routers + b % network_.routers;
  }

  Network::Dragonfly network_;
  Count nodes_;
  Count ports_;   ///< Global links at each group.
  Count copies_;  ///< Global links from each group to each other.
  Count first_local_;
  Count first_global_;
};

}  // namespace halocline::network
