// SPDX-License-Identifier: BSD-3-Clause
// The part one process has in a message: which bytes of it, and where they lie in its own memory.
#pragma once

#include "halocline/compile/packer.hpp"

#include <utility>
#include <vector>

namespace halocline::exchange {

/// Some blocks, one behind the other in the message.
struct Piece {
  Piece(Count its_offset, compile::Packer its_packer)
      : offset(its_offset), bytes(its_packer.bytes()), packer(std::move(its_packer)) {}

  Count offset;  ///< Of the first byte in the message.
  Count bytes;   ///< As the packer says, here since a look there is a look into cold memory.
  compile::Packer packer;
};

/// What one process contributes to a message, or takes from it. Pieces may overlap when they are read.
using Pieces = std::vector<Piece>;

/// Packs or unpacks the bytes [first, first + bytes) of a message; they lie at `wire`.
void pack(const Pieces& pieces, Count first, Count bytes, std::byte* wire);
void unpack(const Pieces& pieces, Count first, Count bytes, const std::byte* wire);

}  // namespace halocline::exchange
