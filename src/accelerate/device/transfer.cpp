// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/device/transfer.hpp"

#include "accelerate/kernel/addresses.hpp"

#include <cstring>

namespace halocline::accelerate {

Transfer::Transfer(Device& device, const std::vector<Move>& moves) : device_(&device) {
  const TileTable table = tiles_of(moves);
  if (table.tiles.empty()) return;
  for (const Move& move : moves) bytes_ += move.bytes();
  tiles_ = static_cast<Count>(table.tiles.size());
  std::vector<std::byte> written(static_cast<std::size_t>(table.bytes()));
  table.write(written.data());
  table_ = OwnMemory(device, OwnMemory::Kind::of_device, table.bytes());
  device.copy(table_.get(), written.data(), table.bytes(), device.aside());
  device.synchronize(device.aside());
}

void Transfer::launch(Stream stream) const {
  if (!empty()) device_->launch({reinterpret_cast<const Tile*>(table_.get()), tiles_}, stream);
}

void Transfer::launch(Stream stream, const News& news, std::uint64_t value) const {
  device_->launch({reinterpret_cast<const Tile*>(table_.get()), tiles_, news.get(), value}, stream);
}

News::News(Device& device, std::span<const Signal> words) {
  if (words.empty()) return;
  constexpr std::size_t head = sizeof(TileNews) / sizeof(std::uint64_t);
  std::vector<std::uint64_t> all(head + words.size());
  const TileNews news{0, words.size()};
  std::memcpy(all.data(), &news, sizeof news);
  for (std::size_t i = 0; i < words.size(); ++i) all[head + i] = number_of(words[i].word);
  const auto bytes = static_cast<Count>(all.size() * sizeof(std::uint64_t));
  memory_ = OwnMemory(device, OwnMemory::Kind::of_device, bytes);
  device.copy(memory_.get(), reinterpret_cast<const std::byte*>(all.data()), bytes, device.aside());
  device.synchronize(device.aside());
}

}  // namespace halocline::accelerate
