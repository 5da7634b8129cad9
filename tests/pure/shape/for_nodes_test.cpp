// Grids for uneven nodes, judged by the bytes between nodes after a plain placement along strips.

#include "brute_force.hpp"
#include "halocline/base/error.hpp"
#include "shape/choose.hpp"
#include "shape/strip_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halocline::shape {
namespace {

std::vector<double> values(const Weights& weights) {
  std::vector<double> all;
  for (const Weight& weight : weights.all()) all.push_back(weight.value());
  return all;
}

/// Walks back and forth through a box, the first of `order` slowest: the coordinates of step `index`.
void walk(Count index, const std::vector<std::size_t>& order, const Counts& first, const Counts& count,
          Cell& cell) {
  Count steps = 1;
  for (const std::size_t d : order) steps *= count[d];
  bool backwards = false;
  for (const std::size_t d : order) {
    steps /= count[d];
    const Count digit = index / steps;
    index %= steps;
    cell[d] = first[d] + (backwards ? count[d] - 1 - digit : digit);
    backwards = backwards != (digit % 2 == 1);
  }
}

/// The node of each cell if the nodes are laid along strips of the given numbers, which run along `along`.
std::vector<Count> nodes_along_strips(const Grid& grid, const Runs& nodes, std::size_t along,
                                      const Counts& strips) {
  std::vector<std::size_t> across;
  for (std::size_t d = 0; d < grid.dimensions(); ++d)
    if (d != along) across.push_back(d);
  std::vector<std::size_t> order{along};
  order.insert(order.end(), across.begin(), across.end());
  std::vector<Count> node_of(static_cast<std::size_t>(grid.size()));
  Count number_of_strips = 1;
  for (const std::size_t d : across) number_of_strips *= strips[d];
  Count position = 0;
  for (Count strip = 0; strip < number_of_strips; ++strip) {
    Counts first(grid.dimensions(), 0);
    Counts count = grid.extents();
    Cell index(grid.dimensions(), 0);
    walk(strip, across, Counts(grid.dimensions(), 0), strips, index);
    Count cells = grid.extents()[along];
    for (const std::size_t d : across) {
      first[d] = index[d] * grid.extents()[d] / strips[d];
      count[d] = (index[d] + 1) * grid.extents()[d] / strips[d] - first[d];
      cells *= count[d];
    }
    Cell cell(grid.dimensions());
    for (Count step = 0; step < cells; ++step) {
      walk(step, order, first, count, cell);
      if (strip % 2 == 1) cell[along] = grid.extents()[along] - 1 - cell[along];
      node_of[static_cast<std::size_t>(grid.index(cell))] = nodes.find(position++);
    }
  }
  return node_of;
}

/// What crosses between nodes, in the unit of the weights: a cut right through the grid costs its weight.
double between_nodes(const Grid& grid, const std::vector<double>& weights,
                     const std::vector<Count>& node_of) {
  double sum = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    Offset step(grid.dimensions(), 0);
    step[d] = 1;
    Count crossing = 0;
    for (Count index = 0; index < grid.size(); ++index) {
      const auto neighbour = grid.neighbor(grid.cell(index), step);
      if (!neighbour) continue;
      crossing += node_of[static_cast<std::size_t>(index)] !=
                  node_of[static_cast<std::size_t>(grid.index(*neighbour))];
    }
    sum += weights[d] * static_cast<double>(crossing * grid.extents()[d]) / static_cast<double>(grid.size());
  }
  return sum;
}

/// The least over all numbers of strips and directions.
double placed_cost(const Counts& dims, const Problem& problem, const Runs& nodes) {
  const Grid grid(dims, problem.periodicity);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t along = 0; along < dims.size(); ++along) {
    Counts strips(dims.size(), 1);
    const auto fill = [&](auto& self, std::size_t d, Count total) -> void {
      if (d == dims.size()) {
        const auto node_of = nodes_along_strips(grid, nodes, along, strips);
        least = std::min(least, between_nodes(grid, values(problem.weights), node_of));
        return;
      }
      const Count most = d == along ? 1 : std::min(dims[d], nodes.size() / total);
      for (strips[d] = 1; strips[d] <= most; ++strips[d]) self(self, d + 1, total * strips[d]);
    };
    fill(fill, 0, 1);
  }
  return least;
}

Runs random_nodes(std::mt19937& random) {
  const Count nodes = 3 + static_cast<Count>(random() % 8);
  const Count size = 4 + static_cast<Count>(random() % 20);
  const auto kind = random() % 3;
  Runs sizes;
  for (Count node = 0; node < nodes; ++node) {
    if (kind == 2)
      sizes.append(3 + static_cast<Count>(random() % 20));
    else
      sizes.append(kind == 1 && node + 1 == nodes ? 1 + static_cast<Count>(random()) % size : size);
  }
  return sizes;
}

