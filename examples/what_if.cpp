// SPDX-License-Identifier: BSD-3-Clause
// What the wave solver would send on a machine that need not be there: the grid and the placement that
// Halocline chooses beside the default, which is MPI_Dims_create with ranks row by row.
//
//   what_if --mesh 1200x800x400 --machine "node:16 core:48"

#include "program.hpp"
#include "wave_numerics.hpp"

namespace hc = halocline;

namespace {

void print_plan(const char* who, const hc::plan::Plan& plan) {
  const hc::plan::LevelTraffic& sent = plan.prediction.total;
  const hc::Counts& extents = plan.grid.extents();
  example::say("%s: grid %lldx%lldx%lld, placed by %s\n", who, static_cast<long long>(extents[0]),
               static_cast<long long>(extents[1]), static_cast<long long>(extents[2]),
               plan.placed_by.c_str());
  example::say("  between nodes: %10lld messages %12.3f MB, the busiest sends %9.3f MB\n",
               static_cast<long long>(sent.network.messages), static_cast<double>(sent.network.bytes) * 1e-6,
               static_cast<double>(plan.prediction.largest_node_bytes) * 1e-6);
  example::say("  on the nodes:  %10lld messages %12.3f MB\n", static_cast<long long>(sent.node.messages),
               static_cast<double>(sent.node.bytes) * 1e-6);
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

  // Faces of the width that the wave solver needs, of one field of doubles; a message to each neighbour.
  const hc::Stencil faces = hc::Stencil::nearest(3);
  const hc::plan::Problem problem{mesh, faces, machine, hc::Counts(3, wave::width)};
  hc::plan::Choices choices;
  choices.schedule = hc::ScheduleChoice::direct;
  const hc::plan::Seating seating = hc::plan::choose_seating(problem, choices);
  const hc::plan::Plan plain = hc::plan::default_plan(problem);

  example::say("Each exchange of the wave solver, mesh %s on %s:\n", mesh.to_text().c_str(),
               machine.to_text().c_str());
  print_plan("default", plain);
  print_plan("Halocline", hc::plan::plan_for(problem, seating, choices));
  say_how_to_draw("the default", machine, plain.grid, faces, "blocked");
  say_how_to_draw("Halocline's", machine, seating.grid, seating.stencil.value_or(faces),
                  seating.algorithm.c_str());
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
