// `halocline bench halo` with the halo exchanges of PETSc and GHEX beside it, in the same run:
// halo_bench takes the same options, and more names after --ways.

#include "foreign_halos.hpp"

#include "mpi/handles/comm.hpp"
#include "tools/common/mpi_session.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>

namespace halocline::bench {
namespace {

std::vector<tools::ForeignHalo> foreign_halos() {
  return {
#if HALOCLINE_WITH_PETSC
    petsc_halo(),
#endif
#if HALOCLINE_WITH_GHEX
        ghex_halo(), ghex_bulk_halo(),
#endif
  };
}

int run(int argc, char** argv) {
  CLI::App app("Halos of fields, beside MPI, packing by hand and other libraries.", "halo_bench");
  tools::Options options(app);
  bool as_json = false;
  options.add_flag("--json", as_json, "print the answer as JSON");
  const tools::Action bench = tools::declare_bench_halo(options, foreign_halos());
  CLI11_PARSE(app, argc, argv);
  const tools::MpiSession session;
  const tools::Answer answer = bench();
  if (mpi::rank(MPI_COMM_WORLD) == 0) std::puts(as_json ? answer.json.dump(2).c_str() : answer.text.c_str());
#if HALOCLINE_WITH_PETSC
  finish_petsc();
#endif
  return 0;
}

}  // namespace
}  // namespace halocline::bench

int main(int argc, char** argv) {
  try {
    return halocline::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "halo_bench: %s\n", error.what());
    return 1;
  }
}
