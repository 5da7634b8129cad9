// SPDX-License-Identifier: BSD-3-Clause
#include "plan/messages/alike_nodes.hpp"

#include "base/hash.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>

namespace halocline::plan {
namespace {

using Picture = std::vector<std::uint64_t>;

/// All pictures together, in words.
constexpr std::size_t most_pictures_kept = std::size_t{1} << 22;

/// Words by turns into one of four numbers, none of which waits for the others.
struct HashOfPicture {
  std::size_t operator()(const Picture& picture) const {
    std::array<std::uint64_t, 4> lanes{picture.size(), 1, 2, 3};
    const auto mix = [](std::uint64_t& lane, std::uint64_t word) {
      lane = (lane ^ word) * golden_ratio;
      lane ^= lane >> 29;
    };
    std::size_t i = 0;
    for (; i + lanes.size() <= picture.size(); i += lanes.size())
      for (std::size_t l = 0; l < lanes.size(); ++l) mix(lanes[l], picture[i + l]);
    for (; i < picture.size(); ++i) mix(lanes[0], picture[i]);
    for (std::size_t l = 1; l < lanes.size(); ++l) mix(lanes[0], lanes[l]);
    return lanes[0];
  }
};

/// Numbers nodes in the order in which they are met.
class Numbers {
 public:
  void forget() {
    met_ = 0;
    if (++round_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Bucket{});
      round_ = 1;
    }
  }

  std::uint32_t of(int node) {
    if (std::size_t{2} * met_ >= slots_.size()) grow();
    Bucket& slot = find(node);
    if (slot.round != round_) slot = {node, round_, met_++};
    return slot.number;
  }

 private:
  struct Bucket {
    int node = 0;
    std::uint32_t round = 0, number = 0;
  };

  Bucket& find(int node) {
    std::size_t i = (std::size_t{0x9e3779b1U} * static_cast<std::uint32_t>(node)) & (slots_.size() - 1);
    while (slots_[i].round == round_ && slots_[i].node != node) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  void grow() {
    std::vector<Bucket> old(2 * slots_.size());
    old.swap(slots_);
    for (const Bucket& slot : old)
      if (slot.round == round_) find(slot.node) = slot;
  }

  std::vector<Bucket> slots_ = std::vector<Bucket>(256);
  std::uint32_t round_ = 0, met_ = 0;
};

/// Draws what a node sees: the box around its cells and all that is in view of them, row by row, with nodes
/// numbered as they come, and the shares of its own cells.
class Painter {
 public:
  Painter(const NodeCells& cells, const View& view)
      : cells_(cells),
        view_(view),
        grid_(cells.decomposition().grid()),
        dimensions_(view.along() + 1),
        sides_(dimensions_),
        strides_(dimensions_, 1),
        uneven_(dimensions_) {
    for (std::size_t d = dimensions_ - 1; d-- > 0;) strides_[d] = strides_[d + 1] * grid_.extents()[d + 1];
    const Decomposition& shares = cells.decomposition();
    for (std::size_t d = 0; d < dimensions_; ++d)
      uneven_[d] = shares.largest_extent(d) != shares.least_extent(d);
  }

  /// False if the box is too large to be worth it.
  bool draw(Count node, Picture& picture) {
    const Count size = measure(node);
    constexpr Count worth_it = 32, small = 256;
    Count volume = 1;
    for (Side& side : sides_) {
      choose_box(side, to_index(&side - sides_.data()));
      volume *= side.length;  // no more than the grid
    }
    if (volume > worth_it * size + small) return false;
    picture.clear();
    for (std::size_t d = 0; d < dimensions_; ++d) {
      picture.push_back(static_cast<std::uint64_t>(sides_[d].begin - sides_[d].least));
      picture.push_back(static_cast<std::uint64_t>(sides_[d].length));
      if (uneven_[d]) draw_shares(d, picture);
    }
    numbers_.forget();
    (void)numbers_.of(to_int(node));
    run_node_ = -1, run_length_ = 0;
    draw_rows(0, 0, picture);
    end_run(picture);
    return true;
  }

 private:
  /// Along one dimension.
  struct Side {
    Count least, most;    ///< Of the node's cells.
    Count begin, length;  ///< Of the box; it may begin outside where it wraps around.
  };

  /// Finds the least and the most of each dimension; counts the cells.
  Count measure(Count node) {
    for (Side& side : sides_) side = {std::numeric_limits<Count>::max(), 0, 0, 0};
    Count size = 0;
    for (const std::uint32_t first : cells_.runs(node)) {
      const Count length = cells_.length(first);
      size += length;
      auto rest = static_cast<std::uint32_t>(first);
      for (std::size_t d = 0; d < dimensions_; ++d) {
        const auto stride = static_cast<std::uint32_t>(strides_[d]);
        const Count x = rest / stride;
        rest %= stride;
        sides_[d].least = std::min(sides_[d].least, x);
        sides_[d].most = std::max(sides_[d].most, d + 1 == dimensions_ ? x + length - 1 : x);
      }
    }
    return size;
  }

  void choose_box(Side& side, std::size_t d) const {
    const Count extent = grid_.extents()[d];
    side.begin = side.least + view_.low(d);
    Count end = side.most + view_.high(d) + 1;
    if (!grid_.periodic(d)) side.begin = std::max(side.begin, Count{0}), end = std::min(end, extent);
    side.length = std::min(end - side.begin, extent);
  }

