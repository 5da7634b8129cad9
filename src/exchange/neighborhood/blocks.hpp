// SPDX-License-Identifier: BSD-3-Clause
// The memory behind an exchange: which bytes each block is.
#pragma once

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/device_side.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/exchange/exchange.hpp"
#include "schedule/parts/schedule.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::exchange {

/// The bytes of a block of any process, worked out alike by all. For operations whose blocks differ in size
/// between processes.
using SizeOfBlock = std::function<Count(Rank writer, int block)>;

/// The memory of a block that another process of the node sends, at its address in this one.
using BlockSeenHere = std::function<Block(Rank writer, int block)>;

/// The blocks of a process; offsets of the parts are addresses.
struct Blocks {
  Operation operation;
  std::vector<compile::Part> send;  ///< One alone for allgather.
  std::vector<compile::Part> receive;
  Counts bytes_out, bytes_in;               ///< Of each block.
  SizeOfBlock sizes = {};                   ///< None if block i has as many bytes in all processes.
  BlockSeenHere seen_here = {};             ///< None if processes of a node cannot see each other's blocks.
  std::shared_ptr<DeviceSide> device = {};  ///< None if all of it is the host's. Of the process alone.

  [[nodiscard]] bool gathered() const { return operation == Operation::allgather; }

  /// The memory of the block that goes to a neighbour.
  [[nodiscard]] const compile::Part& sent_to(int neighbour) const {
    return send[gathered() ? 0 : to_size(neighbour)];
  }
  /// Of those that one peer gets, in one message: what is gathered goes there once.
  [[nodiscard]] std::vector<compile::Part> sent_to(const std::vector<int>& neighbours) const;
  /// Of that message.
  [[nodiscard]] Count message_bytes(const std::vector<int>& neighbours) const;
  [[nodiscard]] const compile::Part& received_from(int neighbour) const {
    return receive[to_index(neighbour)];
  }
  [[nodiscard]] Count bytes_sent_to(int neighbour) const { return bytes_out[to_index(neighbour)]; }
  [[nodiscard]] Count bytes_received_from(int neighbour) const { return bytes_in[to_index(neighbour)]; }
  [[nodiscard]] bool even() const { return !sizes; }
  /// Of a block that `writer` sends.
  [[nodiscard]] Count bytes_of(Rank writer, int block) const {
    return even() ? bytes_out[to_index(block)] : sizes(writer, block);
  }

  /// The memory, in another process of the node, of what is received.
  [[nodiscard]] compile::Part seen_at(Rank writer, int block) const;

  /// What must be alike in all processes, as text; what `sizes` does must be, too.
  [[nodiscard]] std::string signature() const;
};

/// Throws Error{invalid_argument} if there are not `neighbours` blocks, or sizes differ where they must not.
/// With `sizes`, what is sent and received are two things.
[[nodiscard]] Blocks blocks_of(Operation operation, std::size_t neighbours, std::span<const Block> send,
                               std::span<const Block> receive, SizeOfBlock sizes = {},
                               BlockSeenHere seen_here = {});

/// Throws Error{invalid_argument} if a block that goes to a neighbour, or comes from one, begins at a null
/// pointer.
void require_memory(const Blocks& blocks, const Neighbours& neighbours);

}  // namespace halocline::exchange
