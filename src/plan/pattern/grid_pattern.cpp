// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/grid_pattern.hpp"

#include "base/factorization.hpp"
#include "base/numbers.hpp"
#include "plan/pattern/evidence.hpp"
#include "plan/pattern/growth.hpp"
#include "plan/pattern/numbering.hpp"
#include "plan/pattern/row_major.hpp"
#include "plan/pattern/skeleton.hpp"
#include "plan/pattern/twins.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

constexpr std::size_t most_pattern_offsets = 343;  // a box of three steps each way in three dimensions
constexpr std::size_t most_twins = 64;

/// The best reading so far.
class Contenders {
 public:
  explicit Contenders(const MessageMatrix& matrix) : matrix_(matrix) {}

  void enter(Reading reading) {
    Evidence found = evidence(matrix_, reading);
    if (found.offsets.size() > most_pattern_offsets) return;
    const double defect = found.defect(matrix_);
    const double gain = defect_ - defect;
    if (gain < -1e-9 || (gain < 1e-9 && !simpler(reading, found))) return;
    defect_ = defect;
    reading_ = std::move(reading);
    evidence_ = std::move(found);
  }

  [[nodiscard]] bool accepted() const {
    return !evidence_.offsets.empty() &&
           to_double(evidence_.explained_bytes) >= least_explained * to_double(matrix_.bytes());
  }
  /// Nothing can be better but in what no grid explains. A reading without single steps is one of too many
  /// dimensions.
  [[nodiscard]] bool complete() const {
    return accepted() && evidence_.absent == 0 && evidence_.has_all_steps();
  }
  [[nodiscard]] const Reading& reading() const { return reading_; }
  [[nodiscard]] const Evidence& best() const { return evidence_; }

 private:
  [[nodiscard]] bool simpler(const Reading& reading, const Evidence& found) const {
    return std::pair(found.offsets.size(), reading.dimensions()) <
           std::pair(evidence_.offsets.size(), reading_.dimensions());
  }

  const MessageMatrix& matrix_;
  double defect_ = 2;
  Reading reading_;
  Evidence evidence_;
};

/// Twins get dimensions of their own, of two or three cells.
Reading with_twins(const Reading& classes, const Twins& twins) {
  Reading reading{classes.extents, {}};
  for (const auto& [prime, exponent] : prime_powers(to_count(twins.size)))
    reading.extents.insert(reading.extents.end(), to_size(exponent), prime);
  for (std::size_t v = 0; v < twins.class_of.size(); ++v) {
    const std::int32_t* const cell = classes.cell(twins.class_of[v]);
    reading.cells.insert(reading.cells.end(), cell, cell + classes.dimensions());
    Count rest = twins.number_of[v];
    for (std::size_t d = classes.dimensions(); d < reading.dimensions(); ++d) {
      reading.cells.push_back(static_cast<std::int32_t>(rest % reading.extents[d]));
      rest /= reading.extents[d];
    }
  }
  return reading;
}

/// `graph` may lack the edges of hubs, which `all` has.
std::optional<Reading> reading_by_neighbours(const PairGraph& graph, const PairGraph& all) {
  const Twins found = twins(graph);
  if (found.size <= 1 || found.size > most_twins || found.graph.neighbours.empty())
    return grown_reading(skeleton(graph, Likeness::neighbours), all);
  const std::optional<Reading> classes = reading_by_neighbours(found.graph, found.graph);
  if (!classes) return std::nullopt;
  Reading reading = with_twins(*classes, found);
  if (reading.dimensions() > most_pattern_dimensions) return std::nullopt;
  return reading;
}

/// Two dimensions of two cells are a ring of four, as long as there are more than four dimensions.
Reading with_rings_of_four(Reading reading) {
  while (reading.dimensions() > 4) {
    std::vector<std::size_t> pairs;
    for (std::size_t d = 0; d < reading.dimensions(); ++d)
      if (reading.extents[d] == 2) pairs.push_back(d);
    if (pairs.size() < 2) break;
    const std::size_t first = pairs[0], second = pairs[1],
                      ranks = reading.cells.size() / reading.dimensions();
    Reading fewer;
    for (std::size_t d = 0; d < reading.dimensions(); ++d)
      if (d != second) fewer.extents.push_back(d == first ? 4 : reading.extents[d]);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (std::size_t d = 0; d < reading.dimensions(); ++d) {
        const std::int32_t* const cell = reading.cell(rank);
        if (d == first)
          fewer.cells.push_back(2 * cell[first] + (cell[first] ^ cell[second]));
        else if (d != second)
          fewer.cells.push_back(cell[d]);
      }
    reading = std::move(fewer);
  }
  return reading;
}

void enter_grown(const MessageMatrix& matrix, Contenders& contenders) {
  if (contenders.complete()) return;
  const PairGraph all = pair_graph(matrix), graph = without_hubs(all);
  for (const Likeness likeness : {Likeness::bytes, Likeness::neighbours}) {
    std::optional<Reading> reading = likeness == Likeness::neighbours
                                         ? reading_by_neighbours(graph, all)
                                         : grown_reading(skeleton(graph, likeness), all);
    if (reading) contenders.enter(with_rings_of_four(std::move(*reading)));
    if (contenders.complete()) return;
  }
}

/// Everybody sends about the same to everybody.
bool is_uniform(const MessageMatrix& matrix) {
  if (matrix.pairs() != matrix.ranks() * (matrix.ranks() - 1)) return false;
  Count least = matrix.bytes(), most = 0;
  matrix.for_each([&](std::size_t, std::size_t, Count bytes) {
    least = std::min(least, bytes);
    most = std::max(most, bytes);
  });
  return to_double(most) <= 1.1 * to_double(least);
}

GridPattern pattern_of(const MessageMatrix& matrix, const Contenders& contenders) {
  NamedReading view = named(contenders.reading(), contenders.best().periodicity);
  const Evidence found = evidence(matrix, view.reading, view.periodicity);
  std::vector<Offset> offsets;
  Counts weights;
  for (const auto& [offset, pairs, bytes] : found.offsets) {
    offsets.push_back(offset);
    weights.push_back(std::max<Count>(1, (bytes + pairs / 2) / pairs));
  }
  const Grid grid(view.reading.extents, view.periodicity);
  std::vector<Count> cells(to_size(matrix.ranks()));
  for (std::size_t rank = 0; rank < cells.size(); ++rank)
    for (std::size_t d = 0; d < grid.dimensions(); ++d)
      cells[rank] = cells[rank] * grid.extents()[d] + view.reading.cell(rank)[d];
  return {grid,
          Stencil(std::move(offsets), std::move(weights)),
          cells,
          std::move(view.name),
          found.explained_bytes,
          found.absent};
}

}  // namespace

std::optional<GridPattern> grid_pattern(const MessageMatrix& matrix) {
  if (matrix.ranks() < 2 || matrix.pairs() == 0 || is_uniform(matrix)) return std::nullopt;
  Contenders contenders(matrix);
  for (const Counts& extents : row_major_grids(matrix)) contenders.enter(row_major_reading(extents));
  enter_grown(matrix, contenders);
  if (!contenders.accepted()) return std::nullopt;
  return pattern_of(matrix, contenders);
}

}  // namespace halocline::plan
