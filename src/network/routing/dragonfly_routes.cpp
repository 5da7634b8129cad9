// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/dragonfly_routes.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"

namespace halocline::network {

DragonflyRoutes::DragonflyRoutes(const Network::Dragonfly& network)
    : network_(network),
      nodes_(network.groups * network.routers * network.hosts),
      ports_(network.routers * network.global_links),
      copies_(network.groups > 1 ? ports_ / (network.groups - 1) : 0) {
  try {
    first_local_ = checked_multiply(2, nodes_);
    const Count local = checked_product(Counts{network.groups, network.routers, network.routers});
    first_global_ = checked_add(first_local_, local);
    (void)checked_add(first_global_, checked_multiply(network.groups, ports_));
  } catch (const Error&) {
    fail(Fault::unsupported, "the links of a dragonfly with ", nodes_,
         " nodes cannot be numbered in 64 bits");
  }
}

double DragonflyRoutes::bandwidth(Count link) const {
  if (link < first_local_) return network_.terminal_bandwidth;
  return link < first_global_ ? network_.local_bandwidth : network_.global_bandwidth;
}

DragonflyRoutes::GlobalLink DragonflyRoutes::best_link(Count a, Count b) const {
  const Count routers = network_.routers;
  const Count others = network_.groups - 1;
  const Count group_a = a / routers;
  const Count group_b = b / routers;
  const Count there = floor_modulo(group_b - group_a - 1, network_.groups);
  const Count back = others - 1 - there;
  GlobalLink best{};
  Count least = 3;
  // Equal ones are taken in turn: the first one looked at depends on both routers. The sum is the same in
  // both directions, and so is the link.
  const Count start = (a + b) % copies_;
  for (Count n = 0; n < copies_ && least > 0; ++n) {
    const Count copy = (start + n) % copies_;
    const Count port = copy * others + there;
    const Count entrance = group_b * routers + (copy * others + back) / network_.global_links;
    const Count exit = group_a * routers + port / network_.global_links;
    const Count local = (exit != a ? 1 : 0) + (entrance != b ? 1 : 0);
    if (local >= least) continue;
    least = local;
    best = {port, exit, entrance};
  }
  return best;
}

Count DragonflyRoutes::distance(Count from, Count to) const {
  Count hops = 0;
  walk(from, to, [&](Count) { ++hops; });
  return hops;
}

}  // namespace halocline::network
