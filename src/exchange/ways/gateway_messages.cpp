// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/gateway_messages.hpp"

#include "base/numbers.hpp"
#include "schedule/by_node.hpp"

#include <algorithm>
#include <iterator>

namespace halocline::exchange {
namespace {

/// What of a shipment goes from gateway to gateway. Blocks of the same two processes follow each other.
Shipment by_gateways(const Shipment& shipment, const Blocks& blocks, Count longest) {
  Shipment kept{shipment.from, shipment.to, {}, 0};
  Count pairs = 0;
  for (auto first = shipment.blocks.begin(); first != shipment.blocks.end();) {
    Count bytes = 0;
    const auto begin = kept.blocks.size();
    auto next = first;
    for (; next != shipment.blocks.end() && next->reader == first->reader && next->writer == first->writer;
         ++next)
      if (const Count more = blocks.bytes_of(next->writer, next->block); more > 0) {
        bytes += more;
        kept.blocks.push_back(*next);
      }
    if (!blocks.gathered() && bytes > longest) kept.blocks.resize(begin);
    if (kept.blocks.size() > begin) ++pairs;
    first = next;
  }
  if (longest != any_length &&
      !schedule::pays_by_node(pairs, std::ssize(kept.writers()), std::ssize(kept.readers())))
    kept.blocks.clear();
  return kept;
}

GatewayMessage gateway_message_of(Shipment shipment, const Blocks& blocks) {
  GatewayMessage message{std::move(shipment), {}, {}, 0};
  message.writers = message.shipment.writers();
  message.readers = message.shipment.readers();
  if (blocks.gathered())
    message.bytes = count_of(message.writers) * blocks.bytes_out.front();
  else
    for (const ShippedBlock& shipped : message.shipment.blocks)
      message.bytes += blocks.bytes_of(shipped.writer, shipped.block);
  return message;
}

/// Where each block begins in the message.
Counts offsets_in(const GatewayMessage& message, const Blocks& blocks) {
  Counts offsets;
  Count next = 0;
  for (const ShippedBlock& shipped : message.shipment.blocks) {
    if (blocks.gathered()) {
      const auto writer = std::lower_bound(message.writers.begin(), message.writers.end(), shipped.writer);
      next = (writer - message.writers.begin()) * blocks.bytes_out.front();
    }
    offsets.push_back(next);
    next += blocks.bytes_of(shipped.writer, shipped.block);
  }
  return offsets;
}

/// The blocks in which `rank` has the given role, those side by side in the message as one piece.
template <class Memory>
Pieces pieces_of(const GatewayMessage& message, const Blocks& blocks, Rank ShippedBlock::*role, Rank rank,
                 const mpi::EngineChoice& engine, const Memory& memory) {
  const Counts offsets = offsets_in(message, blocks);
  Pieces pieces;
  std::vector<compile::Part> parts;
  Count begin = 0, end = -1;
  const auto flush = [&] {
    if (!parts.empty()) pieces.push_back({begin, engine.packer(parts)});
    parts.clear();
  };
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const ShippedBlock& shipped = message.shipment.blocks[i];
    if (shipped.*role != rank) continue;
    if (offsets[i] != end) {
      flush();
      begin = offsets[i];
    }
    parts.push_back(memory(shipped.block));
    end = offsets[i] + blocks.bytes_of(shipped.writer, shipped.block);
  }
  flush();
  return pieces;
}

}  // namespace

Pieces GatewayMessage::contribution(const Blocks& blocks, Rank rank, const mpi::EngineChoice& engine) const {
  Pieces pieces = pieces_of(*this, blocks, &ShippedBlock::writer, rank, engine,
                            [&](int block) { return blocks.sent_to(block); });
  // What is gathered goes to all readers, but it is written once.
  if (blocks.gathered() && pieces.size() > 1) pieces.erase(pieces.begin() + 1, pieces.end());
  return pieces;
}

Pieces GatewayMessage::share(const Blocks& blocks, Rank rank, const mpi::EngineChoice& engine) const {
  return pieces_of(*this, blocks, &ShippedBlock::reader, rank, engine,
                   [&](int block) { return blocks.received_from(block); });
}

std::vector<GatewayMessage> gateway_messages_of(const std::vector<Shipment>& shipments, const Blocks& blocks,
                                                Count longest) {
  std::vector<GatewayMessage> messages;
  for (const Shipment& shipment : shipments) {
    const Shipment kept = by_gateways(shipment, blocks, longest);
    if (kept.blocks.empty()) continue;
    const Count parts = schedule::node_messages(gateway_message_of(kept, blocks).bytes);
    // What is gathered goes to all readers, so it is divided by writers.
    const auto by = blocks.gathered() ? &ShippedBlock::writer : &ShippedBlock::reader;
    for (Shipment& part : split(kept, to_size(parts), by))
      messages.push_back(gateway_message_of(std::move(part), blocks));
  }
  return messages;
}

}  // namespace halocline::exchange
