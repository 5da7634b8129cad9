// PETSc's DMDA as ways of `halocline bench halo`: the ghost points of local vectors, from the local vectors
// themselves, and local vectors added up in global ones.

#include "module_way.hpp"

#include <petscdmda.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using tools::HaloModuleProblem;

void check(PetscErrorCode code, const char* call) {
  if (code != 0)
    throw std::runtime_error(std::string("PETSc's ") + call + " failed with " + std::to_string(code));
}
#define HALOCLINE_PETSC(call, ...) check(call(__VA_ARGS__), #call)

DMDAStencilType stencil_type(const HaloModuleProblem& problem) {
  if (problem.directions == 26) return DMDA_STENCIL_BOX;
  if (problem.directions == 6) return DMDA_STENCIL_STAR;
  throw std::runtime_error(std::string("PETSc fills the halo along moore:1 or nearest, not ") +
                           problem.stencil);
}

void begin_petsc() {
  PetscBool begun = PETSC_FALSE;
  HALOCLINE_PETSC(PetscInitialized, &begun);
  if (!begun) HALOCLINE_PETSC(PetscInitializeNoArguments);
}

void finish_petsc() {
  PetscBool begun = PETSC_FALSE;
  if (PetscInitialized(&begun) == 0 && begun) PetscFinalize();
}

/// One grid of one value a point for all arrays, which become local vectors as they are.
class PetscHalo {
 public:
  explicit PetscHalo(const HaloModuleProblem& problem) {
    begin_petsc();
    const auto points = [&](std::size_t d) {
      return static_cast<PetscInt>(problem.processes[d] * problem.extents[d]);
    };
    const auto processes = [&](std::size_t d) { return static_cast<PetscInt>(problem.processes[d]); };
    // PETSc's first dimension is the fastest one, of points and of processes.
    HALOCLINE_PETSC(DMDACreate3d, problem.cart, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC,
                    DM_BOUNDARY_PERIODIC, stencil_type(problem), points(2), points(1), points(0),
                    processes(2), processes(1), processes(0), 1, static_cast<PetscInt>(problem.width),
                    nullptr, nullptr, nullptr, &grid_);
    HALOCLINE_PETSC(DMSetUp, grid_);
    std::int64_t padded = 1;
    for (const std::int64_t extent : problem.extents) padded *= extent + 2 * problem.width;
    for (std::size_t i = 0; i < problem.array_count; ++i)
      HALOCLINE_PETSC(VecCreateSeqWithArray, PETSC_COMM_SELF, 1, static_cast<PetscInt>(padded),
                      problem.arrays[i], &vectors_.emplace_back());
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

 protected:
  DM grid_ = nullptr;
  std::vector<Vec> vectors_;
};

/// What lies in halos added to its owners, in vectors without halos: own points are added, too.
class PetscSums : PetscHalo {
 public:
  explicit PetscSums(const HaloModuleProblem& problem) : PetscHalo(problem) {
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      HALOCLINE_PETSC(DMCreateGlobalVector, grid_, &sums_.emplace_back());
  }
  PetscSums(const PetscSums&) = delete;
  PetscSums& operator=(const PetscSums&) = delete;
  ~PetscSums() {
    for (Vec& vector : sums_) VecDestroy(&vector);
  }

  void run() {
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      HALOCLINE_PETSC(DMLocalToGlobalBegin, grid_, vectors_[i], ADD_VALUES, sums_[i]);
      HALOCLINE_PETSC(DMLocalToGlobalEnd, grid_, vectors_[i], ADD_VALUES, sums_[i]);
    }
  }

 private:
  std::vector<Vec> sums_;
};

constexpr tools::HaloModuleWay ways[] = {module_way<PetscHalo>("petsc"), module_way<PetscSums>("sums-petsc")};
constexpr tools::HaloModule petsc{tools::halo_module_version, ways, std::size(ways), finish_petsc};

}  // namespace
}  // namespace halocline::bench

HALOCLINE_HALO_MODULE { return &halocline::bench::petsc; }
