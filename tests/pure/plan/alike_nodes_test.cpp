// Messages counted by kinds of nodes and stretches of cells, beside all messages counted one by one.
#include "plan/messages/alike_nodes.hpp"

#include "one_by_one.hpp"
#include "place/algorithms.hpp"
#include "plan/prediction/rated_placements.hpp"
#include "tried.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace halocline::plan {
namespace {

/// Small worlds with everything that may be odd about them.
class Worlds {
 public:
  explicit Worlds(std::uint64_t seed) : random_(seed) {}

  Problem problem(Count most_cells) {
    const auto dimensions = static_cast<std::size_t>(between(1, 4));
    Counts extents(dimensions, 1);
    Count cells = 1;
    for (Count& extent : extents) {
      extent = std::min(one_of({1, 2, 2, 3, 4, 5, 7, 8, 11, 13, 30}), most_cells / cells);
      cells *= extent;
    }
    std::shuffle(extents.begin(), extents.end(), random_);
    Periodicity periodic(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) periodic[d] = between(0, 1) == 1;
    const Grid grid(extents, periodic);
    const Stencil offsets = stencil(grid);
    Machine machine = Machine::of_nodes(Runs(node_sizes(cells)));
    if (between(1, 4) == 1)
      return Problem::of_blocks(grid, offsets, Counts(offsets.size(), one_of({0, 1, 100, 5000}) + 1),
                                between(0, 1) == 1 ? Operation::allgather : Operation::alltoall,
                                std::move(machine));
    Counts mesh = extents, halo;
    const bool even = between(0, 1) == 1;
    for (Count& extent : mesh) extent = extent * between(1, 4) + (even ? 0 : between(0, extent - 1));
    Problem problem{Mesh(mesh, periodic), offsets, std::move(machine)};
    problem.fixed = extents;
    for (std::size_t d = 0; d < dimensions; ++d)
      problem.halo.push_back(between(1, 5) == 1 ? 0 : between(1, 2));
    problem.fields = between(1, 3);
    problem.value_bytes = one_of({1, 8, 1000, Count{1} << 40, Count{1} << 52});
    return problem;
  }

  Count between(Count low, Count high) { return std::uniform_int_distribution<Count>(low, high)(random_); }

 private:
  Count one_of(std::initializer_list<Count> list) {
    return list.begin()[between(0, static_cast<Count>(list.size()) - 1)];
  }

  Stencil stencil(const Grid& grid) {
    const std::size_t dimensions = grid.dimensions();
    if (between(1, 4) == 1) return Stencil::moore(dimensions, dimensions < 3 ? between(1, 2) : 1);
    if (between(1, 3) == 1) return Stencil::nearest(dimensions);
    std::vector<Offset> offsets;
    Counts weights;
    for (Count i = between(1, 7); i > 0; --i) {
      Offset offset;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const Count extent = grid.extents()[d];
        offset.push_back(between(1, 20) == 1
                             ? one_of({extent, -extent, extent - 1, 1000003, -(Count{1} << 62)})
                             : between(-2, 2));
      }
      offsets.push_back(std::move(offset));
      weights.push_back(one_of({0, 1, 1, 2, 90}));
    }
    if (std::all_of(weights.begin(), weights.end(), [](Count weight) { return weight == 0; })) weights[0] = 1;
    return Stencil(std::move(offsets), std::move(weights));
  }

  Counts node_sizes(Count cells) {
    Counts sizes;
    const Count usual = between(1, 8) == 1 ? 1 : between(1, std::min<Count>(cells, 40));
    const bool even = between(0, 1) == 1;
    for (Count left = cells; left > 0; left -= sizes.back())
      sizes.push_back(std::min(left, even ? usual : between(1, usual)));
    return sizes;
  }

  std::mt19937_64 random_;
};

std::string told(const Prediction& prediction) {
  const LevelTraffic &all = prediction.total, &most = prediction.largest_process;
  std::string text;
  for (const Traffic& traffic : {all.self, all.node, all.network, most.self, most.node, most.network})
    text += std::to_string(traffic.messages) + " of " + std::to_string(traffic.bytes) + ", ";
  return text + std::to_string(prediction.largest_node_bytes);
}

std::string told(const one_by_one::Tally& tally) {
  Prediction prediction;
  prediction.total = tally.total;
  prediction.largest_process = tally.largest;
  prediction.largest_node_bytes = tally.largest_node_bytes;
  return told(prediction);
}

