// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/transfer.hpp"

namespace halocline::accelerate {

Transfer::Transfer(Device& device, const std::vector<Move>& moves) : device_(&device) {
  const std::vector<Tile> tiles = tiles_of(moves);
  if (tiles.empty()) return;
  for (const Move& move : moves) bytes_ += move.bytes();
  tiles_ = static_cast<Count>(tiles.size());
  const auto table_bytes = static_cast<Count>(tiles.size() * sizeof(Tile));
  table_ = OwnMemory(device, OwnMemory::Kind::of_device, table_bytes);
  device.copy(table_.get(), reinterpret_cast<const std::byte*>(tiles.data()), table_bytes, nullptr);
  device.synchronize(nullptr);
}

void Transfer::launch(Stream stream) const {
  if (!empty()) device_->launch(reinterpret_cast<const Tile*>(table_.get()), tiles_, stream);
}

}  // namespace halocline::accelerate
