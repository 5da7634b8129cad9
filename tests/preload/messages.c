/* Messages of datatypes with gaps, by the calls that are taken over and by all others, in every pairing: what
 * is received, the bytes around it, sources, tags, counts and elements in statuses, probes, messages with
 * fewer elements than there is room for and with more, nobody as a partner, the own process as one. */

#include "gaps.h"

enum { most = 3000, room = 2 * most + 8, ways = 7 };

static void send_by(int way, const double* data, int count, MPI_Datatype type, int to, int tag) {
  MPI_Request request;
  switch (way) {
    case 0:
      MPI_Send(data, count, type, to, tag, comm);
      return;
    case 1:
      MPI_Ssend(data, count, type, to, tag, comm);
      return;
    case 2:
      MPI_Isend(data, count, type, to, tag, comm, &request);
      break;
    case 3:
      MPI_Issend(data, count, type, to, tag, comm, &request);
      break;
    case 4:
      MPI_Send_init(data, count, type, to, tag, comm, &request);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Request_free(&request);
      return;
    case 5: { /* packed by the program */
      int bytes, position = 0;
      MPI_Pack_size(count, type, comm, &bytes);
      void* const packed = malloc((size_t)bytes + 1);
      MPI_Pack(data, count, type, packed, bytes, &position, comm);
      MPI_Send(packed, position, MPI_PACKED, to, tag, comm);
      free(packed);
      return;
    }
    default:
      MPI_Sendrecv(data, count, type, to, tag, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
      return;
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_by(int way, double* data, int count, MPI_Datatype type, int from, int tag) {
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  memset(&status, 0, sizeof status);
  switch (way) {
    case 0:
      MPI_Recv(data, count, type, from, tag, comm, &status);
      break;
    case 1:
      MPI_Recv(data, count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      break;
    case 2:
      MPI_Recv(data, count, type, from, tag, comm, MPI_STATUS_IGNORE);
      return;
    case 3:
      MPI_Irecv(data, count, type, from, tag, comm, &request);
      MPI_Wait(&request, &status);
      break;
    case 4:
      MPI_Probe(from, tag, comm, &status);
      add_status(&status, type);
      MPI_Recv(data, count, type, from, tag, comm, &status);
      break;
    case 5:
      MPI_Mprobe(from, tag, comm, &message, &status);
      MPI_Mrecv(data, count, type, &message, &status);
      break;
    default:
      MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, data, count, type, from, tag, comm, &status);
  }
  add_status(&status, type);
}

/* From even ranks to the next, in every way. */
static void try_pair(int kind, int doubles, int sent, int wanted) {
  static double out[room], in[room];
  const MPI_Datatype type = make_type(kind, doubles);
  const int scale = kind == 2 ? doubles : 1;
  for (int way = 0; way < ways * ways; ++way) {
    for (int i = 0; i < room; ++i) out[i] = rank * 1000 + i + way, in[i] = -1;
    const int to = rank + 1, from = rank - 1;
    if (rank % 2 == 0 && to < size) send_by(way / ways, out, sent * scale, type, to, way);
    if (rank % 2 == 1) receive_by(way % ways, in, wanted * scale, type, from, way);
    digest = digest_of(in, sizeof in, digest);
  }
  MPI_Datatype done = type;
  MPI_Type_free(&done);
}

/* More than there is room for, by all calls that pack: the class of the error, and nothing beyond the end.
 * The receiver goes on after errors, with and without a sender that does. */
static void try_too_much(int doubles, int senders_handler) {
  static double out[room], in[room];
  MPI_Datatype type = make_type(0, doubles), less = make_type(0, doubles / 2);
  for (int i = 0; i < room; ++i) out[i] = i + 1;
  if (rank == 1 || senders_handler) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int way = 0; way < ways; ++way)
    for (int form = 0; form < 6; ++form) {
      const int with_gaps = form < 2, contiguous_sender = form >= 4;
      if (way == 5 && !with_gaps) continue; /* no gaps on either side: Open MPI's own error */
      int class = 0;
      if (rank == 0 && size > 1 && contiguous_sender) send_by(way, out, doubles, MPI_DOUBLE, 1, form);
      if (rank == 0 && size > 1 && !contiguous_sender) send_by(way, out, 1, type, 1, form);
      if (rank != 1) continue;
      for (int i = 0; i < room; ++i) in[i] = -1;
      const MPI_Datatype wanted = with_gaps || contiguous_sender ? less : MPI_DOUBLE;
      const int count = wanted == less ? 1 : doubles / 2;
      int code;
      if (form % 2) {
        MPI_Request request;
        MPI_Irecv(in, count, wanted, 0, form, comm, &request);
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else {
        code = MPI_Recv(in, count, wanted, 0, form, comm, MPI_STATUS_IGNORE);
      }
      MPI_Error_class(code, &class);
      add(class == MPI_ERR_TRUNCATE);
      const int end = wanted == less ? doubles - 1 : doubles / 2;
      digest = digest_of(in + end, sizeof in - (size_t)end * sizeof(double), digest);
    }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&type), MPI_Type_free(&less);
}

static void try_odd_partners(void) {
  static double out[room], in[room];
  MPI_Datatype type = make_type(0, 1000), wrong;
  MPI_Status status;
  for (int i = 0; i < room; ++i) out[i] = i, in[i] = -1;
  memset(&status, 0, sizeof status);
  MPI_Send(out, 1, type, MPI_PROC_NULL, 3, comm);
  MPI_Recv(in, 1, type, MPI_PROC_NULL, 3, comm, &status);
  add_status(&status, type);
  MPI_Sendrecv(out, 1, type, rank, 5, in, 1, type, rank, 5, comm, &status); /* itself */
  add_status(&status, type);
  digest = digest_of(in, sizeof in, digest);
  MPI_Sendrecv(out, 1, type, (rank + 1) % size, 6, in, 1000, MPI_DOUBLE, (rank + size - 1) % size, 6, comm,
               &status); /* a ring, from gaps to none */
  add_status(&status, MPI_DOUBLE);
  digest = digest_of(in, sizeof in, digest);
  int class = 0;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Send(out, 1, type, size + 3, 0, comm), &class), add(class);
  MPI_Error_class(MPI_Send(out, -1, type, 0, 0, comm), &class), add(class);
  MPI_Type_vector(1000, 1, 2, MPI_DOUBLE, &wrong); /* not committed */
  MPI_Error_class(MPI_Send(out, 1, wrong, MPI_PROC_NULL, 0, comm), &class), add(class);
  MPI_Type_free(&wrong);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int kind = 0; kind < 5; ++kind)
    for (int doubles = 40; doubles <= most / 2; doubles *= 6) {
      try_pair(kind, doubles, 1, 1);
      if (kind == 0 || kind == 2) try_pair(kind, doubles, 1, 2); /* half of what there is room for */
    }
  report("messages", digest, comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH asks that one in MPI_Wait */
  for (int doubles = 400; doubles <= most / 2; doubles += 1000)
    for (int both = 0; both < 2; ++both) try_too_much(doubles, both);
  report("too much", digest, comm);
  try_odd_partners();
  report("odd partners", digest, comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
