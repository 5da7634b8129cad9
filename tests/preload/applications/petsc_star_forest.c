/* PetscSF where some ranks have neither roots nor leaves: with -sf_type neighbor these leave out blocking and
 * non-blocking neighbourhood collectives, and all ask for graphs that may be reordered. */
#include <petscsf.h>

enum { roots = 300, rounds = 8 };

/* Each rank but every third one has leaves at the two next ranks of that kind. */
static int takes_part(PetscMPIInt rank) { return rank % 3 != 2; }
static PetscMPIInt next(PetscMPIInt rank, PetscMPIInt size) {
  do {
    rank = (rank + 1) % size;
  } while (!takes_part(rank));
  return rank;
}

static PetscErrorCode show(const char* what, int round, const PetscInt* values, PetscInt n) {
  unsigned long long digest = 14695981039346656037u;
  PetscFunctionBeginUser;
  for (size_t i = 0; i < (size_t)n * sizeof *values; ++i)
    digest = (digest ^ ((const unsigned char*)values)[i]) * 1099511628211u;
  PetscCall(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "%s %d: %016llx\n", what, round, digest));
  PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscSF sf;
  PetscMPIInt rank, size;
  PetscInt root[roots], leaf[2 * roots], before[2 * roots];
  PetscSFNode remote[2 * roots];
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  const PetscInt n = takes_part(rank) ? roots : 0;
  for (int k = 0; k < 2; ++k)
    for (PetscInt i = 0; i < n; ++i) {
      remote[k * roots + i].rank = k == 0 ? next(rank, size) : next(next(rank, size), size);
      remote[k * roots + i].index = (i * 7 + k) % roots;
    }
  PetscCall(PetscSFCreate(PETSC_COMM_WORLD, &sf));
  PetscCall(PetscSFSetFromOptions(sf));
  PetscCall(PetscSFSetGraph(sf, n, 2 * n, NULL, PETSC_COPY_VALUES, remote, PETSC_COPY_VALUES));
  PetscCall(PetscSFSetUp(sf));
  for (int round = 0; round < rounds; ++round) {
    for (PetscInt i = 0; i < n; ++i) root[i] = 1000 * rank + 10 * i + round;
    for (PetscInt i = 0; i < 2 * n; ++i) leaf[i] = -1;
    PetscCall(PetscSFBcastBegin(sf, MPIU_INT, root, leaf, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(sf, MPIU_INT, root, leaf, MPI_REPLACE));
    PetscCall(show("broadcast", round, leaf, 2 * n));
    PetscCall(PetscSFReduceBegin(sf, MPIU_INT, leaf, root, MPI_SUM));
    PetscCall(PetscSFReduceEnd(sf, MPIU_INT, leaf, root, MPI_SUM));
    PetscCall(show("sum", round, root, n));
    PetscCall(PetscSFFetchAndOpBegin(sf, MPIU_INT, root, leaf, before, MPI_SUM));
    PetscCall(PetscSFFetchAndOpEnd(sf, MPIU_INT, root, leaf, before, MPI_SUM));
    PetscCall(show("fetched", round, before, 2 * n));
  }
  PetscCall(PetscSFDestroy(&sf));
  PetscCall(PetscFinalize());
  return 0;
}
