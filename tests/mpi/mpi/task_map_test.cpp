// Tasks of any shape onto nodes: new ranks, shared rotations, refusals.
#include "halocline/mpi/task_map.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/halocline.h"
#include "network/mapping_problem.hpp"
#include "network/routing/metrics.hpp"
#include "plan/options/option_names.hpp"
#include "support/scope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace halocline::mpi_task_map_tests {
namespace {

struct World {
  mpi::Comm comm;
  Counts core_of_rank;  ///< Where each rank runs, as the machine numbers its cores.
};

World shuffled_world(unsigned seed) {
  std::vector<int> keys(static_cast<std::size_t>(world_size()));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(seed));
  mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, keys[static_cast<std::size_t>(world_rank())]);
  Counts cores = everyones(comm.get(), world_rank());
  return {std::move(comm), std::move(cores)};
}

/// Tasks on a ring of random points in the plane, each sends to both sides.
struct Ring {
  explicit Ring(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> angles;
    for (int i = 0; i < world_size(); ++i)
      angles.push_back(2 * M_PI * static_cast<double>(random() % 3600) / 3600);
    std::vector<int> around(angles.size());
    for (std::size_t i = 0; i < around.size(); ++i) around[i] = static_cast<int>(i);
    std::sort(around.begin(), around.end(), [&](int a, int b) {
      return std::pair(angles[static_cast<std::size_t>(a)], a) <
             std::pair(angles[static_cast<std::size_t>(b)], b);
    });
    neighbours.resize(angles.size());
    for (std::size_t i = 0; i < around.size(); ++i) {
      const int next = around[(i + 1) % around.size()];
      neighbours[static_cast<std::size_t>(around[i])].push_back(next);
      neighbours[static_cast<std::size_t>(next)].push_back(around[i]);
    }
    for (const double angle : angles)
      points.insert(points.end(), {10 * std::cos(angle), 10 * std::sin(angle)});
  }

  [[nodiscard]] Task task(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {{points.data() + 2 * r, 2}, neighbours[r], {}};
  }
  [[nodiscard]] TaskMessages messages() const {
    std::vector<TaskMessage> all;
    for (std::size_t from = 0; from < neighbours.size(); ++from)
      for (const int to : neighbours[from]) all.push_back({static_cast<Count>(from), to});
    return {world_size(), all};
  }

  std::vector<double> points;  ///< x and y of each task.
  std::vector<std::vector<int>> neighbours;
};

std::vector<Machine> machines() {
  std::vector<Machine> all{Machine::of_nodes(Runs::of(world_size(), 1)),
                           Machine::of_nodes(Runs::of(1, world_size()))};
  if (world_size() % 2 == 0) all.push_back(Machine::of_nodes(Runs::of(world_size() / 2, 2)));
  if (world_size() >= 4) all.push_back(Machine::of_nodes(Runs({world_size() - 3, 1, 2})));
  return all;
}

Allocation corner_of_torus(Count nodes) {
  Counts all;
  for (Count i = 0; i < nodes; ++i) all.push_back(i * 11 % (16 * 5));
  return {Network::torus({16, 5}), all};
}

double hops_of(const Ring& ring, const Machine& machine, const Allocation& allocation,
               const Counts& core_of_task) {
  Counts nodes;
  for (const Count core : core_of_task)
    nodes.push_back(allocation.nodes()[static_cast<std::size_t>(machine.node_of(core))]);
  return network::measure_hops(ring.messages(), allocation.network(), nodes).weighted_hops;
}

/// Where task t is done if everybody follows: the core of the process whose new rank is t.
Counts cores_after(MPI_Comm comm, int new_rank) {
  const mpi::Comm mapped = mpi::split(comm, 0, new_rank);
  EXPECT_EQ(mpi::rank(mapped.get()), new_rank);  // new ranks are a permutation
  return everyones(mapped.get(), world_rank());
}

