// SPDX-License-Identifier: BSD-3-Clause
// The messages between nodes: what each consists of, and what one process has to do with it.
#pragma once

#include "exchange/flows/pieces.hpp"
#include "exchange/neighborhood/blocks.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "mpi/datatypes/engine_choice.hpp"

#include <limits>
#include <vector>

namespace halocline::exchange {

/// One message from node to node. Both know it alike: alltoall is ordered by reader, writer and block;
/// allgather has one block of each writer, in their order.
struct GatewayMessage {
  Shipment shipment;
  std::vector<Rank> writers, readers;  ///< Increasing.
  Count bytes;

  /// What a process puts into the message; what it takes out.
  [[nodiscard]] Pieces contribution(const Blocks& blocks, Rank rank, const mpi::EngineChoice& engine) const;
  [[nodiscard]] Pieces share(const Blocks& blocks, Rank rank, const mpi::EngineChoice& engine) const;
};

constexpr Count any_length = std::numeric_limits<Count>::max();

/// The messages of all shipments (schedule::node_messages), without empty blocks and without what two
/// processes have for each other if that is longer than `longest`; unless that is any_length, also without
/// shipments of few messages.
[[nodiscard]] std::vector<GatewayMessage> gateway_messages_of(const std::vector<Shipment>& shipments,
                                                              const Blocks& blocks, Count longest);

}  // namespace halocline::exchange
