// SPDX-License-Identifier: BSD-3-Clause
// Stencil Strips, after Hunold et al., "Efficient Process-to-Node Mapping Algorithms for Stencil
// Computations", CLUSTER 2020, Algorithm 3, with the strip lengths the authors' results come from.

#include "place/simple/strips.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include "place/problem/rule.hpp"
#include "place/simple/fill_by_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace halocline::place {
namespace {

/// A dimension cut into `wide` intervals of width + 1 and then others of width.
struct Intervals {
  std::size_t dimension;
  Count extent, width, count, wide;

  [[nodiscard]] Count size(Count i) const { return width + (i < wide); }
  [[nodiscard]] Count start(Count i) const { return i * width + std::min(i, wide); }
  [[nodiscard]] Count find(Count x) const {
    const Count wide_end = wide * (width + 1);
    return x < wide_end ? x / (width + 1) : wide + (x - wide_end) / width;
  }
};

class Snake : public Placement::Rule {
 public:
  explicit Snake(std::vector<Intervals> levels, Count cells) : levels_(std::move(levels)), cells_(cells) {}

  void locate(Rank rank, std::span<Count> cell) const override {
    Walk walk(levels_.size());
    bool flip = false;
    Count cells = cells_;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Intervals& level = levels_[i];
      const Count layer = cells / level.extent;
      // Walked backwards, the distance from the far end is what the remaining ranks measure.
      const Count layers = rank / layer;
      const Count index = level.find(flip ? level.extent - 1 - layers : layers);
      const Count before = flip ? level.extent - level.start(index) - level.size(index) : level.start(index);
      rank -= before * layer;
      cells = layer * level.size(index);
      walk.set(i, index, flip);
      flip ^= index % 2 == 1;
    }
    for (std::size_t i = levels_.size(); i-- > 0;) {
      const Count size = levels_[i].size(walk.index(i)), inside = rank % size;
      cell[levels_[i].dimension] =
          levels_[i].start(walk.index(i)) + (walk.flip(i) ? size - 1 - inside : inside);
      rank /= size;
    }
  }

  [[nodiscard]] Rank owner(std::span<const Count> cell) const override { return row_from(cell).first; }

  void owners(const Grid& grid, Count first, std::span<Rank> ranks) const override {
    const EvenDimension uncut{levels_.back().dimension, 0, levels_.back().extent};
    fill_by_rows(grid, first, ranks, uncut, [&](const Cell& cell) { return row_from(cell); });
  }

 private:
  [[nodiscard]] EvenRow row_from(std::span<const Count> cell) const {
    Rank rank = 0, inside = 0;
    bool flip = false;
    Count cells = cells_, spacing = 1, length = 1;
    for (const Intervals& level : levels_) {
      const Count x = cell[level.dimension], index = level.find(x);
      const Count start = level.start(index), size = level.size(index), layer = cells / level.extent;
      rank += (flip ? level.extent - start - size : start) * layer;
      cells = layer * size;
      inside = inside * size + (flip ? start + size - 1 - x : x - start);
      spacing *= size;
      if (level.dimension + 1 == cell.size()) {
        // The last level is not cut: its intervals are single cells, one behind the other.
        const bool whole = &level == &levels_.back();
        spacing = whole ? layer : 1;
        if (flip) spacing = -spacing;
        length = whole ? level.extent - x : start + size - x;
      }
      flip ^= index % 2 == 1;
    }
    return {rank + inside, spacing, length};
  }

  /// What the way down leaves for the way back: the interval and direction of each level.
  class Walk {
   public:
    explicit Walk(std::size_t levels) : far_(levels > near_.size() ? levels : 0) {}
    void set(std::size_t i, Count index, bool flip) { at(i) = 2 * index + flip; }
    Count index(std::size_t i) { return at(i) / 2; }
    bool flip(std::size_t i) { return at(i) % 2 == 1; }

   private:
    Count& at(std::size_t i) { return far_.empty() ? near_[i] : far_[i]; }
    std::array<Count, 8> near_;
    Counts far_;
  };

  std::vector<Intervals> levels_;
  Count cells_;
};

/// For each dimension, how much longer than a cube's side the box around the stencil is; 0 where it is flat.
std::vector<double> distortion(const Stencil& stencil) {
  const std::size_t dimensions = stencil.dimensions();
  std::vector<double> extension(dimensions);
  double volume = 1, extended = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    Count low = 0, high = 0;
    for (const Offset& offset : stencil.offsets()) {
      low = std::min(low, offset[d]);
      high = std::max(high, offset[d]);
    }
    extension[d] = to_double(high) - to_double(low);
    if (extension[d] == 0) continue;
    volume *= extension[d];
    extended += 1;
  }
  if (extended > 0)
    for (double& e : extension) e /= std::pow(volume, 1 / extended);
  return extension;
}

}  // namespace

Placement strips(const Problem& problem) {
  const Grid& grid = problem.grid();
  const Counts& extents = grid.extents();
  const auto longest = to_index(std::max_element(extents.begin(), extents.end()) - extents.begin());
  const std::vector<double> alpha = distortion(problem.stencil());

  std::vector<Intervals> levels;
  Count rest_of_node = problem.mean_node_size();
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d == longest) continue;
    const double root = std::pow(to_double(rest_of_node) * alpha[d], 1 / to_double(extents.size()));
    const Count length = std::clamp(static_cast<Count>(root), Count{1}, extents[d]);
    const Count count = extents[d] / length;
    levels.push_back({d, extents[d], extents[d] / count, count, extents[d] % count});
    rest_of_node /= levels.back().width;
  }
  levels.push_back({longest, extents[longest], 1, extents[longest], 0});
  return {grid, std::make_shared<Snake>(std::move(levels), grid.size())};
}

}  // namespace halocline::place
