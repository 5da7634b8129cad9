// Blocks of a given number of bytes that lie in memory in many ways, with every byte between them watched.
#pragma once

#include "halocline/exchange/exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace halocline {

using Random = std::mt19937_64;

inline Count random_in(Random& random, Count low, Count high) {
  return std::uniform_int_distribution<Count>(low, high)(random);
}

/// What byte `index` of the block from `sender` for `neighbour` is in the given start.
inline std::byte content(Count sender, Count neighbour, Count index, Count start) {
  std::uint64_t x =
      static_cast<std::uint64_t>(sender * 1000003 + neighbour * 7919 + index * 31 + start * 104729);
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::byte>(x >> 56);
}

/// A buffer with a block in it. Every process may have another layout; only the number of bytes counts.
class ScatteredBlock {
 public:
  static constexpr std::byte guard{0xA5};

  ScatteredBlock(Count bytes, Random& random) : layout_(Layout::named(Elementary::byte)) {
    switch (random_in(random, 0, 4)) {
      case 0:
        contiguous(bytes);
        break;
      case 1:
        strided(bytes, random_in(random, 1, 9), random_in(random, 1, 5));
        break;
      case 2:
        strided(bytes, random_in(random, 1, 70), -1 - random_in(random, 1, 70) * 2);
        break;
      case 3:
        scattered(bytes, random);
        break;
      default:
        counted(bytes, random_in(random, 1, 4));
        break;
    }
    buffer_.assign(static_cast<std::size_t>(size_ + 2 * margin), guard);
  }

  [[nodiscard]] Block block() { return {buffer_.data() + margin + origin_, layout_, count_}; }

  /// Writes the block's bytes.
  template <class Content>
  void fill(const Content& byte_of) {
    for (std::size_t i = 0; i < offsets_.size(); ++i) at(i) = byte_of(static_cast<Count>(i));
  }
  void clear() { std::fill(buffer_.begin(), buffer_.end(), guard); }

  [[nodiscard]] const std::vector<std::byte>& buffer() const { return buffer_; }
  bool operator==(const ScatteredBlock& other) const { return buffer_ == other.buffer_; }

 private:
  static constexpr Count margin = 64;

  std::byte& at(std::size_t i) { return buffer_[static_cast<std::size_t>(margin + origin_ + offsets_[i])]; }

  void contiguous(Count bytes) {
    layout_ = Layout::contiguous(bytes, Layout::named(Elementary::byte));
    add(bytes, 0);
    size_ = bytes;
  }

  /// Runs of `run` bytes, `run + gap` apart; backwards if the gap is negative. The last run may be shorter.
  void strided(Count bytes, Count run, Count gap) {
    const Count stride = gap > 0 ? run + gap : -(run - gap);
    const Count runs = bytes / run, rest = bytes % run;
    const Count first = stride < 0 ? -stride * runs : 0;
    const Layout byte = Layout::named(Elementary::byte);
    layout_ = Layout::structure({1, 1}, {first, first + runs * stride},
                                {Layout::hvector(runs, run, stride, byte), Layout::contiguous(rest, byte)});
    for (Count r = 0; r < runs; ++r) add(run, first + r * stride);
    add(rest, first + runs * stride);
    size_ = std::abs(stride) * (runs + 1) + run;
  }

  /// Runs of random length in random order.
  void scattered(Count bytes, Random& random) {
    Counts lengths, places;
    Count place = 0;
    for (Count left = bytes; left > 0;) {
      const Count length = std::min(left, random_in(random, 1, 1 + bytes / 3));
      place += random_in(random, 0, 3);
      lengths.push_back(length);
      places.push_back(place);
      place += length;
      left -= length;
    }
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Counts shuffled_lengths, shuffled_places;
    for (const std::size_t i : order) {
      shuffled_lengths.push_back(lengths[i]);
      shuffled_places.push_back(places[i]);
      add(lengths[i], places[i]);
    }
    layout_ = Layout::hindexed(shuffled_lengths, shuffled_places, Layout::named(Elementary::byte));
    size_ = place;
  }

  /// Several elements of a resized type, the count doing the rest.
  void counted(Count bytes, Count element) {
    if (bytes % element != 0) return contiguous(bytes);
    const Count extent = element + 3;
    layout_ = Layout::resized(0, extent, Layout::contiguous(element, Layout::named(Elementary::byte)));
    count_ = bytes / element;
    for (Count i = 0; i < count_; ++i) add(element, i * extent);
    size_ = count_ * extent;
  }

  void add(Count bytes, Count offset) {
    for (Count i = 0; i < bytes; ++i) offsets_.push_back(offset + i);
  }

  Layout layout_;
  Count count_ = 1;
  Count origin_ = 0;
  Count size_ = 0;
  Counts offsets_;
  std::vector<std::byte> buffer_;
};

}  // namespace halocline