TEST(ForNodes, beats_plain_dims_after_placement) {
  std::mt19937 random(31);
  double ratio_between_nodes = 0;
  double ratio_in_all = 0;
  int much_worse = 0;
  constexpr int samples = 60;
  for (int sample = 0; sample < samples; ++sample) {
    Counts extents(2 + random() % 2);
    for (Count& extent : extents) extent = 200 + static_cast<Count>(random() % 1000);
    Periodicity flags;
    for (std::size_t d = 0; d < extents.size(); ++d) flags.push_back(random() % 3 == 0);
    const Runs nodes = random_nodes(random);
    const Problem problem = Problem::for_mesh({nodes.total()}, Mesh(extents, flags));
    const auto in_all = [&](const Counts& dims, double node_cost) {
      double process_cost = 0;
      for (std::size_t d = 0; d < dims.size(); ++d)
        process_cost += problem.weights[d].value() * cuts(flags[d], static_cast<double>(dims[d]));
      return 7 * node_cost + process_cost;
    };
    const Counts plain = weighted_dims(nodes.total(), Weights::equal(extents.size()));
    const Counts chosen = for_nodes(problem, nodes).front().dims;
    const double plain_cost = placed_cost(plain, problem, nodes);
    const double chosen_cost = placed_cost(chosen, problem, nodes);
    ratio_between_nodes += chosen_cost / plain_cost / samples;
    ratio_in_all += in_all(chosen, chosen_cost) / in_all(plain, plain_cost) / samples;
    much_worse += in_all(chosen, chosen_cost) > 1.1 * in_all(plain, plain_cost);
  }
  EXPECT_LT(ratio_between_nodes, 0.95);
  EXPECT_LT(ratio_in_all, 0.92);
  EXPECT_EQ(much_worse, 0);
}

TEST(ForNodes, estimates_boxes_exactly) {
  // 4 nodes of 6 x 6 processes: one cut each way.
  const NodeSummary nodes{4, {36}, {4}};
  EXPECT_DOUBLE_EQ(strip_cost({12, 12}, {3, 5}, {false, false}, nodes), 3 + 5);
  EXPECT_DOUBLE_EQ(strip_cost({12, 12}, {3, 5}, {true, false}, nodes), 2 * 3 + 5);
  // A line of nodes.
  EXPECT_DOUBLE_EQ(strip_cost({12, 1}, {3, 5}, {false, false}, {3, {4}, {3}}), 2 * 3);
  // One node has no borders.
  EXPECT_DOUBLE_EQ(strip_cost({12, 12}, {3, 5}, {true, true}, {1, {144}, {1}}), 0);
}

TEST(ForNodes, a_prime_number_of_processes_lies_along_the_cheapest_dimension) {
  const Problem problem = Problem::for_mesh({31}, Mesh({100, 300, 200}));
  EXPECT_EQ(for_nodes(problem, Runs::parse("3x8,7")).front().dims, (Counts{1, 31, 1}));
}

TEST(ForNodes, finds_the_boxes_of_even_nodes) {
  const Problem problem = Problem::for_mesh({25, 24}, Mesh({3000, 3000}));
  const Counts dims = for_nodes(problem, Runs::of(25, 24)).front().dims;
  EXPECT_TRUE(dims == (Counts{30, 20}) || dims == (Counts{20, 30})) << testing::PrintToString(dims);
}

TEST(ForNodes, stays_quick_and_finite_for_large_and_hostile_sizes) {
  for (const Count p : {Count{999999937}, Count{735134400}, Count{2} * 999999937}) {
    Runs nodes;
    nodes.append(48, p / 48);
    if (p % 48 != 0) nodes.append(p % 48);
    const Problem problem{{p}, Weights({1e-200, 1, 1e200}), {}, {}, {}};
    for (const NodeGrid& grid : for_nodes(problem, nodes)) {
      EXPECT_TRUE(std::isfinite(grid.node_cost));
      EXPECT_LE(grid.node_cost, grid.process_cost);
      EXPECT_EQ(grid.dims[0] * grid.dims[1] * grid.dims[2], p);
    }
  }
}

TEST(ForNodes, refuses_nodes_that_do_not_hold_the_processes) {
  const Problem problem{{24}, Weights::equal(2), {}, {}, {}};
  EXPECT_THROW((void)for_nodes(problem, Runs::of(5, 5)), Error);
  EXPECT_THROW((void)for_nodes(problem, Runs::of(6, 4), -1), Error);
  EXPECT_THROW((void)for_nodes({{7}, Weights::equal(2), {}, {6, 6}, {}}, Runs::of(1, 7)), Error);
}

}  // namespace
}  // namespace halocline::shape
