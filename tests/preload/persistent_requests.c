/* Persistent neighbourhood collectives as requests: in lists with others, started in other orders elsewhere,
 * beside blocking and non-blocking collectives, while the process does something else, inactive, freed, and
 * more of them than anybody needs. */

#include "persistent.h"
#include "requests.h"

enum { words = 3000 };

typedef struct {
  int send[2][words], receive[2][words], gathered[2][words], message[words];
  MPI_Request requests[kinds];
} Step;

static Step steps[3];

/* A collective among messages; it stays for many rounds. */
static void prepare(Step* s, int tag) {
  MPI_Recv_init(s->message, words, MPI_INT, (rank + 1) % size, tag, comm, &s->requests[0]);
  MPI_Neighbor_alltoall_init(s->send, words, MPI_INT, s->receive, words, MPI_INT, comm, MPI_INFO_NULL,
                             &s->requests[1]);
  MPI_Send_init(s->send[0], words, MPI_INT, (rank + size - 1) % size, tag, comm, &s->requests[2]);
  MPI_Neighbor_allgather_init(s->send[1], words, MPI_INT, s->gathered, words, MPI_INT, comm, MPI_INFO_NULL,
                              &s->requests[3]);
}

static void fill(Step* s, int round) {
  for (int i = 0; i < words; ++i) {
    s->send[0][i] = rank * 100000 + round * 1000 + i;
    s->send[1][i] = -s->send[0][i];
  }
  memset(s->receive, 0xEE, sizeof s->receive);
  memset(s->gathered, 0xEE, sizeof s->gathered);
  memset(s->message, 0xEE, sizeof s->message);
}

static void take(const Step* s) {
  digest = digest_of(s->receive, sizeof s->receive, digest);
  digest = digest_of(s->gathered, sizeof s->gathered, digest);
  digest = digest_of(s->message, sizeof s->message, digest);
}

static void finish(Step* s, int way) {
  MPI_Status statuses[kinds];
  complete(as_the_standard_says() ? way % ways_to_complete : 0, kinds, s->requests, statuses);
}

static void try_lists(void) {
  for (int i = 0; i < 3; ++i) prepare(&steps[i], i);
  for (int round = 0; round < 2 * ways_to_complete; ++round) {
    for (int i = 0; i < 3; ++i) {
      Step* const s = &steps[(i + rank + round) % 3];
      fill(s, 3 * round + (i + rank + round) % 3);
      if ((rank + round) % 2 == 0) MPI_Startall(kinds, s->requests);
      if ((rank + round) % 2 == 1)
        for (int k = kinds - 1; k >= 0; --k) MPI_Start(&s->requests[k]);
    }
    int few[2] = {rank, round}, few_got[2], more[2] = {-rank, round}, more_got[2];
    MPI_Request request;
    MPI_Ineighbor_alltoall(more, 1, MPI_INT, more_got, 1, MPI_INT, comm, &request);
    MPI_Neighbor_alltoall(few, 1, MPI_INT, few_got, 1, MPI_INT, comm);
    for (int i = 0; i < 3; ++i) finish(&steps[(i + 1) % 3], round + i);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) take(&steps[i]);
    add(few_got[0]), add(few_got[1]), add(more_got[0]), add(more_got[1]);
  }
  report("lists", digest, comm);
}

/* What MPI says, where it says what it should. */
static void add_answer(int answer, int standard) { add(as_the_standard_says() ? answer : standard); }

/* A request that was not started is complete for every call about one, and not there for calls about several.
 */
static void try_inactive(void) {
  int flag = 0, index = 0, some = 0, indices[kinds];
  MPI_Request* const requests = steps[0].requests;
  MPI_Status status;
  MPI_Wait(&requests[1], &status);
  MPI_Test(&requests[1], &flag, &status), add_answer(flag, 1), flag = 0;
  MPI_Request_get_status(requests[1], &flag, &status), add_answer(flag, 1);
  MPI_Testsome(kinds, requests, &some, indices, MPI_STATUSES_IGNORE), add_answer(some, MPI_UNDEFINED);
  MPI_Waitany(kinds, requests, &index, &status), add_answer(index, MPI_UNDEFINED);
  report("inactive", digest, comm);
}

