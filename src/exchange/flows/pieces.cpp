// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/pieces.hpp"

#include "exchange/memory/memory_news.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

/// Calls act(piece, position in the message part, first byte of the packer's stream, bytes) for each piece
/// that has bytes in it, which copies them.
template <class Act>
void for_each_in(const Pieces& pieces, Count first, Count bytes, const Act& act) {
  Count copied = 0;
  for (const Piece& piece : pieces) {
    const Count begin = std::max(first, piece.offset);
    const Count end = std::min(first + bytes, piece.offset + piece.bytes);
    if (begin >= end) continue;
    act(piece, begin - first, begin - piece.offset, end - begin);
    copied += end - begin;
  }
  spend_on_copy(copied);
}

}  // namespace

void pack(const Pieces& pieces, Count first, Count bytes, std::byte* wire) {
  for_each_in(pieces, first, bytes, [&](const Piece& piece, Count at, Count from, Count count) {
    if (count == piece.bytes)
      piece.packer.pack(nullptr, wire + at);
    else
      piece.packer.pack(nullptr, wire + at, from, count);
  });
}

void unpack(const Pieces& pieces, Count first, Count bytes, const std::byte* wire) {
  for_each_in(pieces, first, bytes, [&](const Piece& piece, Count at, Count from, Count count) {
    if (count == piece.bytes)
      piece.packer.unpack(wire + at, nullptr);
    else
      piece.packer.unpack(wire + at, nullptr, from, count);
  });
}

}  // namespace halocline::exchange
