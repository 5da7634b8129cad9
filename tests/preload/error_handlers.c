/* Neighbourhood collectives that fail, in a program that goes on: blocks that are too long for those who have
 * set an error handler, on one process or on all, before the first exchange or after some. The error comes
 * from the call that completes the exchange, by the handler that its communicator has then; the one of
 * MPI_COMM_WORLD ends the program. Nothing is written beyond the end of a block. */

#include "persistent.h"
#include "report.h"

#include <string.h>

enum { ints = 20000, room = 500, guard = 60000, requests_in_list = 3, collective = 1, ways = 16 };

static int rank, size;
static MPI_Comm ring;
static MPI_Datatype gaps;
static MPI_Errhandler handlers[2];
static uint64_t digest = 14695981039346656037u;

/* What was seen of an error. */
typedef struct {
  int calls, class, status_class, handled[2], handled_class, handled_comm;
} Seen;
static Seen seen;

static void handle(int which, const MPI_Comm* comm, const int* code) {
  ++seen.handled[which];
  MPI_Error_class(*code, &seen.handled_class);
  seen.handled_comm = *comm == ring;
}
static void handle_first(MPI_Comm* comm, int* code, ...) { handle(0, comm, code); }
static void handle_second(MPI_Comm* comm, int* code, ...) { handle(1, comm, code); }

static void note_code(int code) {
  if (code == MPI_SUCCESS) return;
  ++seen.calls;
  MPI_Error_class(code, &seen.class);
}
static void note_status(int code, int index, const MPI_Status* status) {
  if (code == MPI_SUCCESS || status == MPI_STATUSES_IGNORE) return;
  int class;
  MPI_Error_class(status->MPI_ERROR, &class);
  if (index == collective) seen.status_class = class;
  if (index != collective && class != MPI_SUCCESS) seen.status_class = -1;
}

/* Whether exchanges with requests really fail in this run: not with those of the system, which raise their
 * errors elsewhere or nowhere. */
static int requests_fail;

static int tells_in_statuses(int way) { return way % 8 >= 4; }
static int ignores_statuses(int way) { return way >= 8; }

/* Completes a list by one of the calls that do so, the second half of them without statuses. */
static void complete(int way, MPI_Request* requests) {
  MPI_Status statuses[requests_in_list], status;
  MPI_Status* const one = ignores_statuses(way) ? MPI_STATUS_IGNORE : &status;
  MPI_Status* const all = ignores_statuses(way) ? MPI_STATUSES_IGNORE : statuses;
  int flag = 0, index = 0, some = 0, indices[requests_in_list], code = MPI_SUCCESS;
  for (int done = 0; done < requests_in_list;) {
    switch (way % 8) {
      case 0:
        note_code(MPI_Wait(&requests[done++], one));
        break;
      case 1:
        note_code(MPI_Test(&requests[done], &flag, one));
        done += flag;
        break;
      case 2:
        note_code(MPI_Waitany(requests_in_list, requests, &index, one));
        ++done;
        break;
      case 3:
        note_code(MPI_Testany(requests_in_list, requests, &index, &flag, one));
        done += flag;
        break;
      case 4:
      case 5:
        code = way % 8 == 4 ? MPI_Waitall(requests_in_list, requests, all)
                            : MPI_Testall(requests_in_list, requests, &flag, all);
        note_code(code);
        for (int i = 0; i < requests_in_list && all != MPI_STATUSES_IGNORE; ++i)
          note_status(code, i, &all[i]);
        if (way % 8 == 4 || flag || code != MPI_SUCCESS) done = requests_in_list;
        break;
      default:
        code = way % 8 == 6 ? MPI_Waitsome(requests_in_list, requests, &some, indices, all)
                            : MPI_Testsome(requests_in_list, requests, &some, indices, all);
        note_code(code);
        for (int i = 0; i < some && all != MPI_STATUSES_IGNORE; ++i) note_status(code, indices[i], &all[i]);
        done += some;
    }
  }
}

static int from[2 * ints], to[2][guard];

/* Blocks that are too long for this process, if it goes on after errors. */
typedef struct {
  int out_counts[2], in_counts[2];
  MPI_Aint out_places[2], in_places[2];
  MPI_Datatype out_types[2], in_types[2];
} Blocks;

static Blocks blocks(int lenient, int room_here) {
  const int in = lenient ? room_here : ints;
  const Blocks made = {{1, 1}, {in, in}, {0, 0}, {0, sizeof to[0]}, {gaps, gaps}, {MPI_INT, MPI_INT}};
  return made;
}

static void add_seen(int lenient, int room_here, int has_happened) {
  digest = digest_of(&seen, sizeof seen, digest);
  for (int side = 0; side < 2; ++side) {
    const size_t first = (size_t)(lenient ? room_here : 0);
    if (!has_happened) continue;
    for (size_t i = first; i < guard; ++i) {
      const int expected = lenient || i >= ints ? (int)0xEEEEEEEE : from[2 * i];
      if (to[side][i] == expected) continue;
      printf("rank %d, side %d: %d instead of %d at %zu\n", rank, side, to[side][i], expected, i);
      break;
    }
  }
}

/* What the standard says. */
static void expect(int lenient, int in_statuses, int status, int handler, int comm_is_there) {
  memset(&seen, 0, sizeof seen);
  if (!lenient) return;
  const Seen right = {1,
                      in_statuses ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE,
                      status ? MPI_ERR_TRUNCATE : 0,
                      {!handler, handler},
                      MPI_ERR_TRUNCATE,
                      comm_is_there};
  seen = right;
}