TEST(TaskMap, is_the_best_rotation_or_nothing_moves) {
  unsigned seed = 0;
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.to_text());
    const DescribedMachine described(machine.to_text());
    const World world = shuffled_world(++seed);
    const Allocation allocation = corner_of_torus(machine.nodes());
    const SharedFile file(allocation.to_text());
    const Ring ring(seed);
    const int rank = mpi::rank(world.comm.get());
    Counts cores;
    for (Count node = 0; node < machine.nodes(); ++node) cores.push_back(machine.node_sizes()[node]);
    for (const char* const name : {"z2_1", "links"}) {
      const TaskMap map = map_task(
          world.comm.get(), ring.task(rank),
          {.network = "torus:16x5", .allocation = file.path(), .mapping = plan::mapping_named(name)});
      const Counts after = cores_after(world.comm.get(), map.new_rank);
      EXPECT_DOUBLE_EQ(map.weighted_hops, hops_of(ring, machine, allocation, after));
      EXPECT_DOUBLE_EQ(map.weighted_hops_before, hops_of(ring, machine, allocation, world.core_of_rank));
      const network::Variant& way = network::variant(name);
      const network::MappingProblem alone(Points::interleaved(2, ring.points), ring.messages(), allocation,
                                          cores, way.view, way.options, way.aim);
      const network::Score best = alone.best(0, alone.rotations());
      const network::Score before = network::score_of(ring.messages(), allocation.network(),
                                                      alone.node_of_task(world.core_of_rank), way.aim, -1);
      EXPECT_EQ(after, best < before ? alone.core_of_task(best.rotation) : world.core_of_rank) << name;
    }
  }
}

TEST(TaskMap, without_a_network_keeps_neighbours_on_a_node) {
  if (world_size() % 4 != 0 || world_size() < 8) return;
  const Machine machine = Machine::of_levels({world_size() / 4, 4});
  const DescribedMachine described(machine.to_text());
  const World world = shuffled_world(40);
  // Tasks on a line in a random order: 4 in a row on each node is the best there is.
  const int rank = mpi::rank(world.comm.get());
  const int task = rank * 7 % world_size();  // 7 and the size have no common divisor
  const auto rank_of = [&](int place) {
    for (int r = 0; r < world_size(); ++r)
      if (r * 7 % world_size() == place) return r;
    return -1;
  };
  const double x = task;
  std::vector<int> neighbours;
  if (task > 0) neighbours.push_back(rank_of(task - 1));
  if (task + 1 < world_size()) neighbours.push_back(rank_of(task + 1));
  const TaskMap map = map_task(world.comm.get(), {{&x, 1}, neighbours, {}});
  EXPECT_EQ(map.weighted_hops, 2 * 2 * (machine.nodes() - 1));  // up and down again, both ways
  EXPECT_LT(map.weighted_hops, map.weighted_hops_before);
}

TEST(TaskMap, without_neighbours_takes_coordinates_as_they_are) {
  const Machine machine = Machine::of_nodes(Runs::of(world_size(), 1));
  const DescribedMachine described(machine.to_text());
  const World world = shuffled_world(41);
  const double x = -3.5 * mpi::rank(world.comm.get());
  const TaskMap map = map_task(world.comm.get(), {{&x, 1}}, {.network = concat("mesh:", world_size())});
  // The first on the line goes to the first node.
  EXPECT_EQ(map.new_rank, world_size() - 1 - world_rank());
  EXPECT_EQ(map.weighted_hops, 0);
}

TEST(TaskMap, weighs_messages) {
  if (world_size() < 4) return;
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const World world = shuffled_world(42);
  const int rank = mpi::rank(world.comm.get());
  const double x[] = {static_cast<double>(rank), 0};
  const std::vector<int> next{(rank + 1) % world_size()};
  const auto hops = [&](double size) {
    const std::vector<double> sizes{size};
    return map_task(world.comm.get(), {x, next, sizes}, {.network = concat("torus:", world_size())});
  };
  EXPECT_DOUBLE_EQ(hops(8).weighted_hops_before, 8 * hops(1).weighted_hops_before);
  EXPECT_DOUBLE_EQ(hops(1).weighted_hops, world_size());  // a ring on a ring
}

