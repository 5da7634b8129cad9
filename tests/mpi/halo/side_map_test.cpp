// Which boxes processes get from each other beyond the sides of a mesh: for all processes of many grids,
// point by point beside a reference. Longer: HALOCLINE_CASES=10000, HALOCLINE_SECONDS=60

#include "halo/sides/side_map.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halo/points.hpp"
#include "halo/random_sides.hpp"
#include "halo/sides_reference.hpp"
#include "support/trials.hpp"

#include <map>
#include <set>

namespace halocline::halo_side_map_tests {
namespace {

struct Case {
  Decomposition decomposition;
  Stencil directions;
  Sides sides;
  HaloWidths halo;
};

Case random_case(Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 4));
  const Count most = dimensions > 2 ? 3 : 6;
  Counts extents;
  std::vector<Counts> slabs(dimensions);
  for (Counts& slab : slabs) {
    extents.push_back(random_in(random, 1, dimensions > 3 ? 2 : 4));
    for (Count i = 0; i < extents.back(); ++i) slab.push_back(random_in(random, 1, most));
  }
  Decomposition decomposition(Grid(extents, random_periods(dimensions, random)), slabs);
  Sides sides = random_sides(decomposition.mesh(), random);
  HaloWidths halo;
  for (std::size_t d = 0; d < dimensions; ++d) {
    Count widest = std::min(Count{4}, decomposition.least_extent(d));
    if (!decomposition.mesh().periodic(d))
      widest = std::min(widest, std::max(Count{0}, decomposition.mesh().extents()[d] - 2));
    halo.low.push_back(random_in(random, 0, widest));
    halo.high.push_back(random_in(random, 0, widest));
  }
  Stencil directions =
      coin(random, 3) ? random_directions(dimensions, random) : Stencil::moore(dimensions, 1);
  return {std::move(decomposition), std::move(directions), std::move(sides), std::move(halo)};
}

struct Told {
  Cell point;  ///< Of the mesh.
  halo::Crossed crossed;
};

/// What the pieces say of each ghost point of a process; it must be in one piece alone.
std::map<Cell, Told> told_by_pieces(const Case& here, const std::vector<halo::SidePiece>& pieces) {
  std::map<Cell, Told> told;
  for (const halo::SidePiece& piece : pieces) {
    const Box source = here.decomposition.box(piece.source);
    for_each_point(piece.to.count, HaloWidths(Counts(piece.from.size(), 0)), [&](const Cell& step) {
      Cell ghost = piece.to.first, point = source.first;
      for (std::size_t d = 0; d < step.size(); ++d) {
        ghost[d] += step[d];
        const Count local = piece.from[d] + (piece.reversed[d] ? -step[d] : step[d]);
        EXPECT_TRUE(0 <= local && local < source.extents[d]) << "outside of its owner";
        point[d] += local;
      }
      EXPECT_TRUE(told.emplace(ghost, Told{point, piece.crossed}).second) << "twice";
    });
  }
  return told;
}

void compare(std::uint64_t seed) {
  Random random(seed);
  const Case here = random_case(random);
  const auto field = static_cast<std::size_t>(random_in(random, 0, 1));
  const Grid& grid = here.decomposition.grid();
  SCOPED_TRACE(concat(here.decomposition.mesh().to_text(), " on ", grid.to_text(), " ",
                      here.directions.to_text(), " sides ", here.sides.to_text(), " halo ",
                      join(here.halo.low, ","), " and ", join(here.halo.high, ","), " seed ", seed));
  const halo::SideMap map(here.sides, here.decomposition, here.directions);
  map.require_narrow(field, here.halo);
  const SidesReference reference(here.sides, here.decomposition, here.directions);
  std::map<Cell, std::set<Cell>> readers;
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    const Cell cell = grid.cell(rank);
    const std::vector<halo::SidePiece> pieces = map.pieces(cell, field, here.halo);
    for (const halo::SidePiece& piece : pieces) readers[piece.source].insert(cell);
    const std::map<Cell, Told> told = told_by_pieces(here, pieces);
    std::size_t shown_points = 0;
    const Counts extents = here.decomposition.box(cell).extents;
    for_each_point(extents, here.halo, [&](const Cell& point) {
      const Offset side = side_of(point, extents);
      if (side == Offset(point.size(), 0)) return;
      const auto its_source = map.source(cell, field, side, point);
      auto shown = reference.shown(cell, field, side, point);
      if (shown && shown->crossed.empty()) shown.reset();  // for the other exchange
      ASSERT_EQ(its_source.has_value(), shown.has_value()) << join(point, ",");
      if (!shown) return;
      ++shown_points;
      const auto found = told.find(point);
      ASSERT_NE(found, told.end()) << join(point, ",");
      ASSERT_EQ(found->second.point, shown->point) << join(point, ",");
      ASSERT_EQ(its_source->point, shown->point) << join(point, ",");
      ASSERT_EQ(its_source->crossed.size(), shown->crossed.size());
      for (std::size_t i = 0; i < shown->crossed.size(); ++i) {
        EXPECT_EQ(*its_source->crossed[i], *shown->crossed[i]);
        EXPECT_EQ(*found->second.crossed[i], *shown->crossed[i]);
      }
    });
    EXPECT_EQ(told.size(), shown_points);
  }
  for (const auto& [owner, its_readers] : readers) {
    const std::vector<Cell> candidates = map.may_get_from(owner, field, here.halo);
    for (const Cell& reader : its_readers)
      EXPECT_TRUE(std::find(candidates.begin(), candidates.end(), reader) != candidates.end())
          << join(reader, ",") << " gets something from " << join(owner, ",");
  }
}

TEST(SideMap, every_point_comes_from_where_a_reference_says) {
  Trials trials("maps of sides", 20261120, 500);
  while (trials.next()) compare(trials.seed());
}

}  // namespace
}  // namespace halocline::halo_side_map_tests
