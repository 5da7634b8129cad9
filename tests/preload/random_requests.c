/* A long random life of requests: messages of many datatypes and sizes, posted in any order by any call,
 * completed some time later by any call on any part of the list. Every rank draws the same messages and its
 * own order of completing them, so what is received does not depend on it, and neither does the digest. */

#include "requests.h"

enum { slots = 24, steps = 400, longest = 1400, space = 4 * longest };
typedef struct {
  int id, sender, receiver, kind, doubles, send_way, receive_way;
  double out[space], in[space];
  MPI_Datatype type;
  MPI_Request sent, received;
} Message;

static Message messages[slots];
static uint64_t common = 88172645463325252u, own;

static int draw(uint64_t* state, int below) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return (int)((*state >> 20) % (uint64_t)below);
}

static void post(Message* m, int id) {
  m->id = id;
  m->sender = draw(&common, size), m->receiver = draw(&common, size);
  m->kind = draw(&common, kinds), m->doubles = 4 + draw(&common, longest - 4);
  m->send_way = draw(&common, 4), m->receive_way = draw(&common, 3);
  const int count = m->kind == 2 ? m->doubles : 1, wanted = draw(&common, 2) ? count : 2 * count;
  m->sent = m->received = MPI_REQUEST_NULL;
  m->type = make_type(m->kind, m->doubles);
  for (int i = 0; i < space; ++i) m->out[i] = id * 1000.0 + i, m->in[i] = -1;
  const int from = m->receive_way == 2 ? MPI_ANY_SOURCE : m->sender;
  if (rank == m->receiver && m->receive_way == 1) {
    MPI_Recv_init(m->in, wanted, m->type, from, id, comm, &m->received);
    MPI_Start(&m->received);
  } else if (rank == m->receiver) {
    MPI_Irecv(m->in, wanted, m->type, from, id, comm, &m->received);
  }
  if (rank == m->sender && m->send_way < 2) {
    (m->send_way == 0 ? MPI_Isend : MPI_Issend)(m->out, count, m->type, m->receiver, id, comm, &m->sent);
  } else if (rank == m->sender) {
    (m->send_way == 2 ? MPI_Send_init : MPI_Ssend_init)(m->out, count, m->type, m->receiver, id, comm,
                                                        &m->sent);
    MPI_Start(&m->sent);
  }
  if (draw(&own, 2)) MPI_Type_free(&m->type);
}

/* Both requests are complete: persistent ones once more, then they go. */
static void take_in(Message* m) {
  for (int again = 0; again < 2; ++again) {
    uint64_t one = digest_of(m->in, sizeof m->in, (uint64_t)m->id);
    if (rank == m->receiver) digest += one;
    if (again || m->receive_way != 1 || m->send_way < 2) break;
    for (int i = 0; i < space; ++i) m->out[i] += 0.5;
    if (rank == m->receiver) MPI_Start(&m->received);
    if (rank == m->sender) MPI_Start(&m->sent);
    MPI_Request both[2] = {m->received, m->sent};
    MPI_Status statuses[2];
    complete(draw(&own, ways_to_complete), 2, both, statuses);
  }
  if (m->sent != MPI_REQUEST_NULL) MPI_Request_free(&m->sent);
  if (m->received != MPI_REQUEST_NULL) MPI_Request_free(&m->received);
  if (m->type != MPI_DATATYPE_NULL) MPI_Type_free(&m->type);
}

/* The requests of some messages, in one list, completed by one kind of call. */
static void complete_some(int first, int count) {
  MPI_Request list[2 * slots];
  MPI_Status statuses[2 * slots];
  for (int done = 0; done < count; done += 4) { /* lists as long as complete() takes */
    int length = 0;
    for (int i = done; i < count && i < done + 4; ++i)
      list[length++] = messages[first + i].received, list[length++] = messages[first + i].sent;
    complete(draw(&own, ways_to_complete), length, list, statuses);
    length = 0;
    for (int i = done; i < count && i < done + 4; ++i)
      messages[first + i].received = list[length++], messages[first + i].sent = list[length++];
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  own = 1442695040888963407u + (uint64_t)rank;
  for (int step = 0, id = 0; step < steps; ++step) {
    const int first = draw(&common, slots), count = 1 + draw(&common, slots - first);
    for (int i = 0; i < count; ++i) post(&messages[first + i], id++ % 30000);
    complete_some(first, count);
    for (int i = 0; i < count; ++i) take_in(&messages[first + i]);
    if (step % 100 == 99) report("random requests", digest, comm);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
