#include "network/mapping.hpp"

#include "geometric_mapping/sparse_allocation.hpp"
#include "geometric_mapping/sphere.hpp"
#include "halocline/base/error.hpp"
#include "network/mapping_problem.hpp"
#include "network/routing/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <set>

namespace halocline::network {
namespace {

Points random_points(std::mt19937_64& random, std::size_t size, std::size_t dimensions) {
  std::vector<std::vector<double>> columns(dimensions, std::vector<double>(size));
  for (auto& column : columns)
    for (double& x : column) x = static_cast<double>(random() % 40);
  return Points(std::move(columns));
}

TEST(MapTasks, with_as_many_cores_is_a_bijection) {
  std::mt19937_64 random(11);
  for (int sample = 0; sample < 100; ++sample) {
    const std::size_t size = 1 + random() % 200;
    const Points tasks = random_points(random, size, 1 + random() % 4);
    const Points cores = random_points(random, size, 1 + random() % 4);
    for (const Ordering& order : orderings()) {
      Counts core_of_task = map_tasks(tasks, cores, {.ordering = std::string(order.name)});
      const Counts ranks = new_ranks(core_of_task, static_cast<Count>(size));
      for (std::size_t task = 0; task < size; ++task)
        EXPECT_EQ(ranks[static_cast<std::size_t>(core_of_task[task])], static_cast<Count>(task));
      std::sort(core_of_task.begin(), core_of_task.end());
      for (std::size_t core = 0; core < size; ++core) ASSERT_EQ(core_of_task[core], static_cast<Count>(core));
    }
  }
}

TEST(MapTasks, with_fewer_cores_gives_each_its_share) {
  std::mt19937_64 random(12);
  for (int sample = 0; sample < 50; ++sample) {
    const std::size_t cores = 1 + random() % 40;
    const std::size_t tasks = cores + random() % 300;
    Counts load(cores, 0);
    for (const Count core : map_tasks(random_points(random, tasks, 2), random_points(random, cores, 3)))
      ++load[static_cast<std::size_t>(core)];
    const auto [least, most] = std::minmax_element(load.begin(), load.end());
    EXPECT_LE(*most - *least, 1);
    EXPECT_GE(*least, 1);
  }
}

TEST(MapTasks, with_fewer_cores_follows_the_weights_of_tasks) {
  MapOptions options;
  options.task_weights = {7, 1, 1, 1, 1, 1, 1, 1};
  const Counts core_of_task = map_tasks(Points::of_grid(Grid({8})), Points::of_grid(Grid({2})), options);
  EXPECT_EQ(core_of_task, (Counts{0, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(MapTasks, with_more_cores_uses_the_closest_ones) {
  // Nine cores in a block, others far away on both sides.
  std::vector<double> x{-50, 100, 101, 102, 100, 101, 102, 100, 101, 102, 200, 300};
  std::vector<double> y{0, 10, 10, 10, 11, 11, 11, 12, 12, 12, 0, 0};
  const Points cores({x, y});
  EXPECT_EQ(closest_cores(cores, 9), (Counts{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const Counts core_of_task = map_tasks(Points::of_grid(Grid({3, 3})), cores);
  EXPECT_EQ(std::set<Count>(core_of_task.begin(), core_of_task.end()),
            (std::set<Count>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // Those without a task get the ranks behind.
  const Counts ranks = new_ranks(core_of_task, 12);
  EXPECT_EQ(ranks[0], 9);
  EXPECT_EQ(ranks[10], 10);
  EXPECT_EQ(ranks[11], 11);
}

TEST(ClosestCores, are_distinct_and_as_many_as_asked_for) {
  std::mt19937_64 random(13);
  for (int sample = 0; sample < 50; ++sample) {
    const Points cores = random_points(random, 1 + random() % 100, 1 + random() % 8);
    const auto count = static_cast<Count>(1 + random() % cores.size());
    const Counts chosen = closest_cores(cores, count);
    EXPECT_EQ(static_cast<Count>(std::set<Count>(chosen.begin(), chosen.end()).size()), count);
  }
  EXPECT_THROW((void)closest_cores(Points({{1, 2}}), 3), Error);
  EXPECT_THROW((void)closest_cores(Points({{1, 2}}), 0), Error);
}

TEST(MapTasks, refuses_what_does_not_fit) {
  const Points two({{1, 2}});
  EXPECT_THROW((void)map_tasks(two, two, {.ordering = "peano"}), Error);
  MapOptions one_weight;
  one_weight.task_weights = {1};
  EXPECT_THROW((void)map_tasks(two, two, one_weight), Error);
  EXPECT_THROW((void)new_ranks(Counts{0, 1, 2}, 2), Error);
  EXPECT_THROW((void)new_ranks(Counts{0, 0}, 2), Error);
  EXPECT_THROW((void)new_ranks(Counts{0, 5}, 2), Error);
}

MappingProblem small_problem(const Variant& way) {
  const Network titan = Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/75 hosts:2");
  const Grid grid({16, 8, 8});
  return {Points::of_grid(grid),
          TaskMessages::of_stencil(grid, Stencil::nearest(3)),
          sparse_allocation(titan, 64, 3),
          {16},
          way.view,
          way.options,
          way.aim};
}

TEST(MappingProblem, has_a_rotation_for_every_order_of_dimensions) {
  const MappingProblem problem = small_problem(variant("z2_1"));
  EXPECT_EQ(problem.rotations(), 36);
  EXPECT_EQ(small_problem(variant("z2_3")).rotations(), 6 * 720);
  EXPECT_EQ(problem.rotation(0), (Rotation{{0, 1, 2}, {0, 1, 2}}));
  std::set<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> all;
  for (Count number = 0; number < 36; ++number) {
    const Rotation rotation = problem.rotation(number);
    all.insert({rotation.task_dimensions, rotation.core_dimensions});
  }
  EXPECT_EQ(all.size(), 36U);
}

TEST(MappingProblem, finds_the_same_best_however_the_work_is_shared) {
  for (const char* name : {"z2_1", "links"}) {
    const MappingProblem problem = small_problem(variant(name));
    Score least = problem.evaluate(0);
    for (Count number = 1; number < 36; ++number) least = std::min(least, problem.evaluate(number));
    EXPECT_EQ(problem.best(0, 36), least);
    for (const Count shares : {2, 5, 36}) {
      Score shared = problem.best(0, 36 / shares);
      for (Count share = 1; share < shares; ++share)
        shared = std::min(shared, problem.best(36 * share / shares, 36 * (share + 1) / shares));
      shared = std::min(shared, problem.best(0, 1));
      EXPECT_EQ(shared, least) << name << " " << shares;
    }
  }
}

TEST(MappingProblem, scores_are_the_metrics_of_its_mappings) {
  for (const Variant& way : variants()) {
    const MappingProblem problem = small_problem(way);
    for (const Count number : {0, 7, 35}) {
      const Counts nodes = problem.node_of_task(problem.core_of_task(number));
      const auto messages = TaskMessages::of_stencil(Grid({16, 8, 8}), Stencil::nearest(3));
      const Network titan = Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/75 hosts:2");
      const Metrics metrics = measure(messages, titan, nodes);
      EXPECT_EQ(problem.evaluate(number).weighted_hops, metrics.weighted_hops);
      EXPECT_EQ(problem.evaluate(number).fullest_link,
                way.aim == Aim::fullest_link ? metrics.max_latency : 0);
      Counts tasks_on(static_cast<std::size_t>(titan.nodes()), 0);
      for (const Count node : nodes) ++tasks_on[static_cast<std::size_t>(node)];
      EXPECT_EQ(std::count(tasks_on.begin(), tasks_on.end(), 16), 64);
    }
  }
}

TEST(MappingProblem, beats_the_default_order_on_sparse_allocations) {
  const Network titan = Network::parse("torus:25x16x24 hosts:2");
  const Grid grid({32, 16, 16});
  const auto messages = TaskMessages::of_stencil(grid, Stencil::nearest(3));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Allocation allocation = sparse_allocation(titan, 512, seed);
    const MappingProblem problem(Points::of_grid(grid), messages, allocation, {16});
    const double in_order = measure_hops(messages, titan, node_of_core(allocation, {16})).weighted_hops;
    EXPECT_LT(problem.best(0, 36).weighted_hops, 0.75 * in_order) << "seed " << seed;
  }
}

TEST(MappingProblem, works_on_hierarchies) {
  const Grid grid({16, 16});
  const auto messages = TaskMessages::of_stencil(grid, Stencil::nearest(2));
  for (const char* text : {"fat-tree:4x8 parents:2x1", "dragonfly:4x4x2"}) {
    const Network network = Network::parse(text);
    const Allocation whole = Allocation::whole(network);
    const MappingProblem problem(Points::of_grid(grid), messages, whole, {8});
    const double in_order = measure_hops(messages, network, node_of_core(whole, {8})).weighted_hops;
    EXPECT_LT(problem.best(0, problem.rotations()).weighted_hops, 0.9 * in_order) << text;
  }
}

TEST(MappingProblem, cores_that_no_task_can_reach_change_nothing) {
  for (const char* text : {"torus:4x3", "mesh:5 hosts:2", "fat-tree:3x4", "dragonfly:5x2x2"}) {
    const Allocation whole = Allocation::whole(Network::parse(text));
    for (const Counts& extents : {Counts{1}, Counts{7}, Counts{3, 4}}) {
      const Grid grid(extents);
      const Points tasks = Points::of_grid(grid);
      for (const Count cores : {1, 5, 12, 13, 100, 1000}) {
        const MappingProblem problem(tasks,
                                     TaskMessages::of_stencil(grid, Stencil::nearest(grid.dimensions())),
                                     whole, {cores}, {.shift = false});
        const Counts expected = map_tasks(tasks, core_points(whole, {cores}, {.shift = false}));
        EXPECT_EQ(problem.core_of_task(0), expected) << text << ", " << cores << " cores";
        Counts nodes;
        for (const Count core : expected)
          nodes.push_back(node_of_core(whole, {cores})[static_cast<std::size_t>(core)]);
        EXPECT_EQ(problem.node_of_task(expected), nodes) << text << ", " << cores << " cores";
      }
    }
    // More than there is memory for.
    const MappingProblem problem(Points::of_grid(Grid({7})),
                                 TaskMessages::of_stencil(Grid({7}), Stencil::nearest(1)), whole,
                                 {Count{1} << 50});
    EXPECT_EQ(problem.node_of_task(problem.core_of_task(0)).size(), 7U);
  }
}

TEST(MappingProblem, refuses_messages_of_other_tasks) {
  const Allocation whole = Allocation::whole(Network::torus({4}));
  EXPECT_THROW((void)MappingProblem(Points::of_grid(Grid({4})), TaskMessages(5, {{0, 1}}), whole, {1}),
               Error);
}

TEST(Variants, are_those_of_the_paper_and_one_by_links) {
  EXPECT_EQ(variants().size(), 4U);
  EXPECT_EQ(variant("z2_1").aim, Aim::weighted_hops);
  EXPECT_EQ(variant("links").aim, Aim::fullest_link);
  EXPECT_FALSE(variant("z2_1").view.by_bandwidth);
  EXPECT_TRUE(variant("z2_2").options.cuts.largest_prime);
  EXPECT_EQ(variant("z2_3").view.boxes, (Counts{2, 2, 8}));
  EXPECT_THROW((void)variant("z2_4"), Error);
}

/// Directions to the middle of the elements of a cubed sphere.
Points cubed_sphere(int elements) {
  std::vector<std::vector<double>> columns(3);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      for (int i = 0; i < elements; ++i)
        for (int j = 0; j < elements; ++j) {
          const auto tangent = [&](int k) {
            return std::tan(std::numbers::pi / 4 * ((2 * k + 1.0) / elements - 1));
          };
          std::array<double, 3> x{};
          x[axis] = side;
          x[(axis + 1) % 3] = tangent(i);
          x[(axis + 2) % 3] = tangent(j);
          const double length = std::hypot(x[0], x[1], x[2]);
          for (std::size_t d = 0; d < 3; ++d) columns[d].push_back(5 * x[d] / length);
        }
  return Points(std::move(columns));
}

TEST(Sphere, elements_of_a_cubed_sphere_are_equally_spaced_on_the_cube) {
  const Points cube = sphere_to_cube(cubed_sphere(8));
  for (std::size_t i = 0; i < cube.size(); ++i) {
    int on_face = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double steps = (cube.at(i, d) + 1) * 4;  // 0 and 8 on a face, halves between
      on_face += std::fabs(steps) < 1e-12 || std::fabs(steps - 8) < 1e-12;
      EXPECT_NEAR(steps * 2, std::round(steps * 2), 1e-12);
    }
    EXPECT_EQ(on_face, 1);
  }
}

TEST(Sphere, faces_do_not_overlap_and_neighbours_stay_neighbours) {
  const Points faces = cube_to_faces(sphere_to_cube(cubed_sphere(8)));
  EXPECT_EQ(faces.dimensions(), 2U);
  std::set<std::pair<long, long>> places;
  for (std::size_t i = 0; i < faces.size(); ++i)
    places.insert({std::lround(faces.at(i, 0) * 8), std::lround(faces.at(i, 1) * 8)});
  EXPECT_EQ(places.size(), faces.size());
  // Around the equator, then a jump from the end of the row to its beginning.
  const auto at_angle = [](double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return cube_to_faces(sphere_to_cube(Points({{std::cos(angle)}, {std::sin(angle)}, {0.0}}))).at(0, 0);
  };
  for (int i = 0; i < 100; ++i)
    EXPECT_NEAR(at_angle(-0.125 + (i + 0.5) / 100), -1 + 8 * (i + 0.5) / 100, 1e-9);
}

TEST(Sphere, refuses_points_that_are_not_on_it) {
  EXPECT_THROW((void)sphere_to_cube(Points({{1}, {1}})), Error);
  EXPECT_THROW((void)sphere_to_cube(Points({{1, 0}, {1, 0}, {1, 0}})), Error);
  EXPECT_THROW((void)cube_to_faces(Points({{1}, {1}})), Error);
}

}  // namespace
}  // namespace halocline::network
