// Table 1 of "Exploiting Geometric Partitioning in Task Mapping for Parallel Computers", all 453 numbers, by
// the algorithm that works on points.

#include "network/mapping.hpp"
#include "network/routing/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

namespace halocline::network {
namespace {

struct Row {
  Count tasks;
  std::size_t core_dimensions;
  std::size_t task_dimensions;
  std::string order;
  std::string connectivity;
  double average_hops;
};

std::vector<Row> read_rows() {
  std::ifstream in(HALOCLINE_TEST_FOLDER "/network/average_hops.csv");
  EXPECT_TRUE(in.good()) << "the reference numbers cannot be read";
  std::string line;
  std::getline(in, line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Row row{};
    fields >> row.tasks >> row.core_dimensions >> row.task_dimensions >> row.order >> row.connectivity >>
        row.average_hops;
    if (fields) rows.push_back(row);
  }
  return rows;
}

Grid cube(Count cells, std::size_t dimensions, bool torus) {
  const auto extent =
      std::llround(std::pow(static_cast<double>(cells), 1.0 / static_cast<double>(dimensions)));
  return Grid(Counts(dimensions, extent), Periodicity(dimensions, torus));
}

/// The partition of every cube and ordering is made once.
class Partitions {
 public:
  const Counts& parts(Count cells, std::size_t dimensions, const Ordering& ordering) {
    Counts& known = parts_[{cells, dimensions, ordering.name}];
    if (known.empty()) known = partition(Points::of_grid(cube(cells, dimensions, false)), cells, ordering);
    return known;
  }

 private:
  std::map<std::tuple<Count, std::size_t, std::string_view>, Counts> parts_;
};

Counts mapped(const Row& row, Partitions& partitions) {
  const OrderingPair pair = ordering_pair(row.order, row.task_dimensions, row.core_dimensions);
  const Counts& task_parts = partitions.parts(row.tasks, row.task_dimensions, *pair.tasks);
  const Counts& core_parts = partitions.parts(row.tasks, row.core_dimensions, *pair.cores);
  Counts core_of_part(core_parts.size());
  for (std::size_t i = 0; i < core_parts.size(); ++i)
    core_of_part[static_cast<std::size_t>(core_parts[i])] = static_cast<Count>(i);
  Counts core_of_task;
  for (const Count part : task_parts) core_of_task.push_back(core_of_part[static_cast<std::size_t>(part)]);
  return core_of_task;
}

/// Every edge of the grid once: the paper counts pairs of tasks.
Stencil forward(std::size_t dimensions) {
  std::vector<Offset> offsets(dimensions, Offset(dimensions, 0));
  for (std::size_t d = 0; d < dimensions; ++d) offsets[d][d] = 1;
  return Stencil(std::move(offsets));
}

double average_hops(const Row& row, const Counts& core_of_task) {
  const bool task_torus = row.connectivity == "torus_to_torus";
  const bool core_torus = row.connectivity != "mesh_to_mesh";
  const Grid cores = cube(row.tasks, row.core_dimensions, core_torus);
  const Network network(Network::Cartesian{cores.extents(), cores.periodicity()});
  const auto messages = TaskMessages::of_stencil(cube(row.tasks, row.task_dimensions, task_torus),
                                                 forward(row.task_dimensions));
  return measure_hops(messages, network, core_of_task).average_hops;
}

class AverageHops : public testing::TestWithParam<Count> {};

TEST_P(AverageHops, agree_with_the_paper) {
  Partitions partitions;
  // The three connectivities share a mapping.
  std::pair<std::size_t, std::size_t> current;
  std::map<std::string, Counts> mappings;
  for (const Row& row : read_rows()) {
    if (row.tasks != GetParam()) continue;
    const std::pair dimensions{row.core_dimensions, row.task_dimensions};
    if (dimensions != current) mappings.clear();
    current = dimensions;
    Counts& core_of_task = mappings[row.order];
    if (core_of_task.empty()) core_of_task = mapped(row, partitions);
    EXPECT_NEAR(average_hops(row, core_of_task), row.average_hops, 0.00501)
        << row.tasks << " tasks, " << row.task_dimensions << "-D on " << row.core_dimensions << "-D, "
        << row.order << ", " << row.connectivity;
  }
}

#ifdef __SANITIZE_ADDRESS__
// More tasks are the same code, and would take minutes.
const auto task_counts = testing::Values(4096, 32768);
#else
const auto task_counts = testing::Values(4096, 32768, 65536, 262144, 1048576);
#endif
INSTANTIATE_TEST_SUITE_P(Table1, AverageHops, task_counts, testing::PrintToStringParamName());

TEST(AverageHopsTable, has_453_numbers_in_sizes_that_are_all_tested) {
  std::map<Count, int> rows;
  for (const Row& row : read_rows()) ++rows[row.tasks];
  EXPECT_EQ(rows,
            (std::map<Count, int>{{4096, 36}, {32768, 60}, {65536, 63}, {262144, 162}, {1048576, 132}}));
}

}  // namespace
}  // namespace halocline::network
