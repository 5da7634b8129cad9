// SPDX-License-Identifier: BSD-3-Clause
// The vertices that may move, the one that gains most on top.
#pragma once

#include "place/graph/work_graph.hpp"

#include <utility>
#include <vector>

namespace halocline::place {

/// A binary heap whose entries may change. Of equal gains the latest is on top: a move tends to go on where
/// the last one was, which finds the way through plateaus.
class GainHeap {
 public:
  explicit GainHeap(std::size_t vertices) : place_(vertices, absent) {}

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] bool contains(Vertex v) const { return place_[v] != absent; }
  [[nodiscard]] Vertex top() const { return entries_.front().vertex; }
  [[nodiscard]] Count top_gain() const { return entries_.front().gain; }

  /// Adds a vertex, or changes its gain.
  void put(Vertex v, Count gain) {
    if (place_[v] == absent) {
      place_[v] = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({});
    }
    const std::size_t at = place_[v];
    entries_[at] = {gain, ++stamp_, v};
    down(up(at));
  }

  void remove(Vertex v) {
    const std::size_t at = place_[v];
    place_[v] = absent;
    const Item last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    entries_[at] = last;
    place_[last.vertex] = static_cast<std::uint32_t>(at);
    down(up(at));
  }

  void clear() {
    for (const Item& item : entries_) place_[item.vertex] = absent;
    entries_.clear();
  }

 private:
  struct Item {
    Count gain;
    std::uint64_t stamp;
    Vertex vertex;
    [[nodiscard]] bool above(const Item& other) const {
      return gain != other.gain ? gain > other.gain : stamp > other.stamp;
    }
  };
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  void set(std::size_t at, const Item& item) {
    entries_[at] = item;
    place_[item.vertex] = static_cast<std::uint32_t>(at);
  }

  std::size_t up(std::size_t at) {
    const Item item = entries_[at];
    for (; at > 0 && item.above(entries_[(at - 1) / 2]); at = (at - 1) / 2) set(at, entries_[(at - 1) / 2]);
    set(at, item);
    return at;
  }

  void down(std::size_t at) {
    const Item item = entries_[at];
    for (std::size_t child; (child = 2 * at + 1) < entries_.size(); at = child) {
      if (child + 1 < entries_.size() && entries_[child + 1].above(entries_[child])) ++child;
      if (!entries_[child].above(item)) break;
      set(at, entries_[child]);
    }
    set(at, item);
  }

  std::vector<Item> entries_;
  std::vector<std::uint32_t> place_;
  std::uint64_t stamp_ = 0;
};

}  // namespace halocline::place
