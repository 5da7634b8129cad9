// Grids for nodes of different sizes: the shape stage's choice beside plain MPI_Dims_create of the same MPI,
// both placed by the portfolio; bytes between nodes on a mesh, geometric means over seeded random jobs.

#include "mpi/handles/call.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "place/best.hpp"
#include "plan/placement/grid_choice.hpp"
#include "ratios.hpp"
#include "shape/choose.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <string>

namespace halocline::bench {
namespace {

using tools::Answer;
using tools::decimal;
using tools::ProgressBar;
using tools::Table;

Count points_between_nodes(const Mesh& mesh, const Machine& machine, const Counts& dims) {
  const Grid grid(dims);
  const place::Problem problem(grid, plan::with_message_sizes(mesh, grid, Stencil::nearest(dims.size()), {}),
                               machine);
  return place::node_cost(problem, place::best(problem).placement).total.bytes;
}

Counts system_dims(Count processes, std::size_t dimensions) {
  std::vector<int> dims(dimensions, 0);
  HALOCLINE_MPI(Dims_create, static_cast<int>(processes), static_cast<int>(dimensions), dims.data());
  return {dims.begin(), dims.end()};
}

/// A job of a few dozen nodes: full ones and a partial last one, or two kinds, or any sizes at all.
Machine random_machine(std::mt19937_64& random) {
  const auto pick = [&](Count low, Count high) {
    return low + static_cast<Count>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  const Count nodes = pick(8, 60);
  const Count size = pick(8, 64);
  Runs sizes;
  switch (random() % 3) {
    case 0:
      sizes.append(size, nodes);
      sizes.append(pick(1, size));
      break;
    case 1:
      sizes.append(size, nodes);
      sizes.append(pick(4, 64), pick(1, 40));
      break;
    default:
      for (Count node = 0; node < nodes; ++node) sizes.append(pick(4, 64));
  }
  return Machine::of_nodes(sizes);
}

void add(Table& table, std::size_t dimensions, bool cubic, std::uint64_t seed, int jobs,
         ProgressBar& progress) {
  const std::string kind = cubic ? "cubic" : "random";
  std::mt19937_64 random(seed);
  Ratios shape_ratios, together_ratios;
  int worse = 0;
  int equal = 0;
  for (int job = 0; job < jobs; ++job) {
    progress.at(fmt::format("{}-D {}", dimensions, kind), static_cast<double>(job) / jobs);
    const Machine machine = random_machine(random);
    Counts extents(dimensions, 4800);
    if (!cubic)
      for (Count& extent : extents) extent = 1200 + static_cast<Count>(random() % 4800);
    const Mesh mesh(extents);
    const shape::Problem problem = shape::Problem::for_mesh({machine.ranks()}, mesh);
    const Counts dims = shape::for_nodes(problem, machine.node_sizes()).front().dims;
    const auto plain =
        static_cast<double>(points_between_nodes(mesh, machine, system_dims(machine.ranks(), dimensions)));
    const auto together =
        static_cast<double>(plan::choose_grid({mesh, Stencil::nearest(dimensions), machine}).cost.j_sum());
    shape_ratios.add(static_cast<double>(points_between_nodes(mesh, machine, dims)) / plain);
    together_ratios.add(together / plain);
    worse += together > plain;
    equal += together == plain;
  }
  table.add({fmt::format("{}-D {}", dimensions, kind), decimal(shape_ratios.mean(), 3),
             decimal(together_ratios.mean(), 3), worse, equal});
}

Answer answer_uneven(std::uint64_t seed, bool quick) {
  const tools::MpiAnyway session;
  ProgressBar progress("uneven nodes");
  const int jobs = quick ? 2 : 100;
  Table table({Column::left("mesh", 24, "mesh"), Column::right("shape", 10, "shape"),
               Column::right("together", 10, "together"), Column::right("worse", 8, "worse"),
               Column::right("equal", 8, "equal")});
  for (const std::size_t dimensions : {2, 3})
    for (const bool cubic : {true, false}) add(table, dimensions, cubic, seed, jobs, progress);
  Answer answer;
  append(answer, "meshes",
         fmt::format("seed {}, {} jobs each: points between nodes, ours / MPI_Dims_create\n", seed, jobs),
         table);
  return answer;
}

}  // namespace

tools::Action declare_uneven(tools::Options& options) {
  struct Words {
    std::uint64_t seed = 1;
    bool quick = false;
  };
  auto words = std::make_shared<Words>();
  options.add_option("seed", words->seed, "of the random jobs").capture_default_str();
  add_quick_option(options, words->quick);
  return [words] { return answer_uneven(words->seed, words->quick); };
}

}  // namespace halocline::bench
