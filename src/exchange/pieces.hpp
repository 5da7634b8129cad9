// The part one process has in a message: which bytes of it, and where they lie in its own memory.
#pragma once

#include "halocline/compile/packer.hpp"

#include <vector>

namespace halocline::exchange {

/// Some blocks, one behind the other in the message.
struct Piece {
  Count offset;  ///< Of the first byte in the message.
  compile::Packer packer;
};

/// What one process contributes to a message, or takes from it. Pieces may overlap when they are read.
using Pieces = std::vector<Piece>;

/// Packs or unpacks the bytes [first, first + bytes) of a message; they lie at `wire`.
void pack(const Pieces& pieces, Count first, Count bytes, std::byte* wire);
void unpack(const Pieces& pieces, Count first, Count bytes, const std::byte* wire);

}  // namespace halocline::exchange
