// SPDX-License-Identifier: BSD-3-Clause
// The growing patch of cells whose vertices are known. Rings are rolled out: a patch is part of an endless
// grid, and each vertex is in it once.
#pragma once

#include "plan/pattern/pair_graph.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace halocline::plan {

/// A cell of the endless grid as one number: the bits of its coordinates side by side, from the middle on.
class EndlessCells {
 public:
  explicit EndlessCells(std::size_t dimensions) : dimensions_(dimensions), bits_(64 / dimensions) {}

  using Key = std::uint64_t;
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] Key origin() const;
  [[nodiscard]] Key neighbour(Key cell, std::size_t dimension, bool forward) const {
    const Key step = Key{1} << (bits_ * dimension);
    return forward ? cell + step : cell - step;
  }
  [[nodiscard]] Count coordinate(Key cell, std::size_t dimension) const;

 private:
  std::size_t dimensions_, bits_;
};

/// The neighbours of a vertex, sorted by dimension: two, or one where it is at a border.
using Cross = std::vector<std::vector<std::uint32_t>>;

/// Two neighbours without another vertex between them are on one line. Nothing if lines come out of this that
/// have more than two, or more than most_pattern_dimensions of them.
[[nodiscard]] std::optional<Cross> cross_at(const PairGraph& steps, std::uint32_t vertex);

class Front {
 public:
  using Key = EndlessCells::Key;

  Front(const PairGraph& steps, std::uint32_t seed, const Cross& cross);

  /// Until nobody else can be placed.
  void grow();

  [[nodiscard]] const EndlessCells& cells() const { return cells_; }
  [[nodiscard]] std::size_t placed() const { return vertex_at_.size(); }
  [[nodiscard]] bool is_placed(std::uint32_t v) const { return placed_[v]; }
  [[nodiscard]] Key cell_of(std::uint32_t v) const { return cell_of_[v]; }

 private:
  struct Vote {
    Key cell = 0;
    int votes = 0;
    bool tie = false;
  };

  void place(std::uint32_t v, Key cell);
  [[nodiscard]] bool is_free(Key cell) const;
  template <class Visit>
  void for_free(Key cell, const Visit& visit) const;
  [[nodiscard]] Vote vote(std::uint32_t v) const;
  bool place_by_votes(std::uint32_t v, bool even_ties);
  void look_around(std::uint32_t v);
  void go_straight(std::uint32_t v);
  bool break_ties();

  const PairGraph& steps_;
  EndlessCells cells_;
  std::vector<bool> borders_;  ///< Of each dimension: nothing is before the seed.
  std::vector<bool> placed_;
  std::vector<Key> cell_of_;
  std::unordered_map<Key, std::uint32_t> vertex_at_;
  std::vector<std::uint32_t> queue_;     ///< Placed, and not looked around yet.
  std::vector<std::uint32_t> straight_;  ///< Looked around, and perhaps there is a way straight on.
};

}  // namespace halocline::plan
