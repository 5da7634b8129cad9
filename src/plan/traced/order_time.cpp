// SPDX-License-Identifier: BSD-3-Clause
#include "plan/traced/order_time.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "plan/prices/pair_prices.hpp"
#include "plan/traced/order_choice.hpp"

#include <vector>

namespace halocline::plan {
namespace {

double cost(double each, Count number) { return each * to_double(number); }

/// What a rank is busy with, and the bytes that it sends out of its node, which all there send one after the
/// other.
Seconds busy(const MessageMatrix& matrix, const PairPrices& prices, std::size_t rank) {
  Seconds seconds;
  const auto targets = matrix.targets_of(rank);
  const auto bytes = matrix.bytes_of(rank), messages = matrix.messages_of(rank);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::size_t price = prices.of(to_count(rank), to_count(targets[i]));
    const bool leaves = prices.leaves(price);
    (leaves ? seconds.network_messages : seconds.node_messages) +=
        cost(prices[price].round_seconds, messages[i]);
    (leaves ? seconds.network_bytes : seconds.node_bytes) += cost(prices[price].byte_seconds, bytes[i]);
  }
  return seconds;
}

/// What the slowest process of a node is busy with besides its way out.
void add_process(Seconds& node, const Seconds& process) {
  const double way_out = node.network_bytes + process.network_bytes;
  const auto inside = [](const Seconds& seconds) { return seconds.total() - seconds.network_bytes; };
  if (inside(process) > inside(node)) node = process;
  node.network_bytes = way_out;
}

}  // namespace

OrderTime order_time(const MessageMatrix& matrix, const Machine& machine, const place::Order& order,
                     const LevelCosts& costs) {
  const std::vector<Rank> positions = order.positions();
  std::vector<int> node_of;
  node_of.reserve(positions.size());
  for (const Count node : nodes_of_ranks(order)) node_of.push_back(to_int(node));
  const Sites sites{&machine, [&](Count rank) { return positions[to_index(rank)]; }};
  const PairPrices prices(node_of, sites, costs);
  std::vector<Seconds> of_node(to_size(machine.nodes()));
  for (std::size_t rank = 0; rank < positions.size(); ++rank)
    add_process(of_node[to_index(node_of[rank])], busy(matrix, prices, rank));
  OrderTime slowest{of_node.front(), 0};
  for (std::size_t node = 1; node < of_node.size(); ++node)
    if (of_node[node].total() > slowest.seconds.total()) slowest = {of_node[node], to_count(node)};
  return slowest;
}

}  // namespace halocline::plan