static void set_handler(int lenient, int which) {
  if (lenient) MPI_Comm_set_errhandler(ring, handlers[which]);
}

static void fill(int round) {
  for (int i = 0; i < 2 * ints; ++i) from[i] = 7 * i + round;
  memset(to, 0xEE, sizeof to);
  memset(&seen, 0, sizeof seen);
}

static void fail_blocking(int lenient, int room_here) {
  fill(room_here);
  Blocks b = blocks(lenient, room_here);
  set_handler(lenient, 1);
  if (as_the_standard_says())
    note_code(MPI_Neighbor_alltoallw(from, b.out_counts, b.out_places, b.out_types, to, b.in_counts,
                                     b.in_places, b.in_types, ring));
  else
    expect(lenient, 0, 0, 1, 1);
  add_seen(lenient, room_here, as_the_standard_says());
}

/* Among messages that are right. A persistent request is there already and has to be started. With `gone`,
 * the communicator is freed before the exchange is complete. */
static void fail_with_request(int lenient, int way, const MPI_Request* persistent, int room_here, int gone) {
  fill(way);
  set_handler(lenient, 0);
  const int handler = gone ? 0 : way % 2; /* another one while the exchange is under way */
  if (requests_fail) {
    Blocks b = blocks(lenient, room_here);
    int sent = way, received = -1;
    MPI_Request requests[requests_in_list];
    MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    if (persistent) requests[collective] = *persistent, MPI_Start(&requests[collective]);
    if (!persistent)
      MPI_Ineighbor_alltoallw(from, b.out_counts, b.out_places, b.out_types, to, b.in_counts, b.in_places,
                              b.in_types, ring, &requests[collective]);
    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[2]);
    if (gone) MPI_Comm_free(&ring);
    if (!gone) set_handler(lenient, handler);
    complete(way, requests);
    if (received != way) printf("rank %d: a message was lost\n", rank);
    if (gone && persistent) MPI_Request_free(&requests[collective]);
  } else {
    expect(lenient, tells_in_statuses(way), tells_in_statuses(way) && !ignores_statuses(way), handler, !gone);
    if (gone) MPI_Comm_free(&ring);
  }
  if (gone) seen.handled_comm = 0;
  add_seen(lenient, room_here, requests_fail);
}

/* One byte more than there is room for, in the smallest blocks that there are. */
static void fail_small(int lenient, int bytes) {
  const char out[4] = {1, 2, 3, 4};
  signed char in[4] = {-1, -1, -1, -1};
  memset(&seen, 0, sizeof seen);
  set_handler(lenient, 0);
  if (requests_fail) {
    MPI_Request request;
    const int out_counts[2] = {bytes + 1, bytes + 1}, places[2] = {0, 2};
    const int in_counts[2] = {bytes + !lenient, bytes + !lenient};
    MPI_Ineighbor_alltoallv(out, out_counts, places, MPI_CHAR, in, in_counts, places, MPI_CHAR, ring,
                            &request);
    note_code(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (lenient && (in[bytes] != -1 || in[2 + bytes] != -1)) printf("rank %d: written too far\n", rank);
  } else {
    expect(lenient, 0, 0, 0, 1);
  }
  digest = digest_of(&seen, sizeof seen, digest);
}

static void exchange_some(void) {
  int out[2] = {rank, 1}, in[2] = {-1, -1};
  for (int i = 0; i < 4; ++i) MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
  MPI_Request request;
  MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  digest = digest_of(in, sizeof in, digest);
}

static void prepare(int lenient, int room_here, MPI_Request* request) {
  if (!requests_fail) return;
  Blocks b = blocks(lenient, room_here);
  MPI_Neighbor_alltoallw_init(from, b.out_counts, b.out_places, b.out_types, to, b.in_counts, b.in_places,
                              b.in_types, ring, MPI_INFO_NULL, request);
}

static void try_handlers(int lenient, int early) {
  const int periodic = 1, rooms[] = {room, 2, 1, 0};
  requests_fail = as_the_standard_says();
  for (int gone = 0; gone < 3; ++gone) {
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    if (early) set_handler(lenient, 0);
    exchange_some();
    MPI_Request request = MPI_REQUEST_NULL;
    prepare(lenient, room, &request); /* later it is started by a process that goes on after errors */
    if (gone) {
      fail_with_request(lenient, 4 * gone, gone == 1 ? &request : NULL, room, 1);
      if (gone == 2 && request != MPI_REQUEST_NULL) MPI_Request_free(&request);
      continue;
    }
    for (int i = 0; i < 4; ++i) fail_blocking(lenient, rooms[i]);
    for (int way = 0; way < ways; ++way) {
      fail_with_request(lenient, way, NULL, rooms[way % 4], 0);
      fail_with_request(lenient, way, &request, room, 0);
    }
    fail_small(lenient, 0);
    fail_small(lenient, 1);
    exchange_some();
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    MPI_Comm_free(&ring);
  }
  report(early ? "handlers before the first exchange" : "handlers after some", digest, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(ints, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Comm_create_errhandler(handle_first, &handlers[0]);
  MPI_Comm_create_errhandler(handle_second, &handlers[1]);
  for (int early = 0; early < 2; ++early) {
    try_handlers(rank == size - 1, early);
    try_handlers(1, early);
  }
  MPI_Errhandler_free(&handlers[0]);
  MPI_Errhandler_free(&handlers[1]);
  MPI_Type_free(&gaps);
  MPI_Finalize();
  return 0;
}
