/* Several threads send and receive datatypes with gaps at once, each its own type, and all of them one that
 * they share and that nobody has used before. */

#include "report.h"

#include <pthread.h>
#include <string.h>

enum { threads = 4, doubles = 600, rounds = 20 };
typedef struct {
  int number;
  MPI_Comm comm;
  MPI_Datatype shared;
  uint64_t digest;
} Work;

static void* run(void* data) {
  Work* const w = data;
  int rank, size;
  MPI_Comm_rank(w->comm, &rank);
  MPI_Comm_size(w->comm, &size);
  double* const field = malloc(sizeof(double) * 4 * doubles);
  for (int round = 0; round < rounds; ++round) {
    MPI_Datatype own;
    MPI_Type_vector(doubles - round, 1, 2, MPI_DOUBLE, &own);
    MPI_Type_commit(&own);
    for (int i = 0; i < 4 * doubles; ++i) field[i] = rank * 7 + i + round + w->number;
    MPI_Sendrecv(field, 1, round % 2 ? own : w->shared, (rank + 1) % size, round, field + 2 * doubles, 1,
                 round % 2 ? own : w->shared, (rank + size - 1) % size, round, w->comm, MPI_STATUS_IGNORE);
    w->digest = digest_of(field, sizeof(double) * 4 * doubles, w->digest);
    MPI_Request requests[2];
    MPI_Irecv(field + 2 * doubles, 1, own, (rank + size - 1) % size, round, w->comm, &requests[0]);
    MPI_Isend(field + 1, 1, own, (rank + 1) % size, round, w->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    w->digest = digest_of(field, sizeof(double) * 4 * doubles, w->digest);
    MPI_Type_free(&own);
  }
  free(field);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    report("no threads", 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
  }
  uint64_t digest = 14695981039346656037u;
  for (int repeat = 0; repeat < 5; ++repeat) {
    pthread_t ids[threads];
    Work work[threads];
    MPI_Datatype shared;
    MPI_Type_vector(doubles, 1, 2, MPI_DOUBLE, &shared);
    MPI_Type_commit(&shared);
    for (int t = 0; t < threads; ++t) {
      work[t] = (Work){t, MPI_COMM_NULL, shared, digest};
      MPI_Comm_dup(MPI_COMM_WORLD, &work[t].comm);
    }
    for (int t = 0; t < threads; ++t) pthread_create(&ids[t], NULL, run, &work[t]);
    for (int t = 0; t < threads; ++t) {
      pthread_join(ids[t], NULL);
      digest = digest * 31 + work[t].digest;
      MPI_Comm_free(&work[t].comm);
    }
    MPI_Type_free(&shared);
  }
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  report(handler == MPI_ERRORS_ARE_FATAL ? "threads" : "threads, with another error handler", digest,
         MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
