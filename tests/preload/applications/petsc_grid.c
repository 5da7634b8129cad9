/* Heat on a distributed array of PETSc: halos by DMGlobalToLocal, in the way that -sf_type names, and a
 * solver on top of it. Every rank prints what depends on all its values. */
#include <petscdmda.h>
#include <petscksp.h>

static PetscErrorCode step(DM da, Vec u, Vec local, PetscReal dt) {
  DMDALocalInfo info;
  PetscScalar **from, **to;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetLocalInfo(da, &info));
  PetscCall(DMGlobalToLocal(da, u, INSERT_VALUES, local));
  PetscCall(DMDAVecGetArrayRead(da, local, &from));
  PetscCall(DMDAVecGetArray(da, u, &to));
  for (PetscInt j = info.ys; j < info.ys + info.ym; ++j)
    for (PetscInt i = info.xs; i < info.xs + info.xm; ++i)
      to[j][i] = from[j][i] +
                 dt * (from[j][i - 1] + from[j][i + 1] + from[j - 1][i] + from[j + 1][i] - 4 * from[j][i]);
  PetscCall(DMDAVecRestoreArray(da, u, &to));
  PetscCall(DMDAVecRestoreArrayRead(da, local, &from));
  PetscFunctionReturn(0);
}

/* The values of a rank in a number that depends on their bits and their order. */
static PetscErrorCode show(const char* what, Vec u) {
  const PetscScalar* values;
  PetscInt n;
  unsigned long long digest = 14695981039346656037u;
  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(u, &n));
  PetscCall(VecGetArrayRead(u, &values));
  for (size_t i = 0; i < (size_t)n * sizeof *values; ++i)
    digest = (digest ^ ((const unsigned char*)values)[i]) * 1099511628211u;
  PetscCall(VecRestoreArrayRead(u, &values));
  PetscCall(
      PetscSynchronizedPrintf(PETSC_COMM_WORLD, "%s: %lld values, %016llx\n", what, (long long)n, digest));
  PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
  PetscFunctionReturn(0);
}

static PetscErrorCode fill(DM da, Vec u) {
  DMDALocalInfo info;
  PetscScalar** to;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetLocalInfo(da, &info));
  PetscCall(DMDAVecGetArray(da, u, &to));
  for (PetscInt j = info.ys; j < info.ys + info.ym; ++j)
    for (PetscInt i = info.xs; i < info.xs + info.xm; ++i) to[j][i] = 1.0 / (1 + i + 17 * j);
  PetscCall(DMDAVecRestoreArray(da, u, &to));
  PetscFunctionReturn(0);
}

/* Solves (4 + 1/2) u - neighbours = b by a Krylov method: products with a distributed matrix. */
static PetscErrorCode solve(DM da, Vec b, Vec u) {
  DMDALocalInfo info;
  Mat matrix;
  KSP ksp;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetLocalInfo(da, &info));
  PetscCall(DMCreateMatrix(da, &matrix));
  for (PetscInt j = info.ys; j < info.ys + info.ym; ++j)
    for (PetscInt i = info.xs; i < info.xs + info.xm; ++i) {
      MatStencil row = {0, j, i, 0};
      MatStencil columns[5] = {
          {0, j, i, 0}, {0, j, i - 1, 0}, {0, j, i + 1, 0}, {0, j - 1, i, 0}, {0, j + 1, i, 0}};
      const PetscScalar values[5] = {4.5, -1, -1, -1, -1};
      PetscCall(MatSetValuesStencil(matrix, 1, &row, 5, columns, values, INSERT_VALUES));
    }
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, matrix, matrix));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 200));
  PetscCall(KSPSolve(ksp, b, u));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  DM da;
  Vec u, b, local;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_STAR, 40,
                         30, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, &da));
  PetscCall(DMSetFromOptions(da));
  PetscCall(DMSetUp(da));
  PetscCall(DMCreateGlobalVector(da, &u));
  PetscCall(VecDuplicate(u, &b));
  PetscCall(DMCreateLocalVector(da, &local));
  PetscCall(fill(da, u));
  for (int i = 0; i < 20; ++i) PetscCall(step(da, u, local, 0.1));
  PetscCall(show("heat", u));
  PetscCall(VecCopy(u, b));
  PetscCall(solve(da, b, u));
  PetscCall(show("solved", u));
  PetscCall(VecDestroy(&local));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&u));
  PetscCall(DMDestroy(&da));
  PetscCall(PetscFinalize());
  return 0;
}
