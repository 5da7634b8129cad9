/* Non-blocking neighbourhood collectives among requests of other kinds: one list for all, completed by every
 * call that MPI has; blocks of every shape; and processes that do something else, in MPI and outside, while
 * others need what they have sent. */

#include "persistent.h"
#include "report.h"

#include <string.h>

enum { words = 3000, kinds = 4 };
typedef struct {
  int send[2][words], receive[2][words], message[words], token;
  MPI_Request requests[kinds];
} Step;

static void begin(Step* s, int step, MPI_Comm ring, int rank, int size) {
  memset(s->receive, 0xEE, sizeof s->receive);
  for (int i = 0; i < words; ++i) {
    s->send[0][i] = rank * 100000 + step * 1000 + i;
    s->send[1][i] = -s->send[0][i];
  }
  memset(s->message, 0xEE, sizeof s->message);
  MPI_Irecv(s->message, words, MPI_INT, (rank + 1) % size, step, ring, &s->requests[0]);
  MPI_Ineighbor_alltoall(s->send, words, MPI_INT, s->receive, words, MPI_INT, ring, &s->requests[1]);
  MPI_Isend(s->send[0], words, MPI_INT, (rank + size - 1) % size, step, ring, &s->requests[2]);
  s->token = step;
  MPI_Ibcast(&s->token, 1, MPI_INT, 0, ring, &s->requests[3]);
}

static void complete(Step* s, int way) {
  MPI_Status statuses[kinds], status;
  int indices[kinds], index, flag = 0, done = 0, some;
  switch (way % 7) {
    case 0:
      MPI_Waitall(kinds, s->requests, statuses);
      break;
    case 1:
      for (int i = 0; i < kinds; ++i) MPI_Waitany(kinds, s->requests, &index, &status);
      break;
    case 2:
      while (done < kinds) {
        MPI_Waitsome(kinds, s->requests, &some, indices, statuses);
        done += some;
      }
      break;
    case 3:
      while (done < kinds) {
        MPI_Testsome(kinds, s->requests, &some, indices, MPI_STATUSES_IGNORE);
        done += some;
      }
      break;
    case 4:
      while (!flag) MPI_Testall(kinds, s->requests, &flag, statuses);
      break;
    case 5:
      while (done < kinds) {
        MPI_Testany(kinds, s->requests, &index, &flag, &status);
        if (flag) ++done;
      }
      break;
    default:
      for (int i = 0; i < kinds; ++i) {
        for (flag = 0; !flag;) MPI_Request_get_status(s->requests[i], &flag, &status);
        MPI_Wait(&s->requests[i], MPI_STATUS_IGNORE);
      }
  }
  for (int i = 0; i < kinds; ++i)
    if (s->requests[i] != MPI_REQUEST_NULL) printf("request %d was not set to null\n", i);
}

/* Blocks of long runs on one side and of single numbers on the other; datatypes that are freed while they are
 * needed. */
static uint64_t try_long_runs(MPI_Comm ring, int rank, uint64_t digest) {
  enum { numbers = 1 << 14, run = 256, forms = 3, rounds = 3 }; /* blocking, non-blocking, persistent */
  static int from[2][2 * numbers], to[2][2 * numbers];
  for (int form = 0; form < forms; ++form)
    for (int kind = 0; kind < 4; ++kind) { /* of what is sent and of what is received */
      MPI_Datatype types[2];
      MPI_Request request = MPI_REQUEST_NULL;
      for (int side = 0; side < 2; ++side) {
        const int length = (kind >> side & 1) == rank % 2 ? run : 1;
        MPI_Type_vector(numbers / length, length, 2 * length, MPI_INT, &types[side]);
        MPI_Type_commit(&types[side]);
      }
      const int counts[2] = {1, 1};
      const MPI_Aint places[2] = {0, sizeof from[0]};
      const MPI_Datatype out[2] = {types[0], types[0]}, in[2] = {types[1], types[1]};
      if (form == 2)
        MPI_Neighbor_alltoallw_init(from, counts, places, out, to, counts, places, in, ring, MPI_INFO_NULL,
                                    &request);
      const int free_early = form == 1 || (form == 2 && as_the_standard_says());
      for (int round = 0; round < (form == 2 ? rounds : 1); ++round) {
        for (int side = 0; side < 2; ++side)
          for (int i = 0; i < 2 * numbers; ++i)
            from[side][i] = rank * 1000003 + round * 7919 + (2 * i + side);
        memset(to, 0xEE, sizeof to);
        if (form == 0) MPI_Neighbor_alltoallw(from, counts, places, out, to, counts, places, in, ring);
        if (form == 1)
          MPI_Ineighbor_alltoallw(from, counts, places, out, to, counts, places, in, ring, &request);
        if (free_early && round == 0)
          for (int side = 0; side < 2; ++side) MPI_Type_free(&types[side]);
        if (form == 2) MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        digest = digest_of(to, sizeof to, digest);
      }
      if (form == 2) MPI_Request_free(&request);
      if (!free_early)
        for (int side = 0; side < 2; ++side) MPI_Type_free(&types[side]);
    }
  return digest;
}

