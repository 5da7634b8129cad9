#include "exchange/pieces.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

/// Calls act(packer, position in the message part, first byte of the packer's stream, bytes) for each piece
/// that has bytes in it.
template <class Act>
void for_each_in(const Pieces& pieces, Count first, Count bytes, const Act& act) {
  for (const Piece& piece : pieces) {
    const Count begin = std::max(first, piece.offset);
    const Count end = std::min(first + bytes, piece.offset + piece.packer.bytes());
    if (begin < end) act(piece.packer, begin - first, begin - piece.offset, end - begin);
  }
}

}  // namespace

void pack(const Pieces& pieces, Count first, Count bytes, std::byte* wire) {
  for_each_in(pieces, first, bytes, [&](const compile::Packer& packer, Count at, Count from, Count count) {
    if (count == packer.bytes())
      packer.pack(nullptr, wire + at);
    else
      packer.pack(nullptr, wire + at, from, count);
  });
}

void unpack(const Pieces& pieces, Count first, Count bytes, const std::byte* wire) {
  for_each_in(pieces, first, bytes, [&](const compile::Packer& packer, Count at, Count from, Count count) {
    if (count == packer.bytes())
      packer.unpack(wire + at, nullptr);
    else
      packer.unpack(wire + at, nullptr, from, count);
  });
}

}  // namespace halocline::exchange
