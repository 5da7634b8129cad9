/* Four threads send at once, each in a communicator of its own, by messages and by persistent requests that
 * they make and free. */

#include "ledger.h"

#include <pthread.h>

enum { threads = 4, rounds = 300, broadcasts = 200000 };

typedef struct {
  MPI_Comm all, self;
} Comms;

static int next_rank, rank_before;

static void* run(void* data) {
  const Comms comms = *(Comms*)data;
  MPI_Comm comm = comms.all;
  int out[8] = {0}, in[8];
  /* Calls that take no time but ours. */
  for (int i = 0; i < broadcasts; ++i) MPI_Bcast(out, 2, MPI_INT, 0, comms.self);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Sendrecv(out, 3, MPI_INT, next_rank, 1, in, 3, MPI_INT, rank_before, 1, comm, MPI_STATUS_IGNORE);
    MPI_Recv_init(in, 5, MPI_INT, rank_before, 2, comm, &requests[0]);
    MPI_Send_init(out, 5, MPI_INT, next_rank, 2, comm, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  next_rank = (world_rank + 1) % world_size;
  rank_before = (world_rank + world_size - 1) % world_size;
  if (provided == MPI_THREAD_MULTIPLE) {
    Comms comms[threads];
    pthread_t ids[threads];
    for (int i = 0; i < threads; ++i) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[i].all);
      MPI_Comm_dup(MPI_COMM_SELF, &comms[i].self);
    }
    for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, run, &comms[i]);
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    for (int i = 0; i < threads; ++i) {
      MPI_Comm_free(&comms[i].all);
      MPI_Comm_free(&comms[i].self);
    }
    add(handed_in[bcast], threads * broadcasts, 8LL * threads * broadcasts);
    add(sent[message][next_rank], 2 * threads * rounds, (12 + 20) * threads * rounds);
  }
  write_ledger(argv[1]);
  if (world_rank == 0) printf("threads: %s\n", provided == MPI_THREAD_MULTIPLE ? "several" : "one");
  MPI_Finalize();
  return 0;
}
