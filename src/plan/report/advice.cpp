// SPDX-License-Identifier: BSD-3-Clause
// How a program gets to run like a plan: lines to be copied.

#include "plan/report/advice.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "plan/options/option_names.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

std::string braces(const Counts& numbers) { return "{" + join(numbers, ", ") + "}"; }

std::string stencil_code(const Stencil& stencil) {
  const std::size_t dimensions = stencil.dimensions();
  const Stencil offsets(stencil.offsets());  // a halo sends all of a face, whatever its weight
  if (offsets == Stencil::nearest(dimensions)) return concat("halocline::Stencil::nearest(", dimensions, ")");
  for (const Count radius : {1, 2, 3})
    if (offsets == Stencil::moore(dimensions, radius))
      return concat("halocline::Stencil::moore(", dimensions, ", ", radius, ")");
  return concat("halocline::Stencil::parse(\"", stencil.to_text(), "\", ", dimensions, ")");
}

bool all_are(const Counts& numbers, Count value) {
  return std::all_of(numbers.begin(), numbers.end(), [&](Count number) { return number == value; });
}

std::string lattice_code(const char* type, const Lattice& lattice) {
  std::string code = concat("halocline::", type, "(", braces(lattice.extents()));
  const Periodicity& periodicity = lattice.periodicity();
  if (std::find(periodicity.begin(), periodicity.end(), true) != periodicity.end())
    code += concat(", halocline::periodic(", join(periodicity, ", "), ")");
  return code + ")";
}

std::vector<std::string> block_code(const Explanation& both) {
  const bool gathered = *both.problem.blocks == Operation::allgather;
  return {
      concat("halocline::Cart cart(MPI_COMM_WORLD, ", lattice_code("Grid", both.plan.grid), ", stencil);"),
      concat("auto exchange = halocline::Exchange::", gathered ? "allgather" : "alltoall",
             "(halocline::Neighborhood(cart.comm(), stencil), send, receive);")};
}

std::vector<std::string> mesh_code(const Explanation& both) {
  const Problem& problem = both.problem;
  std::string options;
  if (!all_are(problem.halo, 1)) options = ".halo = " + braces(problem.halo);
  if (!problem.fixed.empty() && !all_are(problem.fixed, 0))
    options += concat(options.empty() ? "" : ", ", ".fixed = ", braces(problem.fixed));
  const std::string more = options.empty() ? "" : concat(", {", options, "}");
  return {concat("halocline::Cart cart(MPI_COMM_WORLD, ", lattice_code("Mesh", problem.mesh), ", ",
                 stencil_code(problem.stencil), more, ");"),
          problem.fields == 1 ? "halocline::Halo halo(cart, u);" : "halocline::Halo halo(cart, u, v);"};
}

/// What must be said because it was asked for; the rest the library finds by itself.
std::vector<std::string> variables(const Explanation& both) {
  std::vector<std::string> lines;
  const std::string& wanted = both.seating.wanted;
  if (both.seating.algorithm != not_placed && wanted != best_placement)
    lines.push_back("export HALOCLINE_PLACE=" + wanted);
  if (both.choices.schedule != ScheduleChoice::automatic)
    lines.push_back("export HALOCLINE_SCHEDULE=" + name_of(both.choices.schedule));
  if (!both.choices.shared) lines.emplace_back("export HALOCLINE_SHARED=off");
  if (const auto& network = both.plan.network) {
    lines.push_back("export HALOCLINE_NETWORK='" + network->network + "'");
    if (network->mapping != name_of(NetworkOptions{}.variant))
      lines.push_back("export HALOCLINE_MAPPING=" + network->mapping);
    if (both.problem.allocation != Allocation::whole(both.problem.allocation->network()))
      lines.emplace_back("export HALOCLINE_ALLOCATION=FILE");
  }
  return lines;
}

}  // namespace

Launchers launchers(const Machine& machine) {
  const Count ranks = machine.ranks(), nodes = machine.nodes();
  if (machine.node_sizes().uniform()) {
    const Count each = machine.node_sizes()[0];
    const std::string slurm = concat("--nodes=", nodes, " --ntasks-per-node=", each);
    return {concat("mpirun -n ", ranks, " --map-by ppr:", each, ":node"),
            concat("mpiexec -n ", ranks, " -ppn ", each), "srun " + slurm,
            concat("sbatch ", slurm, " --wrap 'srun ./program'")};
  }
  // A line for each node, with as many slots as it gets processes; for Slurm a line for each process.
  return {concat("mpirun -n ", ranks, " --hostfile FILE"), concat("mpiexec -n ", ranks, " -f FILE"),
          concat("SLURM_HOSTFILE=FILE srun --ntasks=", ranks, " --distribution=arbitrary"),
          concat("sbatch --nodes=", nodes, " --ntasks=", ranks,
                 " --wrap 'SLURM_HOSTFILE=FILE srun --distribution=arbitrary ./program'")};
}

std::vector<Advice> how_to_get_it(const Explanation& both) {
  const Launchers with = launchers(both.problem.machine);
  std::vector<Advice> all{
      {"To get it in a program (C and Fortran: docs/halo.md, docs/fortran.md):",
       both.problem.blocks ? block_code(both) : mesh_code(both)},
      {"To have a job do exactly this, if it fits, with the file that --json or HALOCLINE_PLAN=plan.json "
       "writes:",
       {"export HALOCLINE_PLAN_USE=plan.json"}},
      {concat("To use it in a program that was not changed and makes a grid ",
              join(both.plan.grid.extents(), "x"), ":"),
       {concat("halocline run -- ", with.open_mpi, " ./program")}},
      {"To start a program, with Open MPI, MPICH or Slurm:",
       {with.open_mpi + " ./program", with.hydra + " ./program", with.slurm + " ./program", with.batch}}};
  if (std::vector<std::string> lines = variables(both); !lines.empty())
    all.insert(all.begin() + 1, Advice{"And in the environment:", std::move(lines)});
  return all;
}

}  // namespace halocline::plan