TEST(TaskMap, refuses_alike_on_all_ranks) {
  const World world = shuffled_world(43);
  const int rank = mpi::rank(world.comm.get());
  const bool last = rank == world_size() - 1;
  const double good[] = {1.0 * rank, 2};
  const double bad[] = {1, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<int> foreign{world_size()};
  const std::vector<int> self{rank};
  const std::vector<double> zero{0};
  const std::vector<double> two{1, 1};
  const auto refused = [&](Fault fault, const Task& task, const auto&... words) {
    expect_error(
        fault, [&] { (void)map_task(world.comm.get(), task); }, words...);
  };
  const std::string culprit = concat("rank ", world_size() - 1);
  refused(Fault::invalid_argument, {last ? bad : good}, culprit, "coordinate 1", "nan");
  refused(Fault::invalid_dimensions, {{good, std::size_t{last ? 0U : 2U}}}, culprit, "0 coordinates");
  refused(Fault::invalid_argument, {good, last ? foreign : self}, culprit,
          concat("neighbour ", world_size()));
  refused(Fault::invalid_argument, {good, self, last ? zero : std::vector<double>{1}}, culprit, "size 0");
  refused(Fault::invalid_argument, {good, self, last ? two : std::vector<double>{1}}, culprit,
          "2 message sizes");
  expect_error(
      Fault::invalid_argument, [&] { (void)map_task(world.comm.get(), {good}, {.most_rotations = 0}); },
      "0 rotations");
  expect_error(
      Fault::mpi, [&] { (void)map_task(MPI_COMM_NULL, {good}); }, "MPI_COMM_NULL");
  if (world_size() == 1) return;
  refused(Fault::invalid_argument, {{good, std::size_t{last ? 1U : 2U}}}, "number of coordinates",
          "differs between the processes");
}

TEST(TaskMap, in_c_gives_the_same_ranks) {
  const Machine machine = Machine::of_nodes(Runs::of(world_size(), 1));
  const DescribedMachine described(machine.to_text());
  const World world = shuffled_world(44);
  const Ring ring(9);
  const int rank = mpi::rank(world.comm.get());
  const Task task = ring.task(rank);
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_network", concat("torus:", world_size()).c_str());
  int new_rank = -1;
  ASSERT_EQ(
      HCL_Task_map(world.comm.get(), 2, task.coordinates.data(), static_cast<int>(task.neighbors.size()),
                   task.neighbors.data(), nullptr, info.get(), &new_rank),
      MPI_SUCCESS);
  EXPECT_EQ(new_rank, map_task(world.comm.get(), task, {.info = info.get()}).new_rank);
  const auto class_of = [](int code) {
    int its_class = MPI_SUCCESS;
    MPI_Error_class(code, &its_class);
    return its_class;
  };
  const auto call = [&](int ndims, const double* coordinates, int count, const int* to) {
    return class_of(
        HCL_Task_map(world.comm.get(), ndims, coordinates, count, to, nullptr, MPI_INFO_NULL, &new_rank));
  };
  const bool last = rank == world_size() - 1;
  EXPECT_EQ(call(last ? 0 : 2, ring.points.data(), 0, nullptr), MPI_ERR_DIMS);
  EXPECT_EQ(call(2, last ? nullptr : ring.points.data(), 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(call(2, ring.points.data(), last ? 1 : 0, nullptr), MPI_ERR_ARG);
  EXPECT_EQ(call(2, ring.points.data(), last ? -1 : 0, nullptr), MPI_ERR_ARG);
}

}  // namespace
}  // namespace halocline::mpi_task_map_tests
