// SPDX-License-Identifier: BSD-3-Clause
// From node to node: what the processes of one have for those of another goes in few messages, which gateways
// send and receive for all. On each node it passes through shared memory.
#pragma once

#include "exchange/flows/gateway_flows.hpp"
#include "exchange/ways/gateway_messages.hpp"
#include "exchange/ways/way.hpp"

#include <vector>

namespace halocline::exchange {

class MessagesByNode : public Way {
 public:
  /// Takes the tags of its messages.
  explicit MessagesByNode(const Site& site);

  /// What goes on its own although others go by gateways.
  [[nodiscard]] std::vector<Peer> left(std::vector<Peer> peers) const;

  void plan(ArenaPlan& arena) const override;
  /// Also those of gateways, which receive for others.
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;
  void add_receivers(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  [[nodiscard]] std::vector<int> members(const std::vector<Rank>& ranks) const;
  [[nodiscard]] Remote remote(const GatewayMessage& message, Rank gateway) const;

  int first_tag_;  ///< Taken first: all processes take the same, whatever fails then.
  std::vector<GatewayMessage> out_, in_;
};

}  // namespace halocline::exchange
