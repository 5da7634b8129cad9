// What the wave solver would send on a machine that need not be there: the grid and the placement that
// Halocline chooses beside the default, which is MPI_Dims_create with ranks row by row.
//
//   what_if --mesh 1200x800x400 --machine "node:16 core:48"

#include "program.hpp"
#include "wave_numerics.hpp"

#include <array>
#include <limits>

namespace hc = halocline;

namespace {

/// Faces of the width that the wave solver needs, of doubles.
const hc::Counts halo(3, wave::width);
hc::Stencil faces() {
  const hc::Stencil nearest = hc::Stencil::nearest(3);
  return hc::Stencil(nearest.offsets(), hc::Counts(nearest.size(), sizeof(double)));
}

hc::Grid default_grid(const hc::Mesh& mesh, const hc::Machine& machine) {
  if (machine.ranks() > std::numeric_limits<int>::max())
    throw example::WrongUse("--machine has " + std::to_string(machine.ranks()) +
                            " processes; MPI has at most " + std::to_string(std::numeric_limits<int>::max()));
  std::array<int, 3> dims{};
  MPI_Dims_create(static_cast<int>(machine.ranks()), 3, dims.data());
  return hc::Grid({dims[0], dims[1], dims[2]}, mesh.periodicity());
}

void print_levels(const char* who, const hc::Grid& grid, const std::string& algorithm,
                  const hc::place::Cost& cost) {
  example::say("%s: grid %lldx%lldx%lld, placed by %s\n", who, static_cast<long long>(grid.extents()[0]),
               static_cast<long long>(grid.extents()[1]), static_cast<long long>(grid.extents()[2]),
               algorithm.c_str());
  for (const hc::place::LevelCost& level : cost.levels)
    example::say("  between %-8s %10lld messages %12.3f MB, the busiest sends %9.3f MB\n",
                 (level.name + "s:").c_str(), static_cast<long long>(level.total.messages),
                 static_cast<double>(level.total.bytes) * 1e-6,
                 static_cast<double>(level.largest.bytes) * 1e-6);
}

/// The command that draws a placement.
void say_how_to_draw(const char* whose, const hc::Machine& machine, const hc::Grid& grid,
                     const hc::Stencil& stencil, const char* algorithm) {
  const std::string text = grid.to_text(), extents = text.substr(0, text.find(' '));
  example::say(
      "draw %s: halocline place --grid %s --periodic 0,1,1 --nodes %s --stencil '%s' --algorithm %s\n", whose,
      extents.c_str(), machine.node_sizes().to_text().c_str(), stencil.to_text().c_str(), algorithm);
}

bool run(const example::Arguments& arguments) {
  const hc::Mesh mesh(arguments.extents("--mesh", 3), hc::periodic(0, 1, 1));
  const std::string& text = arguments.text("--machine");
  const hc::Machine machine = text.empty() ? hc::discover(MPI_COMM_WORLD).machine : hc::Machine::parse(text);

  const hc::Grid plain = default_grid(mesh, machine);
  const hc::Stencil plain_faces = hc::plan::with_message_sizes(mesh, plain, faces(), halo);
  const hc::place::Problem by_rows(plain, plain_faces, machine);
  const hc::place::Cost plain_cost = hc::place::cost(by_rows, hc::place::algorithm("blocked").place(by_rows));
  const hc::plan::GridChoice chosen = hc::plan::choose_grid({mesh, faces(), machine, halo});

  example::say("Each exchange of the wave solver, mesh %s on %s:\n", mesh.to_text().c_str(),
               machine.to_text().c_str());
  print_levels("default", plain, "rows", plain_cost);
  print_levels("Halocline", chosen.grid, chosen.algorithm, chosen.cost);
  say_how_to_draw("the default", machine, plain, plain_faces, "blocked");
  say_how_to_draw("Halocline's", machine, chosen.grid, chosen.stencil, "best");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"what_if",
       "What the wave solver sends in each exchange on a machine, with the default grid and with "
       "Halocline's.",
       {{"--mesh", "1200x800x400", "points of the mesh"},
        {"--machine", "", "such as \"node:16 core:48\"; without it the machine of this job"}}},
      argc, argv, run);
}
