#include "plan/placement/grid_choice.hpp"

#include "expect_error.hpp"
#include "place/best.hpp"
#include "plan/placement/grid_contest.hpp"
#include "shape/choose.hpp"

namespace halocline::plan {
namespace {

TEST(GridChoice, messages_are_as_large_as_faces_and_edges) {
  const Stencil sized =
      with_message_sizes(Mesh({100, 60, 30}), Grid({4, 2, 3}), Stencil::moore(3, 1), {1, 2, 3});
  const auto weight = [&](const Offset& offset) {
    const auto& offsets = sized.offsets();
    return sized.weights()[static_cast<std::size_t>(std::find(offsets.begin(), offsets.end(), offset) -
                                                    offsets.begin())];
  };
  EXPECT_EQ(weight({1, 0, 0}), 1 * 30 * 10);
  EXPECT_EQ(weight({0, -1, 0}), 25 * 2 * 10);
  EXPECT_EQ(weight({0, 0, 1}), 25 * 30 * 3);
  EXPECT_EQ(weight({1, 1, 0}), 1 * 2 * 10);
  EXPECT_EQ(weight({-1, 1, -1}), 1 * 2 * 3);
}

TEST(GridChoice, shares_that_do_not_divide_count_as_the_largest) {
  const Stencil sized = with_message_sizes(Mesh({10, 7}), Grid({3, 2}), Stencil::nearest(2), {});
  EXPECT_EQ(sized.weights(), (Counts{4, 4, 4, 4}));
}

/// What choosing the shape first and placing it afterwards sends between nodes.
Count shape_first(const MeshProblem& problem) {
  const Counts dims =
      shape::by_levels(shape::Problem::for_mesh({problem.machine.ranks()}, problem.mesh, problem.halo))
          .dims();
  const Grid grid(dims, problem.mesh.periodicity());
  const place::Problem placing(grid, with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo),
                               problem.machine);
  return place::best(placing).cost.j_sum();
}

TEST(GridChoice, is_never_worse_than_shape_first_and_sometimes_better) {
  int better = 0;
  for (const char* mesh : {"1000x1000", "1800x580", "400x300x200 periodic:1,0,1", "3000x3000"})
    for (const char* machine :
         {"node:25 core:24", "nodes:40x24,20x12", "node:31 core:16", "node:6 package:2 core:10"}) {
      const Mesh m = Mesh::parse(mesh);
      const MeshProblem problem{m, Stencil::nearest(m.dimensions()), Machine::parse(machine)};
      const GridChoice choice = choose_grid(problem);
      EXPECT_EQ(choice.grid.size(), problem.machine.ranks());
      EXPECT_LE(choice.cost.j_sum(), shape_first(problem)) << mesh << " on " << machine;
      EXPECT_EQ(choice.cost.j_sum(),
                place::cost(place::Problem(choice.grid, choice.stencil, problem.machine), choice.placement)
                    .j_sum());
      better += choice.cost.j_sum() < shape_first(problem);
    }
  EXPECT_GT(better, 0);
}

/// What each of several processes finds, put together.
GridScores shared_scores(const MeshProblem& problem, Count processes) {
  GridScores all;
  for (Count process = 0; process < processes; ++process) {
    const GridScores mine = GridContest(problem, {}).scores(process, processes);
    if (all.empty()) all = mine;
    for (std::size_t grid = 0; grid < mine.size(); ++grid)
      all[grid] = {std::min(all[grid].between_nodes, mine[grid].between_nodes),
                   std::min(all[grid].between_ranks, mine[grid].between_ranks),
                   std::min(all[grid].planning_steps, mine[grid].planning_steps)};
  }
  return all;
}

TEST(GridContest, many_processes_find_what_one_finds) {
  int searched = 0;
  for (const char* mesh : {"300x300", "1800x580 periodic:0,1", "40x30x20 periodic:1,0,1", "97x1x64"})
    for (const char* machine :
         {"node:1 core:12", "node:4 core:4", "nodes:3x4,2x7", "node:7 core:3", "node:5"}) {
      const Mesh m = Mesh::parse(mesh);
      const MeshProblem problem{m, Stencil::moore(m.dimensions(), 1), Machine::parse(machine)};
      const GridChoice alone = choose_uncosted_grid(problem, {});
      for (const Count processes : {1, 2, 3, 40}) {
        const GridContest contest(problem, {});
        const GridChoice together = contest.winner(shared_scores(problem, processes));
        EXPECT_EQ(together.grid, alone.grid) << mesh << " on " << machine << " by " << processes;
        EXPECT_EQ(together.algorithm, alone.algorithm);
        EXPECT_EQ(together.candidates, alone.candidates);
        EXPECT_LT(contest.best(shared_scores(problem, processes)), to_size(contest.size()));
        std::vector<Rank> there(to_size(alone.grid.size())), here = there;
        together.placement.ranks(0, there);
        alone.placement.ranks(0, here);
        EXPECT_EQ(there, here);
        const GridChoice told = contest.winner(shared_scores(problem, processes), alone.algorithm, here);
        told.placement.ranks(0, there);
        EXPECT_EQ(there, here);
        EXPECT_EQ(told.stencil, alone.stencil);
        EXPECT_EQ(told.candidates, alone.candidates);
        searched += contest.size() > 2;
      }
    }
  EXPECT_GT(searched, 20);
}

TEST(GridContest, once_planning_took_long_only_some_grids_take_part) {
  const MeshProblem problem{Mesh({300, 300}), Stencil::nearest(2), Machine::parse("node:8 core:9")};
  GridContest contest(problem, {});
  GridScores scores = contest.scores(0, 1);
  const std::size_t all = contest.winner(scores).candidates;
  EXPECT_EQ(all, scores.size());
  scores.front().planning_steps = 1'000'000'000;
  const std::size_t some = contest.winner(scores).candidates;
  EXPECT_GE(some, 1U);
  EXPECT_LT(some, all);
}

TEST(GridChoice, sends_the_fewest_bytes_between_processes_on_one_node) {
  int not_the_first = 0;
  for (const char* text :
       {"37x11x90 periodic:1,0,0", "128x64 periodic:0,1", "20x30x25x10 periodic:1,1,0,0"}) {
    const Mesh mesh = Mesh::parse(text);
    MeshProblem problem{mesh, Stencil::moore(mesh.dimensions(), 1),
                        Machine::parse("node:1 package:2 core:12")};
    const GridChoice choice = choose_grid(problem);
    const std::vector<Counts> grids = shape::candidates(shape::Problem::for_mesh({24}, mesh), 32);
    EXPECT_GT(choice.candidates, 1U);
    for (const Counts& dims : grids) {
      problem.fixed = dims;
      const GridChoice other = choose_grid(problem);
      EXPECT_LE(choice.cost.levels.back().total.bytes, other.cost.levels.back().total.bytes) << text;
      if (dims == choice.grid.extents()) {
        EXPECT_EQ(choice.cost, other.cost) << text;
      }
    }
    not_the_first += choice.grid.extents() != grids.front();
  }
  EXPECT_GT(not_the_first, 0);  // otherwise nothing was compared
}

TEST(GridChoice, keeps_fixed_extents_and_named_algorithms) {
  const MeshProblem problem{
      Mesh({100, 100, 100}), Stencil::nearest(3), Machine::parse("node:4 core:6"), {}, {0, 4, 0}};
  const GridChoice choice = choose_grid(problem, {.algorithm = PlacementAlgorithm::kd_tree});
  EXPECT_EQ(choice.grid.extents()[1], 4);
  EXPECT_EQ(choice.algorithm, "kd-tree");
}

TEST(GridChoice, does_not_count_what_sends_nothing) {
  // One dimension has no halo: whatever goes along it is nothing.
  const Mesh mesh({32, 2, 64, 256}, periodic(1, 0, 1, 1));
  const Counts halo{1, 1, 0, 2};
  const Machine machine = Machine::of_levels({4, 2, 8});
  const Stencil all = Stencil::octant(4, 1), some = that_sends(all, halo);
  ASSERT_EQ(all.size(), 15U);
  ASSERT_EQ(some.size(), 7U);
  const GridChoice choice = choose_grid({mesh, all, machine, halo});
  const GridChoice same = choose_grid({mesh, some, machine, halo});
  EXPECT_EQ(choice.grid, same.grid);
  EXPECT_EQ(choice.cost, same.cost);
  EXPECT_EQ(choice.stencil.size(), all.size());
  EXPECT_EQ(that_sends(Stencil::nearest(2), {0, 0}), Stencil::nearest(2));
}

TEST(GridChoice, refuses_what_does_not_fit) {
  const Machine machine = Machine::parse("node:4 core:6");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)choose_grid({Mesh({100, 100}), Stencil::nearest(3), machine});
      },
      "3 dimensions");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)choose_grid({Mesh({100, 100}), Stencil::nearest(2), machine},
                          {.algorithm = static_cast<PlacementAlgorithm>(77)});
      },
      "77");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)choose_grid({Mesh({2, 2}), Stencil::nearest(2), machine});
      },
      "24");
}

}  // namespace
}  // namespace halocline::plan
