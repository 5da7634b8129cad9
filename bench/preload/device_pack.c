/* MPI_Pack of a face of n^3 doubles on a GPU whose blocks are one number each, with the preload library,
 * beside a copy for each block, which is what MPIs do that take such buffers. Into pinned memory of the host;
 * every byte is looked at. */

#include "measure.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxPushCurrent_v2(void* context);
int cuMemAlloc_v2(uint64_t* memory, size_t bytes);
int cuMemFree_v2(uint64_t memory);
int cuMemHostAlloc(void** memory, size_t bytes, unsigned flags);
int cuMemFreeHost(void* memory);
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void* stream);
int cuStreamSynchronize(void* stream);

enum { repeats = 21, fewer = 3 };

static int measure_face(int n) {
  const size_t all = (size_t)n * (size_t)n * (size_t)n * sizeof(double), face = all / (size_t)n;
  uint64_t field = 0;
  void *by_copies = NULL, *by_mpi = NULL;
  double* const values = malloc(all);
  for (size_t i = 0; i < all / sizeof(double); ++i) values[i] = (double)i;
  if (cuMemAlloc_v2(&field, all) != 0 || cuMemHostAlloc(&by_copies, face, 3) != 0 ||
      cuMemHostAlloc(&by_mpi, face, 3) != 0)
    return 2;
  cuMemcpyAsync(field, (uintptr_t)values, all, NULL);
  cuStreamSynchronize(NULL);
  MPI_Datatype type;
  MPI_Type_vector(n * n, 1, n, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  double packs[repeats], copies[fewer];
  for (int r = -1; r < repeats; ++r) { /* one before they count */
    int position = 0;
    const double begin = MPI_Wtime();
    MPI_Pack((void*)(uintptr_t)field, 1, type, by_mpi, (int)face, &position, MPI_COMM_SELF);
    if (r >= 0) packs[r] = MPI_Wtime() - begin;
  }
  for (int r = 0; r < fewer; ++r) {
    const double begin = MPI_Wtime();
    for (size_t i = 0; i < face / sizeof(double); ++i)
      cuMemcpyAsync((uintptr_t)by_copies + i * sizeof(double), field + i * (size_t)n * sizeof(double),
                    sizeof(double), NULL);
    cuStreamSynchronize(NULL);
    copies[r] = MPI_Wtime() - begin;
  }
  const int wrong = memcmp(by_copies, by_mpi, face) != 0;
  printf("%d blocks of 8 bytes: MPI_Pack %.1f us, a copy each %.1f us%s\n", n * n,
         of_all(packs, repeats) * 1e6, of_all(copies, fewer) * 1e6, wrong ? ", WRONG" : "");
  MPI_Type_free(&type);
  free(values);
  cuMemFreeHost(by_copies);
  cuMemFreeHost(by_mpi);
  cuMemFree_v2(field);
  return wrong;
}

int main(int argc, char** argv) {
  int failed = 0;
  void* context = NULL;
  start(&argc, &argv);
  if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxPushCurrent_v2(context) != 0)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (int n = 32; n <= 128; n *= 2) failed |= measure_face(n);
  MPI_Finalize();
  return failed;
}
