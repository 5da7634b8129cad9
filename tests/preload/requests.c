/* Requests of messages whose datatypes have gaps: every pair of sending and receiving calls, completed by
 * every call that MPI has, among requests of named datatypes, null and inactive ones. What is received, the
 * bytes around it, statuses and handles afterwards must not depend on who packs. */

#include "requests.h"

enum { ways_to_send = 5, ways_to_receive = 3 };
static const int doubles = 600;

/* A list as programs have it: some entries need no waiting. */
enum { nothing, coming, plain_coming, inactive, going, plain_going, shorter_coming, shorter_going, entries };

typedef struct {
  double in[room], shorter[room], out[room];
  int plain_in[50], plain_out[50];
  MPI_Request requests[entries];
  MPI_Status statuses[entries];
} Step;

static int is_persistent_send(int way) { return way == 2 || way == 3; }

static MPI_Request send_by(int way, const double* data, int count, MPI_Datatype type, int to, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (way) {
    case 0:
      MPI_Isend(data, count, type, to, tag, comm, &request);
      break;
    case 1:
      MPI_Issend(data, count, type, to, tag, comm, &request);
      break;
    case 2:
      MPI_Send_init(data, count, type, to, tag, comm, &request);
      MPI_Start(&request);
      break;
    case 3:
      MPI_Ssend_init(data, count, type, to, tag, comm, &request);
      MPI_Startall(1, &request);
      break;
    default:
      MPI_Send(data, count, type, to, tag, comm);
  }
  return request;
}

static MPI_Request receive_by(int way, double* data, int count, MPI_Datatype type, int from, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (way == 0) MPI_Irecv(data, count, type, from, tag, comm, &request);
  if (way == 1) {
    MPI_Recv_init(data, count, type, from, tag, comm, &request);
    MPI_Start(&request);
  }
  return request;
}

static void exchange(Step* s, int send_way, int receive_way, int how, int tag, MPI_Datatype type, int scale) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < room; ++i) s->out[i] = rank * 100000 + tag * 100 + i, s->in[i] = s->shorter[i] = -1;
  for (int i = 0; i < 50; ++i) s->plain_out[i] = rank + i * tag, s->plain_in[i] = -1;
  memset(s->statuses, 0, sizeof s->statuses);
  for (int i = 0; i < entries; ++i) s->requests[i] = MPI_REQUEST_NULL;
  s->requests[coming] = receive_by(receive_way, s->in, scale, type, from, tag);
  s->requests[shorter_coming] =
      receive_by(receive_way % 2, s->shorter, 2 * scale, type, how % 3 ? from : MPI_ANY_SOURCE, tag + 1);
  MPI_Irecv(s->plain_in, 50, MPI_INT, from, tag + 2, comm, &s->requests[plain_coming]);
  MPI_Recv_init(s->in, scale, type, from, tag, comm, &s->requests[inactive]);
  s->requests[going] = send_by(send_way, s->out, scale, type, to, tag);
  s->requests[shorter_going] = send_by(send_way, s->out + 3, scale, type, to, tag + 1);
  MPI_Isend(s->plain_out, 50, MPI_INT, to, tag + 2, comm, &s->requests[plain_going]);
  if (receive_way == 2) MPI_Recv(s->in, scale, type, from, tag, comm, &s->statuses[coming]);
  const MPI_Status received = s->statuses[coming];

  complete(how, entries, s->requests, s->statuses);
  if (receive_way == 2) s->statuses[coming] = received;
  digest = digest_of(s->in, sizeof s->in, digest);
  digest = digest_of(s->shorter, sizeof s->shorter, digest);
  digest = digest_of(s->plain_in, sizeof s->plain_in, digest);
  if (!ignores_statuses(how)) {
    add_status(&s->statuses[coming], type);
    add_status(&s->statuses[shorter_coming], type);
    add_status(&s->statuses[plain_coming], MPI_INT);
  }
  for (int i = 0; i < entries; ++i) {
    const int stays = i == inactive || ((i == going || i == shorter_going) && is_persistent_send(send_way)) ||
                      (i == coming && receive_way == 1) || (i == shorter_coming && receive_way % 2 == 1);
    if ((s->requests[i] != MPI_REQUEST_NULL) != stays) printf("handle %d is wrong after %d\n", i, how);
    if (s->requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&s->requests[i]);
  }
}

