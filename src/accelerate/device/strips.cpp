// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/device/strips.hpp"

#include "accelerate/device/kept_memory.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "accelerate/kernel/moves.hpp"
#include "compile/form/segments.hpp"
#include "compile/packer_state.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace halocline::accelerate {
namespace {

Count count_of(const std::byte* address) { return static_cast<Count>(number_of(address)); }

/// To the wire, with offsets from the base.
std::vector<Move> packing_moves(const Strip& strip) {
  const compile::Canonical& form = canonical_of(strip.packer);
  if (strip.bytes == form.bytes()) return moves_to(form, count_of(strip.wire));
  std::vector<Move> moves;
  Count done = 0;
  for (const Segment& run : compile::segments(form)) {
    const Count bytes = std::min(run.bytes, strip.bytes - done);
    if (bytes == 0) break;
    moves.push_back({run.offset, count_of(strip.wire) + done, bytes, {}});
    done += bytes;
  }
  return moves;
}

std::vector<Move> moves_of(StripDirection direction, std::span<const Strip> strips) {
  std::vector<Move> all;
  for (const Strip& strip : strips)
    for (Move& move : packing_moves(strip)) {
      move.from += count_of(strip.base);
      if (direction == StripDirection::unpack) {
        std::swap(move.from, move.to);
        for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
      }
      all.push_back(std::move(move));
    }
  return all;
}

bool is_same(const Strip& a, const Strip& b) {
  return &canonical_of(a.packer) == &canonical_of(b.packer) && a.base == b.base && a.wire == b.wire &&
         a.bytes == b.bytes;
}

/// All of it on one stream, one thread at a time.
class Mover {
 public:
  explicit Mover(Device& device) : device_(device), stream_(device) {}
  /// Each device has one, as long as the process lives.
  static Mover& of(Device& device) {
    static std::mutex mutex;
    static auto& movers = *new std::map<Device*, std::unique_ptr<Mover>>;
    const std::scoped_lock lock(mutex);
    std::unique_ptr<Mover>& mover = movers[&device];
    if (!mover) mover = std::make_unique<Mover>(device);
    return *mover;
  }

  void move(StripDirection direction, std::span<const Strip> strips) {
    const std::scoped_lock lock(mutex_);
    const Table& table = table_of(direction, strips);
    if (table.tiles == 0) return;
    device_.launch({reinterpret_cast<const Tile*>(table.memory.get()), table.tiles}, stream_.get());
    device_.synchronize(stream_.get());
  }

  void copy(std::byte* to, const std::byte* from, Count bytes) {
    const std::scoped_lock lock(mutex_);
    device_.copy(to, from, bytes, stream_.get());
    device_.synchronize(stream_.get());
  }

 private:
  static constexpr std::size_t most_tables = 64;
  struct Table {
    StripDirection direction;
    std::vector<Strip> strips;
    OwnMemory::Kind
        kind;  ///< Pinned at first: the kernel reads it from there sooner than a copy would be made.
    KeptMemory memory;
    Count bytes, tiles;
    std::uint64_t used;
  };

  Table& table_of(StripDirection direction, std::span<const Strip> strips) {
    const auto found = std::find_if(tables_.begin(), tables_.end(), [&](const Table& table) {
      return table.direction == direction &&
             std::equal(strips.begin(), strips.end(), table.strips.begin(), table.strips.end(), is_same);
    });
    Table& table = found != tables_.end() ? *found : added(direction, strips);
    if (found != tables_.end() && table.kind == OwnMemory::Kind::pinned) settle(table);
    table.used = ++uses_;
    return table;
  }

  /// One that has come again is read from the device from now on.
  void settle(Table& table) {
    if (table.tiles == 0) return;
    KeptMemory settled(device_, OwnMemory::Kind::of_device, table.bytes);
    device_.copy(settled.get(), table.memory.get(), table.bytes, stream_.get());
    device_.synchronize(stream_.get());
    table.memory = std::move(settled);
    table.kind = OwnMemory::Kind::of_device;
  }

  Table& added(StripDirection direction, std::span<const Strip> strips) {
    const TileTable tiles = tiles_of(moves_of(direction, strips));
    Table table{direction,
                {strips.begin(), strips.end()},
                OwnMemory::Kind::pinned,
                KeptMemory(device_, OwnMemory::Kind::pinned, tiles.bytes()),
                tiles.bytes(),
                static_cast<Count>(tiles.tiles.size()),
                0};
    if (!tiles.tiles.empty()) tiles.write(table.memory.get());
    if (tables_.size() < most_tables) return tables_.emplace_back(std::move(table));
    Table& oldest = *std::min_element(tables_.begin(), tables_.end(),
                                      [](const Table& a, const Table& b) { return a.used < b.used; });
    return oldest = std::move(table);
  }

  Device& device_;
  OwnStream stream_;
  std::mutex mutex_;
  std::vector<Table> tables_;
  std::uint64_t uses_ = 0;
};

}  // namespace

void move_strips(Device& device, StripDirection direction, std::span<const Strip> strips) {
  Mover::of(device).move(direction, strips);
}

void copy_now(Device& device, std::byte* to, const std::byte* from, Count bytes) {
  if (bytes > 0) Mover::of(device).copy(to, from, bytes);
}

}  // namespace halocline::accelerate