/// What a function returns, told; or the words of its error.
template <class Counted>
std::string outcome(const Counted& counted) {
  try {
    return told(counted());
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_equal_counts(const Problem& problem, const Placement& placement, const LevelCosts& prices) {
  const Placed placed(problem, placement);
  EXPECT_EQ(outcome([&] { return predict_plain(placed, prices); }),
            outcome([&] { return one_by_one::plain(placed); }));
  bool far = false;  // blocks would be forwarded a million times
  for (const Offset& offset : problem.stencil.offsets())
    for (const Count step : offset) far = far || step > 100 || step < -100;
  for (const ScheduleChoice schedule : schedules()) {
    if (combines(schedule) && (far || !placed.decomposition.even())) continue;
    EXPECT_EQ(outcome([&] { return predict(placed, schedule, prices); }),
              outcome([&] { return one_by_one::counted(placed, schedule, prices); }))
        << name_of(schedule);
  }
}

void expect_equal_pairs(const Problem& problem, const Placement& placement) {
  const Placed placed(problem, placement);
  const one_by_one::NodeLinks links(placed, any_length);
  std::vector<NodePair> pairs;
  for (std::size_t n = 0; n < links.by_sender().size(); ++n)
    for (const one_by_one::NodeLinks::Link& link : links.by_sender()[n])
      pairs.push_back({static_cast<Count>(n), link.to, link.traffic});
  Plan plan{placement.grid(), placement, "", "direct", {}, {}, {}, {}};
  EXPECT_EQ(node_pairs(problem, plan), pairs);
}

/// Random problems of at most so many cells, with all placements in turn.
void compare(std::uint64_t first_seed, int cases, Count most_cells) {
  LevelCosts prices;
  for (int i = 0; i < tried(cases); ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    Worlds worlds(seed);
    std::optional<Problem> problem;
    try {
      problem = ready(worlds.problem(most_cells));
    } catch (const Error&) {
      continue;  // nothing is sent
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + problem->mesh.to_text() + " by " +
                 problem->stencil.to_text() + " on " + problem->machine.to_text());
    const Grid grid(problem->fixed, problem->mesh.periodicity());
    const place::Problem placing(grid, problem->stencil, problem->machine);
    for (const std::size_t turn : {std::size_t{0}, std::size_t{4}}) {
      const auto& algorithm =
          place::algorithms()[(static_cast<std::size_t>(i) + turn) % place::algorithms().size()];
      SCOPED_TRACE(algorithm.name);
      const Placement placement = algorithm.place(placing);
      expect_equal_counts(*problem, placement, prices);
      if (i % 8 == 0 && problem->value_bytes <= 1000) expect_equal_pairs(*problem, placement);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AlikeNodes, count_as_one_by_one_in_small_worlds) { compare(1, 3000, 60); }

TEST(AlikeNodes, count_as_one_by_one_where_many_are_alike) { compare(100'000, 150, 1500); }

TEST(AlikeNodes, count_as_one_by_one_on_a_large_node) {
  Problem problem{Mesh({301, 281}, {true, false}), Stencil::moore(2, 1),
                  Machine::of_nodes(Runs::parse("1x17000,40x100"))};
  problem.fixed = {150, 140};
  problem = ready(problem);
  const place::Problem placing(Grid(problem.fixed, problem.mesh.periodicity()), problem.stencil,
                               problem.machine);
  for (const char* const name : {"blocked", "kd-tree"}) {
    SCOPED_TRACE(name);
    expect_equal_counts(problem, place::algorithm(name).place(placing), LevelCosts{});
  }
}

std::vector<NodeKind> kinds(const Grid& grid, Count node_size) {
  const Mesh mesh(grid.extents(), grid.periodicity());
  Problem problem{mesh, Stencil::moore(grid.dimensions(), 1),
                  Machine::of_nodes(Runs::of(grid.size() / node_size, node_size))};
  problem = ready(problem);
  const Placement placement =
      place::algorithm("blocked").place(place::Problem(grid, problem.stencil, problem.machine));
  const Placed placed(problem, placement);
  return placed.sight(problem.stencil.offsets()).kinds;
}

TEST(AlikeNodes, are_found) {
  // Four to a row: in the middle and at each end, with rows before and behind, or not.
  const std::vector<NodeKind> open = kinds(Grid({30, 16}), 4);
  EXPECT_EQ(open.size(), 9U);
  Count nodes = 0;
  for (const NodeKind& kind : open) nodes += kind.nodes;
  EXPECT_EQ(nodes, 120);
  EXPECT_EQ(kinds(Grid({30, 16}, {true, true}), 4).size(), 1U);
}

TEST(AlikeNodes, are_told_apart_by_borders_where_processes_are_alone) {
  EXPECT_EQ(kinds(Grid({30, 16, 5}), 1).size(), 27U);
  const std::vector<NodeKind> found = kinds(Grid({30, 16}, {true, false}), 1);
  ASSERT_EQ(found.size(), 3U);
  Count nodes = 0;
  for (const NodeKind& kind : found) nodes += kind.nodes;
  EXPECT_EQ(nodes, 30 * 16);
}

TEST(AlikeNodes, differ_in_their_shares) {
  // Rows of 3 and of 2 points: those at the change have a larger neighbour, which is all the same to them.
  const Grid grid({30, 16}, {true, true});
  Problem problem{Mesh({75, 32}, {true, true}), Stencil::nearest(2), Machine::of_nodes(Runs::of(120, 4))};
  problem = ready(problem);
  const Placement placement =
      place::algorithm("blocked").place(place::Problem(grid, problem.stencil, problem.machine));
  const Placed placed(problem, placement);
  const std::vector<NodeKind>& found = placed.sight(problem.stencil.offsets()).kinds;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].nodes, 60);
  EXPECT_EQ(found[1].nodes, 60);
}

}  // namespace
}  // namespace halocline::plan
