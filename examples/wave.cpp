// SPDX-License-Identifier: BSD-3-Clause
// The acoustic wave equation in three dimensions, of order eight in space: halos are four points wide and
// only faces are needed. The exchange of halos goes on while the interior is computed. Energy is preserved to
// rounding, which is checked. wave_plain_mpi.cpp is the same program without Halocline.
//
//   mpirun -n 8 wave --mesh 128x128x128 --steps 100 --picture wave.png

#include "program.hpp"
#include "wave_numerics.hpp"
#include "wave_report.hpp"

namespace hc = halocline;

namespace {

bool run(const example::Arguments& arguments) {
  const hc::Mesh mesh(arguments.extents("--mesh", 3), hc::periodic(0, 1, 1));
  const hc::Count steps = arguments.number("--steps", 0);

  // The grid and the placement are chosen for halos of this width; fields have them unless they are told
  // otherwise.
  const hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::nearest(3), {.halo = hc::Counts(3, wave::width)});
  hc::Field<double, 3> now(cart), before(cart);
  hc::Field<double, 3> courant(cart, {.halo = hc::Counts{0, 0, 0}});
  hc::Halo halo(cart, hc::rotating(now, before));

  const wave::Triple extents = wave::triple(now.box().extents), first = wave::triple(now.box().first);
  wave::set_up(now.view(), before.view(), courant.view(), wave::triple(mesh.extents()), first, extents);
  const wave::Parts parts = wave::parts_of(extents);
  halo.exchange();
  const double energy = wave::energy(now.view(), before.view(), courant.view(), extents);

  wave::Times times;
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  for (hc::Count n = 0; n < steps; ++n) {
    const double started = MPI_Wtime();
    halo.start();
    times.halo += MPI_Wtime() - started;

    wave::leap(now.view(), before.view(), courant.view(), parts.interior);

    const double waited = MPI_Wtime();
    halo.wait();
    times.halo += MPI_Wtime() - waited;

    for (const wave::Region& part : parts.border) wave::leap(now.view(), before.view(), courant.view(), part);
    std::swap(now, before);  // the halo follows
  }
  times.total = MPI_Wtime() - began;

  halo.exchange();
  const double energy_after = wave::energy(now.view(), before.view(), courant.view(), extents);
  example::say("Halocline: mesh %s, grid %s placed by %s, schedule %s, %s inside nodes\n",
               mesh.to_text().c_str(), cart.grid().to_text().c_str(), cart.algorithm().c_str(),
               halo.exchanged().schedule().c_str(),
               halo.exchanged().shares_memory() ? "shared memory" : "messages");
  if (const std::string text = halo.report(); arguments.text("--report") == "yes")
    example::say("%s", text.c_str());
  return wave::report(arguments, times, energy, energy_after, now.view(), wave::triple(mesh.extents()), first,
                      extents);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<example::Option> options = wave::options();
  options.push_back({"--report", "no", "yes: print what was sent"});
  return example::run_program(
      {"wave", "Sound in three dimensions, its energy checked, with Halocline's halos.", options}, argc, argv,
      run);
}
