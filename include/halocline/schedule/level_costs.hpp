// SPDX-License-Identifier: BSD-3-Clause
// What messages cost at the levels of a machine.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace halocline {
namespace schedule {

/// The linear cost model: so much a message, so much a byte.
struct LinearCost {
  double round_seconds;  ///< alpha: what a message costs, however small.
  double byte_seconds;   ///< beta: what each byte adds.
  /// How long a message is under way besides, while its sender and receiver can do other things: what has to
  /// wait for a message waits for that as well.
  double latency_seconds = 0;
};

}  // namespace schedule

/// Prices of more levels of a machine, by their names: of groups inside a node, such as "socket", "numa" or
/// "gpu", or of groups of nodes, such as "switch". A plain value without pointers.
class HALOCLINE_API LevelPrices {
 public:
  static constexpr std::size_t most = 8;           ///< Levels.
  static constexpr std::size_t longest_name = 23;  ///< Characters.

  struct Entry {
    [[nodiscard]] std::string_view level() const { return letters.data(); }

    std::array<char, longest_name + 1> letters{};  ///< Of the name, and zeros.
    schedule::LinearCost cost{0, 0};
  };

  /// Gives the level this price, in the place of the one that it has. Throws Error{invalid_argument} for a
  /// name that is empty, too long, or node or network, and for one level too many.
  void set(std::string_view level, const schedule::LinearCost& cost);
  /// Null if the level has none.
  [[nodiscard]] const schedule::LinearCost* find(std::string_view level) const;

  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// In the order in which they were given.
  [[nodiscard]] const Entry* begin() const { return entries_.data(); }
  [[nodiscard]] const Entry* end() const { return entries_.data() + size_; }

 private:
  std::array<Entry, most> entries_{};
  std::size_t size_ = 0;
};

/// A node has one way out that its processes share; on a node each process has its own. To choose between
/// ways of sending, only how they compare matters. A message costs the price of the innermost group of the
/// machine that holds both of its processes; where that level has none, that of the next outer one that has:
/// on a node at last on_node, between nodes at last between_nodes. Prices of levels that the machine does not
/// have count for nothing.
struct LevelCosts {
  schedule::LinearCost on_node{200e-9, 1 / 8e9, 300e-9};
  schedule::LinearCost between_nodes{1.5e-6, 1 / 12e9, 1.5e-6};
  LevelPrices levels{};
};

}  // namespace halocline