/* Even ranks have started and wait for a message; odd ones send it only when their collective is complete. */
static void try_busy(void) {
  enum { many = 60000 };
  static int big[2][many], got[2][many];
  for (int round = 0; round < 4; ++round) {
    const int count = round % 2 ? many : 10;
    MPI_Request request;
    MPI_Neighbor_alltoall_init(big, count, MPI_INT, got, count, MPI_INT, comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < count; ++i) big[0][i] = big[1][i] = rank + i * round;
    memset(got, 0, sizeof got);
    MPI_Start(&request);
    int token;
    if (size % 2 == 0 && rank % 2 == 0) MPI_Recv(&token, 1, MPI_INT, rank + 1, 77, comm, MPI_STATUS_IGNORE);
    for (int flag = 0; round > 1 && !flag;) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (size % 2 == 0 && rank % 2 == 1) MPI_Send(&rank, 1, MPI_INT, rank - 1, 77, comm);
    digest = digest_of(got, sizeof got, digest);
    MPI_Request_free(&request);
  }
  report("busy elsewhere", digest, comm);
}

/* Cancelling does nothing, and even ranks free the request while odd ones still need what it sends. The
 * communicator may go before the request. */
static void try_freed(void) {
  enum { doubles = 60000 };
  static double from[2 * doubles], to[2][2 * doubles];
  const int odd_life = as_the_standard_says(), counts[2] = {1, 1};
  const MPI_Aint out_places[2] = {0, 0}, in_places[2] = {0, sizeof to[0]};
  for (int round = 0; round < 6; ++round) {
    MPI_Comm ring;
    MPI_Request request;
    MPI_Datatype type = make_type(round % 2, doubles);
    const MPI_Datatype types[2] = {type, type};
    const int periodic = 1;
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_alltoallw_init(from, counts, out_places, types, to, counts, in_places, types, ring,
                                MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 * doubles; ++i) from[i] = rank + i * round, to[0][i] = to[1][i] = -1;
    if (odd_life && round % 2) MPI_Comm_free(&ring);
    MPI_Start(&request);
    if (odd_life) MPI_Cancel(&request);
    const int early = odd_life && rank % 2 == 0;
    if (!early) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    for (size_t bytes = 1; bytes < sizeof to; bytes *= 2) { /* memory that was freed is used again */
      unsigned char* const other = malloc(bytes);
      memset(other, 0xAA, bytes);
      digest = digest_of(other + bytes - 1, 1, digest);
      free(other);
    }
    add(request == MPI_REQUEST_NULL);
    MPI_Barrier(comm);
    if (rank % 2) digest = digest_of(to, sizeof to, digest);
    if (!(odd_life && round % 2)) MPI_Comm_free(&ring);
    MPI_Type_free(&type);
  }
  report("freed", digest, comm);
}

/* More at once than anybody needs, freed in an order of each process. */
static void try_many(void) {
  enum { many = 1030 };
  static int from[many][2], to[many][2];
  static MPI_Request requests[many];
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < many; ++i)
      MPI_Neighbor_alltoall_init(from[i], 1, MPI_INT, to[i], 1, MPI_INT, comm, MPI_INFO_NULL, &requests[i]);
    for (int i = 0; i < many; ++i) from[i][0] = 2 * i + rank, from[i][1] = 3 * i - rank, to[i][0] = -1;
    for (int i = 0; i < many; ++i) MPI_Start(&requests[rank % 2 ? many - 1 - i : i]);
    MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
    digest = digest_of(to, sizeof to, digest);
    for (int i = 0; i < many; ++i) MPI_Request_free(&requests[(i * 7 + rank) % many]);
  }
  report("many", digest, comm);
}

/* What one process gets wrong is an error there, and nobody waits for it. */
static void try_wrong(void) {
  int class = 0, from[2] = {0, 0}, to[2];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int code = MPI_Neighbor_alltoall_init(from, rank == size - 1 ? -1 : 1, MPI_INT, to, 1, MPI_INT, comm,
                                        MPI_INFO_NULL, &request);
  MPI_Error_class(code, &class), add(class);
  if (code == MPI_SUCCESS) MPI_Request_free(&request);
  code =
      MPI_Neighbor_alltoall_init(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Error_class(code, &class), add(class);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  report("wrong", digest, comm);
}

int main(int argc, char** argv) {
  const int periodic = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  MPI_Comm_rank(comm, &rank);
  try_lists();
  try_inactive();
  try_busy();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < kinds; ++k) MPI_Request_free(&steps[i].requests[k]);
  try_freed();
  try_many();
  try_wrong();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
