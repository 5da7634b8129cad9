// The memory behind an exchange: which bytes each block is.
#pragma once

#include "halocline/compile/packer.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/schedule/schedule.hpp"

#include <string>
#include <vector>

namespace halocline::exchange {

/// The blocks of a process; offsets of the parts are addresses.
struct Blocks {
  Operation operation;
  std::vector<compile::Part> send;  ///< One alone for allgather.
  std::vector<compile::Part> receive;
  Counts bytes;  ///< Of each block: the same for all processes.

  [[nodiscard]] bool gathered() const { return operation == Operation::allgather; }

  /// The memory of the block that goes to a neighbour.
  [[nodiscard]] const compile::Part& sent_to(int neighbour) const {
    return send[gathered() ? 0 : static_cast<std::size_t>(neighbour)];
  }
  /// Of those that one peer gets, in one message: what is gathered goes there once.
  [[nodiscard]] std::vector<compile::Part> sent_to(const std::vector<int>& neighbours) const;
  /// Of that message.
  [[nodiscard]] Count message_bytes(const std::vector<int>& neighbours) const;
  [[nodiscard]] const compile::Part& received_from(int neighbour) const {
    return receive[static_cast<std::size_t>(neighbour)];
  }
  [[nodiscard]] Count bytes_of(int neighbour) const { return bytes[static_cast<std::size_t>(neighbour)]; }

  /// What must be alike in all processes, as text.
  [[nodiscard]] std::string signature() const;
};

/// Throws Error{invalid_argument} if there are not `neighbours` blocks, or sizes differ where they must not.
[[nodiscard]] Blocks blocks_of(Operation operation, std::size_t neighbours, std::span<const Block> send,
                               std::span<const Block> receive);

}  // namespace halocline::exchange
