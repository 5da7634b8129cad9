#include "foreign_halos.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <petscdmda.h>

#include <memory>

namespace halocline::bench {
namespace {

void check(PetscErrorCode code, const char* call) {
  if (code != 0) fail(Fault::internal, "PETSc's ", call, " failed with ", code);
}
#define HALOCLINE_PETSC(call, ...) check(call(__VA_ARGS__), #call)

DMDAStencilType stencil_type(const Stencil& offsets) {
  if (offsets.size() == Stencil::moore(3, 1).size()) return DMDA_STENCIL_BOX;
  require(offsets.size() == Stencil::nearest(3).size(), "PETSc fills the halo along moore:1 or nearest, not ",
          offsets.to_text());
  return DMDA_STENCIL_STAR;
}

/// One grid of one value a point for all arrays, which become local vectors as they are.
class PetscHalo {
 public:
  explicit PetscHalo(const tools::HaloProblem& problem) {
    const Counts& dims = problem.grid.extents();
    const auto points = [&](std::size_t d) { return static_cast<PetscInt>(dims[d] * problem.extents[d]); };
    const auto processes = [&](std::size_t d) { return static_cast<PetscInt>(dims[d]); };
    // PETSc's first dimension is the fastest one, of points and of processes.
    HALOCLINE_PETSC(DMDACreate3d, problem.cart, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC,
                    DM_BOUNDARY_PERIODIC, stencil_type(problem.offsets), points(2), points(1), points(0),
                    processes(2), processes(1), processes(0), 1, static_cast<PetscInt>(problem.width),
                    nullptr, nullptr, nullptr, &grid_);
    HALOCLINE_PETSC(DMSetUp, grid_);
    Count padded = 1;
    for (const Count extent : problem.extents) padded *= extent + 2 * problem.width;
    for (double* array : problem.arrays)
      HALOCLINE_PETSC(VecCreateSeqWithArray, PETSC_COMM_SELF, 1, static_cast<PetscInt>(padded), array,
                      &vectors_.emplace_back());
  }
  PetscHalo(const PetscHalo&) = delete;
  PetscHalo& operator=(const PetscHalo&) = delete;
  ~PetscHalo() {
    for (Vec& vector : vectors_) VecDestroy(&vector);
    DMDestroy(&grid_);
  }

  /// One after the other: a grid has one exchange under way.
  void run() {
    for (Vec vector : vectors_) {
      HALOCLINE_PETSC(DMLocalToLocalBegin, grid_, vector, INSERT_VALUES, vector);
      HALOCLINE_PETSC(DMLocalToLocalEnd, grid_, vector, INSERT_VALUES, vector);
    }
  }

 private:
  DM grid_ = nullptr;
  std::vector<Vec> vectors_;
};

}  // namespace

tools::ForeignHalo petsc_halo() {
  return {"petsc", "the DMDA of PETSc, from local vectors to themselves",
          [](const tools::HaloProblem& problem) -> std::function<void()> {
            PetscBool begun = PETSC_FALSE;
            HALOCLINE_PETSC(PetscInitialized, &begun);
            if (!begun) HALOCLINE_PETSC(PetscInitializeNoArguments);
            return [halo = std::make_shared<PetscHalo>(problem)] { halo->run(); };
          }};
}

void finish_petsc() {
  PetscBool begun = PETSC_FALSE;
  HALOCLINE_PETSC(PetscInitialized, &begun);
  if (begun) HALOCLINE_PETSC(PetscFinalize);
}

}  // namespace halocline::bench