  void draw_shares(std::size_t d, Picture& picture) const {
    Count before = 0;
    for (Count x = sides_[d].least; x <= sides_[d].most; ++x) {
      const Count extent = cells_.decomposition().extent(d, x);
      if (extent == before) continue;
      before = extent;
      for (const Count word : {x - sides_[d].least, extent})
        picture.push_back(static_cast<std::uint64_t>(word));
    }
    picture.push_back(std::numeric_limits<std::uint64_t>::max());
  }

  void draw_rows(std::size_t d, Count start, Picture& picture) {
    const Count extent = grid_.extents()[d], begin = floor_modulo(sides_[d].begin, extent);
    if (d + 1 == dimensions_) {
      const Count behind = std::min(extent, begin + sides_[d].length);
      draw_cells(start + begin, start + behind, picture);
      const Count around = sides_[d].length - (behind - begin);
      if (around > 0) draw_cells(start, start + around, picture);
      return;
    }
    Count x = begin;
    for (Count i = 0; i < sides_[d].length; ++i) {
      draw_rows(d + 1, start + x * strides_[d], picture);
      if (++x == extent) x = 0;
    }
  }

  void draw_cells(Count begin, Count end, Picture& picture) {
    const int* const nodes = cells_.node_of_cell().data();
    for (Count cell = begin, next = begin; cell < end; cell = next) {
      next = cells_.next_run(cell, end);
      if (nodes[cell] != run_node_) {
        end_run(picture);
        run_node_ = nodes[cell];
        run_length_ = 0;
      }
      run_length_ += static_cast<std::uint64_t>(next - cell);
    }
  }

  void end_run(Picture& picture) {
    if (run_length_ == 0) return;
    picture.push_back(std::uint64_t{numbers_.of(run_node_)} << 32 | run_length_);
  }

  const NodeCells& cells_;
  const View& view_;
  const Grid& grid_;
  std::size_t dimensions_;  ///< Up to that of the rows: those behind have one cell.
  std::vector<Side> sides_;
  Counts strides_;
  std::vector<bool> uneven_;
  Numbers numbers_;
  int run_node_ = -1;
  std::uint64_t run_length_ = 0;  ///< Below 2^32, as all cells are.
};

/// Coordinates of one dimension from which a process sees as far, with shares that are equal.
struct AlikePlaces {
  Count first;
  Count places = 0;
};

std::vector<AlikePlaces> alike_places(const NodeCells& cells, const View& view, std::size_t d) {
  const Decomposition& shares = cells.decomposition();
  const Grid& grid = shares.grid();
  const Count last = grid.extents()[d] - 1;
  using Seen = std::array<Count, 3>;  // how far before and behind, and the share
  std::map<Seen, AlikePlaces> places;
  auto at = places.end();
  for (Count x = 0; x <= last; ++x) {
    Count low = view.low(d), high = view.high(d);
    if (!grid.periodic(d)) low = std::max(low, -x), high = std::min(high, last - x);
    const Seen seen{low, high, shares.extent(d, x)};
    if (at == places.end() || at->first != seen) at = places.try_emplace(seen, AlikePlaces{x}).first;
    ++at->second.places;
  }
  std::vector<AlikePlaces> alike;
  alike.reserve(places.size());
  for (const auto& [seen, some] : places) alike.push_back(some);
  return alike;
}

/// Where each process has a node of its own, all that it sees are other nodes, or itself: only places and
/// shares tell them apart.
std::vector<NodeKind> alike_processes(const NodeCells& cells, const View& view) {
  const Grid& grid = cells.decomposition().grid();
  std::vector<AlikePlaces> alike{{0, 1}};  // by numbers of cells, of the dimensions so far
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::vector<AlikePlaces> along = alike_places(cells, view, d);
    std::vector<AlikePlaces> next;
    next.reserve(alike.size() * along.size());
    for (const AlikePlaces& before : alike)
      for (const AlikePlaces& here : along)
        next.push_back({before.first * grid.extents()[d] + here.first, before.places * here.places});
    alike = std::move(next);
  }
  std::vector<NodeKind> kinds;
  kinds.reserve(alike.size());
  for (const AlikePlaces& some : alike)
    kinds.push_back({cells.node_of_cell()[to_index(some.first)], some.places});
  return kinds;
}

}  // namespace

std::vector<NodeKind> alike_nodes(const NodeCells& cells, const View& view) {
  if (cells.alone()) return alike_processes(cells, view);
  std::vector<NodeKind> kinds;
  std::unordered_map<Picture, std::size_t, HashOfPicture> known;
  std::size_t remembered = 0;
  Painter painter(cells, view);
  Picture picture;
  for (Count node = 0; node < cells.nodes(); ++node) {
    if (painter.draw(node, picture)) {
      if (const auto found = known.find(picture); found != known.end()) {
        ++kinds[found->second].nodes;
        continue;
      }
      if (remembered + picture.size() <= most_pictures_kept) {
        remembered += picture.size();
        known.emplace(picture, kinds.size());
      }
    }
    kinds.push_back({node, 1});
  }
  return kinds;
}

}  // namespace halocline::plan