static void try_pairs(void) {
  static Step step;
  for (int kind = 0; kind < kinds; ++kind) {
    MPI_Datatype type = make_type(kind, doubles);
    int tag = 0;
    for (int send_way = 0; send_way < ways_to_send; ++send_way)
      for (int receive_way = 0; receive_way < ways_to_receive; ++receive_way) {
        if (send_way == 4 && receive_way == 2) continue; /* both wait */
        for (int how = 0; how < ways_to_complete; ++how, tag += 3)
          exchange(&step, send_way, receive_way, how, tag, type, kind == 2 ? doubles : 1);
      }
    MPI_Type_free(&type);
  }
  report("pairs", digest, comm);
}

/* Persistent requests, started again with other data; their datatype is freed long before. */
static void try_restarts(void) {
  static double out[room], in[room];
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Datatype type = make_type(0, doubles);
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int token_in = 0, token_out;
  MPI_Recv_init(in, 1, type, from, 1, comm, &requests[0]);
  MPI_Send_init(out, 1, type, to, 1, comm, &requests[1]);
  MPI_Recv_init(&token_in, 1, MPI_INT, from, 2, comm, &requests[2]);
  MPI_Type_free(&type);
  for (int how = 0; how < 2 * ways_to_complete; ++how) {
    for (int i = 0; i < room; ++i) out[i] = rank + how * 1000 + i, in[i] = -1;
    token_out = how;
    MPI_Startall(3, requests);
    MPI_Send(&token_out, 1, MPI_INT, to, 2, comm);
    complete(how % ways_to_complete, 3, requests, statuses);
    digest = digest_of(in, sizeof in, digest);
    in[0] = 7; /* must stay: nothing is under way */
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    add((int)in[0]), add(token_in);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
  report("restarts", digest, comm);
}

/* Many under way at once, started in one order and completed in another; more than is packed at a time. */
static void try_many(void) {
  enum { many = 40, held = 70 };
  static double out[many][room], in[many][room];
  static double* large;
  MPI_Datatype type = make_type(1, doubles), huge = make_type(0, 1 << 17);
  MPI_Request requests[2 * many], held_requests[held];
  large = calloc((size_t)1 << 18, sizeof(double));
  for (int i = 0; i < held; ++i) MPI_Recv_init(large, 1, huge, rank, 1000 + i, comm, &held_requests[i]);
  for (int i = 0; i < many; ++i) {
    for (int j = 0; j < room; ++j) out[i][j] = i * 10000 + j + rank, in[i][j] = -1;
    MPI_Irecv(in[i], 1, type, (rank + size - 1) % size, i, comm, &requests[many - 1 - i]);
  }
  for (int i = many - 1; i >= 0; --i)
    MPI_Isend(out[i], 1, type, (rank + 1) % size, i, comm, &requests[many + i]);
  MPI_Type_free(&type);
  MPI_Waitall(2 * many, requests, MPI_STATUSES_IGNORE);
  digest = digest_of(in, sizeof in, digest);
  for (int i = 0; i < held; ++i) MPI_Request_free(&held_requests[i]);
  for (int i = 0; i < 1 << 18; ++i) large[i] = i % 2 ? -1 : i;
  MPI_Irecv(large + 1, 1, huge, rank, 1, comm, &requests[0]);
  MPI_Isend(large, 1, huge, rank, 1, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  digest = digest_of(large, sizeof(double) << 18, digest);
  MPI_Type_free(&huge);
  free(large);
  report("many", digest, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  try_pairs();
  try_restarts();
  try_many();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
