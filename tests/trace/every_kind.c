/* Sends by every kind of call, in several communicators, and writes down what it sends. Prints sums of what
 * came, which are the same whether it is traced or not. */

#include "collectives.h"
#include "ring.h"

static void messages(const Ring* r) {
  enum { kinds = 8 };
  MPI_Datatype gaps;
  MPI_Type_vector(5, 2, 3, MPI_INT, &gaps); /* 10 of its 14 numbers travel */
  MPI_Type_commit(&gaps);
  static char buffer[1 << 16];
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (int kind = 0; kind < kinds; ++kind) {
    MPI_Request receive, send = MPI_REQUEST_NULL;
    const int count = kind + 1, from = kind % 2 ? MPI_ANY_SOURCE : r->before;
    fill();
    MPI_Irecv(in, 10 * count, MPI_INT, from, 7, r->comm, &receive);
    MPI_Barrier(r->comm);
    add(handed_in[barrier], 1, 0);
    switch (kind) {
      case 0:
        MPI_Send(out, count, gaps, r->next, 7, r->comm);
        break;
      case 1:
        MPI_Bsend(out, count, gaps, r->next, 7, r->comm);
        break;
      case 2:
        MPI_Ssend(out, count, gaps, r->next, 7, r->comm);
        break;
      case 3:
        MPI_Rsend(out, count, gaps, r->next, 7, r->comm);
        break;
      case 4:
        MPI_Isend(out, count, gaps, r->next, 7, r->comm, &send);
        break;
      case 5:
        MPI_Ibsend(out, count, gaps, r->next, 7, r->comm, &send);
        break;
      case 6:
        MPI_Issend(out, count, gaps, r->next, 7, r->comm, &send);
        break;
      default:
        MPI_Irsend(out, count, gaps, r->next, 7, r->comm, &send);
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    to_next(r, message, 1, 40 * count);
    take(10 * count);
  }
  fill();
  MPI_Sendrecv(out, 11, MPI_DOUBLE, r->next, 1, in, 11, MPI_DOUBLE, r->before, 1, r->comm, MPI_STATUS_IGNORE);
  to_next(r, message, 1, 88);
  take(22);
  MPI_Sendrecv_replace(out, 13, MPI_SHORT, r->next, 1, r->before, 1, r->comm, MPI_STATUS_IGNORE);
  to_next(r, message, 1, 26);
  /* Nothing, and nobody. */
  MPI_Sendrecv(out, 0, MPI_INT, r->next, 1, in, 0, MPI_INT, r->before, 1, r->comm, MPI_STATUS_IGNORE);
  to_next(r, message, 1, 0);
  MPI_Send(out, 5, MPI_INT, MPI_PROC_NULL, 1, r->comm);
  MPI_Sendrecv(out, 5, MPI_INT, MPI_PROC_NULL, 1, in, 5, MPI_INT, MPI_PROC_NULL, 1, r->comm,
               MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
  MPI_Request request;
  MPI_Isendrecv(out, 3, MPI_INT, r->next, 2, in, 3, MPI_INT, r->before, 2, r->comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  to_next(r, message, 1, 12);
  MPI_Sendrecv_c(out, 6, MPI_INT, r->next, 2, in, 6, MPI_INT, r->before, 2, r->comm, MPI_STATUS_IGNORE);
  to_next(r, message, 1, 24);
#endif
  void* detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  MPI_Type_free(&gaps);
}

static void persistent_messages(const Ring* r) {
  MPI_Request requests[4];
  fill();
  MPI_Recv_init(in, 100, MPI_INT, r->before, 1, r->comm, &requests[0]);
  MPI_Recv_init(in + 100, 100, MPI_INT, r->before, 2, r->comm, &requests[1]);
  MPI_Send_init(out, 100, MPI_INT, r->next, 1, r->comm, &requests[2]);
  MPI_Ssend_init(out, 50, MPI_INT, r->next, 2, r->comm, &requests[3]);
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Startall(4, requests);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    to_next(r, message, 2, 600);
  }
  for (int i = 0; i < 4; ++i) MPI_Start(&requests[i]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  to_next(r, message, 2, 600);
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
  /* One that is never started, and one for nobody. */
  MPI_Send_init(out, 9, MPI_INT, r->next, 1, r->comm, &requests[0]);
  MPI_Request_free(&requests[0]);
#if defined(OPEN_MPI) /* in MPICH 4.0.2 persistent collectives never end after such a one */
  MPI_Send_init(out, 9, MPI_INT, MPI_PROC_NULL, 1, r->comm, &requests[0]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
#endif
  take(200);
}

static void partitioned_messages(const Ring* r) {
#if MPI_VERSION >= 4
  MPI_Request requests[2];
  fill();
  MPI_Precv_init(in, 4, 10, MPI_INT, r->before, 3, r->comm, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out, 4, 10, MPI_INT, r->next, 3, r->comm, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  for (int i = 0; i < 4; ++i) MPI_Pready(i, requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  to_next(r, message, 1, 160);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  take(40);
#else
  (void)r;
#endif
}

static void one_sided_calls(const Ring* r) {
  enum { bytes = 1024 };
  int* memory;
  MPI_Win window;
  fill();
  /* Open MPI 4.1.4 has no windows for a process alone or, by some transports, for several nodes. */
  MPI_Comm_set_errhandler(r->comm, MPI_ERRORS_RETURN);
  const int code = MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, r->comm, &memory, &window);
  MPI_Comm_set_errhandler(r->comm, MPI_ERRORS_ARE_FATAL);
  if (code != MPI_SUCCESS) return;
  memset(memory, 0, bytes);
  const int target = r->world_of[r->next];
  MPI_Win_fence(0, window);
  MPI_Put(out, 10, MPI_INT, r->next, 0, 10, MPI_INT, window);
  add(sent[one_sided][target], 1, 40);
  MPI_Put(out, 10, MPI_INT, MPI_PROC_NULL, 0, 10, MPI_INT, window);
  MPI_Accumulate(out, 4, MPI_INT, r->next, 20, 4, MPI_INT, MPI_SUM, window);
  add(sent[one_sided][target], 1, 16);
  MPI_Win_fence(0, window);
  MPI_Get(in, 10, MPI_INT, r->next, 0, 10, MPI_INT, window);
  add(got[one_sided][target], 1, 40);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  take(10);
  MPI_Win_lock(MPI_LOCK_SHARED, r->next, 0, window);
  MPI_Get_accumulate(out, 3, MPI_INT, in, 3, MPI_INT, r->next, 40, 3, MPI_INT, MPI_SUM, window);
  add(sent[one_sided][target], 1, 12);
  add(got[one_sided][target], 1, 12);
  MPI_Win_flush(r->next, window);
  MPI_Get_accumulate(NULL, 0, MPI_INT, in, 3, MPI_INT, r->next, 40, 3, MPI_INT, MPI_NO_OP, window);
  add(got[one_sided][target], 1, 12);
  MPI_Win_flush(r->next, window);
  MPI_Fetch_and_op(out, in, MPI_INT, r->next, 50, MPI_SUM, window);
  add(sent[one_sided][target], 1, 4);
  add(got[one_sided][target], 1, 4);
  MPI_Win_flush(r->next, window);
  MPI_Compare_and_swap(out, out + 1, in, MPI_INT, r->next, 60, window);
  add(sent[one_sided][target], 1, 8);
  add(got[one_sided][target], 1, 4);
  MPI_Win_flush(r->next, window);
  MPI_Request request;
  MPI_Rput(out, 7, MPI_INT, r->next, 70, 7, MPI_INT, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  add(sent[one_sided][target], 1, 28);
  MPI_Win_unlock(r->next, window);
  MPI_Win_free(&window);
}

/* Calls that fail are not counted. */
static void errors(const Ring* r) {
  MPI_Comm copy;
  MPI_Comm_dup(r->comm, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  if (MPI_Send(out, 1, MPI_INT, r->size + 5, 1, copy) == MPI_SUCCESS) abort();
  if (MPI_Send(out, -1, MPI_INT, r->next, 1, copy) == MPI_SUCCESS) abort();
  MPI_Comm_free(&copy);
}

/* The even ranks of the world and the odd ones. */
static void between_groups(void) {
  if (world_size < 2) return;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 3, &inter);
  int others;
  MPI_Comm_remote_size(inter, &others);
  const int mine = world_rank / 2;
  MPI_Request request = MPI_REQUEST_NULL;
  fill();
  if (world_rank % 2 == 0) {
    const int partner = mine % others;
    MPI_Isend(out, 8, MPI_INT, partner, 1, inter, &request);
    add(sent[message][2 * partner + 1], 1, 32);
  } else {
    const int evens = (world_size + 1) / 2, odds = world_size / 2;
    for (int even = mine; even < evens; even += odds)
      MPI_Recv(in, 8, MPI_INT, even, 1, inter, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int root = world_rank % 2 ? 0 : world_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(out, 3, MPI_INT, root, inter);
  add(handed_in[bcast], 1, world_rank == 0 ? 12 : 0);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static void everything(Ring r) {
  MPI_Comm_rank(r.comm, &r.rank);
  MPI_Comm_size(r.comm, &r.size);
  r.next = (r.rank + 1) % r.size;
  r.before = (r.rank + r.size - 1) % r.size;
  messages(&r);
  persistent_messages(&r);
  neighbourhoods(&r);
  /* Two groups at once would have one file for their windows in Open MPI 4.1.4. */
  if (r.size == world_size) one_sided_calls(&r);
  collective_calls(&r);
  errors(&r);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);

  Ring world = {.comm = MPI_COMM_WORLD, .rank = world_rank, .size = world_size};
  for (int i = 0; i < world_size; ++i) world.world_of[i] = i;
  everything(world);
  world.next = (world_rank + 1) % world_size;
  world.before = (world_rank + world_size - 1) % world_size;
  partitioned_messages(&world);

  /* From here on handles may be those of communicators that are gone. */
  for (int turn = 0; turn < 2; ++turn) {
    Ring reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed.comm);
    for (int i = 0; i < world_size; ++i) reversed.world_of[i] = world_size - 1 - i;
    everything(reversed);
    MPI_Comm_free(&reversed.comm);

    Ring half;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &half.comm);
    for (int i = world_size - 1, member = 0; i >= 0; --i)
      if (i % 2 == world_rank % 2) half.world_of[member++] = i;
    everything(half);
    MPI_Comm_free(&half.comm);
  }
  between_groups();

  unsigned sum = 0;
  add(handed_in[reduce], 1, sizeof digest);
  write_ledger(argv[1]);
  MPI_Reduce(&digest, &sum, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world_rank == 0) printf("digest %u\n", sum);
  MPI_Finalize();
  return 0;
}
