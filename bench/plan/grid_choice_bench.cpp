// Where choosing shape and placement together beats choosing the shape first: bytes between nodes of both,
// and of the plain grid (as MPI_Dims_create should give it) left row by row.

#include "base/join.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "place/best.hpp"
#include "plan/placement/grid_choice.hpp"
#include "ratios.hpp"
#include "shape/choose.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <memory>

namespace halocline::bench {
namespace {

using plan::MeshProblem;
using tools::Answer;
using tools::Table;

struct Case {
  const char *mesh, *machine, *stencil;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* mesh : {"3000x3000", "1800x580", "1000x1100x950", "512x512x512", "2400x600x300"})
    for (const char* machine :
         {"node:25 core:24", "node:31 core:48", "nodes:40x48,20x24", "node:16 package:2 core:20"})
      for (const char* stencil : {"nearest", "moore:1"}) all.push_back({mesh, machine, stencil});
  return all;
}

Count points_between_nodes(const MeshProblem& problem, const Counts& dims, bool in_place) {
  const Grid grid(dims, problem.mesh.periodicity());
  const place::Problem placing(
      grid, plan::with_message_sizes(problem.mesh, grid, problem.stencil, problem.halo), problem.machine);
  const Placement placement =
      in_place ? place::algorithm("blocked").place(placing) : place::best(placing).placement;
  return place::node_cost(placing, placement).total.bytes;
}

void add(Table& table, Ratios& gains, const Case& words) {
  const Mesh mesh = Mesh::parse(words.mesh);
  const MeshProblem problem{mesh, Stencil::parse(words.stencil, mesh.dimensions()),
                            Machine::parse(words.machine)};
  const Count ranks = problem.machine.ranks();
  const Counts plain = shape::weighted_dims(ranks, Weights::equal(mesh.dimensions()));
  const Counts shaped = shape::by_levels(shape::Problem::for_mesh({ranks}, mesh)).dims();
  const Count shaped_points = points_between_nodes(problem, shaped, false);
  const plan::GridChoice together = plan::choose_grid(problem);
  const double gain = static_cast<double>(shaped_points) / static_cast<double>(together.cost.j_sum());
  gains.add(gain);
  table.add({words.mesh,
             words.machine,
             words.stencil,
             join(plain, "x"),
             points_between_nodes(problem, plain, true),
             join(shaped, "x"),
             shaped_points,
             join(together.grid.extents(), "x"),
             together.cost.j_sum(),
             {fmt::format("{:.3f}x", gain), gain}});
}

Answer answer_grid_choice(bool quick) {
  tools::ProgressBar progress("choosing grids");
  Table table({Column::left("mesh", 14, "mesh"), Column::left("machine", 18, "machine"),
               Column::left("stencil", 9, "stencil"), Column::left("plain", 10, "plain_grid"),
               Column::right("points", 12, "plain_points"), Column::left("shape", 10, "shape_grid"),
               Column::right("points", 12, "shape_points"), Column::left("together", 10, "together_grid"),
               Column::right("points", 12, "together_points"), Column::right("gain", 8, "gain")});
  Ratios gains;
  const std::vector<Case> all = chosen(cases(), quick);
  for (const Case& words : all) {
    progress.at(words.mesh, static_cast<double>(table.rows()) / static_cast<double>(all.size()));
    add(table, gains, words);
  }
  Answer answer;
  append(answer, "grids", "", table);
  answer.text += fmt::format("geometric mean of shape first / together: {:.3f} over {} cases\n", gains.mean(),
                             gains.count());
  return answer;
}

}  // namespace

tools::Action declare_grid_choice(tools::Options& options) {
  auto quick = std::make_shared<bool>(false);
  add_quick_option(options, *quick);
  return [quick] { return answer_grid_choice(*quick); };
}

}  // namespace halocline::bench