int main(int argc, char** argv) {
  int size, rank, periodic = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm ring;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  static Step steps[3];
  uint64_t digest = 14695981039346656037u;

  for (int i = 0; i < 4; ++i) /* blocking ones first: links are made for communicators that are used */
    MPI_Neighbor_alltoall(steps[0].send, words, MPI_INT, steps[0].receive, words, MPI_INT, ring);

  for (int way = 0; way < 14; ++way) { /* up to three under way at once, completed in another order */
    for (int i = 0; i < 3; ++i) begin(&steps[i], 3 * way + i, ring, rank, size);
    complete(&steps[1], way);
    complete(&steps[0], way + 1);
    complete(&steps[2], way + 2);
    for (int i = 0; i < 3; ++i) {
      digest = digest_of(steps[i].receive, sizeof steps[i].receive, digest);
      digest = digest_of(steps[i].message, sizeof steps[i].message, digest);
    }
  }
  report("mixed requests", digest, ring);

  /* Even ranks have started and wait for a message; odd ones send it only when their collective is complete.
   */
  for (int round = 0; round < 4; ++round) {
    static int big[2][60000], got[2][60000];
    const int count = round % 2 ? 60000 : 10;
    for (int i = 0; i < count; ++i) big[0][i] = big[1][i] = rank + i * round;
    memset(got, 0, sizeof got);
    MPI_Request request;
    MPI_Ineighbor_alltoall(big, count, MPI_INT, got, count, MPI_INT, ring, &request);
    if (size % 2 == 0 && rank % 2 == 0) {
      int token;
      MPI_Recv(&token, 1, MPI_INT, rank + 1, 77, ring, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (size % 2 == 0) MPI_Send(&rank, 1, MPI_INT, rank - 1, 77, ring);
    }
    digest = digest_of(got, sizeof got, digest);
  }
  report("busy elsewhere", digest, ring);

  /* Even ranks are in a blocking collective already when odd ones still need what they have sent before. */
  for (int round = 0; round < 4; ++round) {
    enum { many = 1 << 17 };
    static double big[2][many], got[2][many];
    int few[2] = {rank, round}, few_got[2];
    MPI_Request request = MPI_REQUEST_NULL;
    const int even = size % 2 == 0 && rank % 2 == 0;
    for (int i = 0; i < many; ++i) big[0][i] = big[1][i] = rank + i * round;
    memset(got, 0, sizeof got);
    if (round % 2 == 0)
      MPI_Ineighbor_alltoall(big, many, MPI_DOUBLE, got, many, MPI_DOUBLE, ring, &request);
    else if (even)
      MPI_Isend(big, 2 * many, MPI_DOUBLE, rank + 1, 78, ring, &request);
    else if (size % 2 == 0)
      MPI_Recv(got, 2 * many, MPI_DOUBLE, rank - 1, 78, ring, MPI_STATUS_IGNORE);
    if (!even) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoall(few, 1, MPI_INT, few_got, 1, MPI_INT, ring);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    digest = digest_of(got, sizeof got, digest);
    digest = digest_of(few_got, sizeof few_got, digest);
  }
  report("busy in a collective", digest, ring);

  digest = try_long_runs(ring, rank, digest);
  report("long runs", digest, ring);

  /* More than there is room for, in a program that goes on: nothing is written beyond the end. */
  MPI_Comm lenient;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH asks that one in MPI_Wait */
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &lenient);
  MPI_Comm_set_errhandler(lenient, MPI_ERRORS_RETURN);
  for (int i = 0; i < 4; ++i)
    MPI_Neighbor_alltoall(steps[0].send, 1, MPI_INT, steps[0].receive, 1, MPI_INT, lenient);
  for (int form = 0; form < 3; ++form) { /* blocking, non-blocking, persistent */
    enum { pairs = 1000 };
    static int from[4 * pairs], to[2][4 * pairs];
    MPI_Datatype gaps;
    MPI_Request request = MPI_REQUEST_NULL;
    memset(to, 0xEE, sizeof to);
    MPI_Type_vector(pairs, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    const int fewer = rank % 2 ? pairs / 2 : pairs;
    const int out_counts[2] = {1, 1}, in_counts[2] = {fewer, fewer};
    const MPI_Aint out_places[2] = {0, 0}, in_places[2] = {0, sizeof to[0]};
    const MPI_Datatype out_types[2] = {gaps, gaps}, in_types[2] = {MPI_INT, MPI_INT};
    int class = 0;
    int code = MPI_SUCCESS;
    if (form == 0)
      code = MPI_Neighbor_alltoallw(from, out_counts, out_places, out_types, to, in_counts, in_places,
                                    in_types, lenient);
    if (form == 1)
      MPI_Ineighbor_alltoallw(from, out_counts, out_places, out_types, to, in_counts, in_places, in_types,
                              lenient, &request);
    if (form == 2) {
      MPI_Neighbor_alltoallw_init(from, out_counts, out_places, out_types, to, in_counts, in_places, in_types,
                                  lenient, MPI_INFO_NULL, &request);
      MPI_Start(&request);
    }
    if (form > 0) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == 2) MPI_Request_free(&request);
    MPI_Error_class(code, &class);
    for (int side = 0; side < 2; ++side)
      digest = digest_of(to[side] + fewer, sizeof to[side] - sizeof(int) * (size_t)fewer, digest);
    if (form == 2 && !as_the_standard_says()) class = rank % 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (rank % 2 == 0 || form == 2) digest = digest_of(&class, sizeof class, digest);
    MPI_Type_free(&gaps);
  }
  MPI_Comm_free(&lenient);
  report("too much", digest, ring);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
