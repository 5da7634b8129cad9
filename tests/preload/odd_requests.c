/* Requests whose life is unusual: no partner, cancelled, freed while under way, asked before they are
 * completed, too much for the place of a receive. */

#include "requests.h"

static const int doubles = 600;
static double out[room], in[room], other[room];

static void fill(int seed) {
  for (int i = 0; i < room; ++i) out[i] = rank * 1000 + i + seed, in[i] = other[i] = -1;
}

static void try_nobody(void) {
  MPI_Datatype type = make_type(0, doubles);
  MPI_Request requests[4];
  MPI_Status statuses[4];
  fill(1);
  MPI_Irecv(in, 1, type, MPI_PROC_NULL, 1, comm, &requests[0]);
  MPI_Isend(out, 1, type, MPI_PROC_NULL, 1, comm, &requests[1]);
  MPI_Recv_init(in, 1, type, MPI_PROC_NULL, 1, comm, &requests[2]);
  MPI_Irecv(in, 0, type, MPI_PROC_NULL, 1, comm, &requests[3]);
  MPI_Start(&requests[2]);
  MPI_Waitall(4, requests, statuses);
  add_status(&statuses[0], type), add_status(&statuses[2], type);
  MPI_Request_free(&requests[2]);
  digest = digest_of(in, sizeof in, digest);
  MPI_Request bad = MPI_REQUEST_NULL;
  int class = 0;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Isend(out, 1, type, size + 3, 0, comm, &bad), &class), add(class);
  MPI_Error_class(MPI_Irecv(in, -1, type, 0, 0, comm, &bad), &class), add(class);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&type);
  report("nobody", digest, comm);
}

/* Nobody ever sends. The same receive works afterwards. */
static void try_cancelled(void) {
  MPI_Datatype type = make_type(0, doubles);
  MPI_Request requests[2];
  MPI_Status statuses[2];
  fill(2);
  for (int persistent = 0; persistent < 2; ++persistent)
    for (int repeat = 0; repeat < 2; ++repeat) {
      if (persistent) {
        MPI_Recv_init(in, 1, type, rank, 77, comm, &requests[0]);
        MPI_Start(&requests[0]);
      } else {
        MPI_Irecv(in, 1, type, rank, 77, comm, &requests[0]);
      }
      MPI_Cancel(&requests[0]);
      MPI_Wait(&requests[0], &statuses[0]);
      int cancelled = 0;
      MPI_Test_cancelled(&statuses[0], &cancelled);
      add(cancelled);
      digest = digest_of(in, sizeof in, digest);
      if (!persistent) MPI_Irecv(in, 1, type, rank, 78, comm, &requests[0]);
      if (persistent) MPI_Start(&requests[0]);
      MPI_Isend(out, 1, type, rank, persistent ? 77 : 78, comm, &requests[1]);
      MPI_Waitall(2, requests, statuses);
      add_status(&statuses[0], type);
      digest = digest_of(in, sizeof in, digest);
      if (persistent) MPI_Request_free(&requests[0]);
      fill(3 + repeat);
    }
  MPI_Type_free(&type);
  report("cancelled", digest, comm);
}

/* The buffer belongs to MPI until the message has come; nobody tells when. */
static void try_freed(void) {
  static const int counts[] = {300, 600, 1400};
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < 3; ++i)
    for (int way = 0; way < 4; ++way) {
      MPI_Datatype type = make_type(0, counts[i]);
      MPI_Request sent, received;
      fill(10 * i + way);
      if (way == 3) { /* the receive as well */
        MPI_Irecv(in, 1, type, from, 1, comm, &received);
        MPI_Request_free(&received);
        add(received == MPI_REQUEST_NULL);
        MPI_Barrier(comm);
      }
      if (way == 0 || way == 3) MPI_Isend(out, 1, type, to, 1, comm, &sent);
      if (way == 1) MPI_Issend(out, 1, type, to, 1, comm, &sent);
      if (way == 2) MPI_Send_init(out, 1, type, to, 1, comm, &sent), MPI_Start(&sent);
      MPI_Request_free(&sent);
      add(sent == MPI_REQUEST_NULL);
      MPI_Barrier(comm);
      if (way < 3) MPI_Recv(in, 1, type, from, 1, comm, MPI_STATUS_IGNORE);
      if (way == 3) { /* the last number tells, as no program should rely on */
        volatile const double* const last = &in[2 * (counts[i] - 1)];
        const double begin = MPI_Wtime();
        while (*last == -1 && MPI_Wtime() - begin < 20) {
          int flag = 0;
          MPI_Request none = MPI_REQUEST_NULL;
          MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, MPI_STATUS_IGNORE);
          MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
        }
      }
      digest = digest_of(in, sizeof in, digest);
      MPI_Type_free(&type);
      MPI_Barrier(comm);
    }
  report("freed", digest, comm);
}

/* The data is there when MPI_Request_get_status says so, and comes once. */
static void try_asked(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int way = 0; way < 4; ++way) {
    MPI_Datatype type = make_type(1, doubles);
    MPI_Request requests[2];
    MPI_Status status;
    int flag = 0;
    fill(way);
    if (way % 2) MPI_Recv_init(in, 1, type, from, 1, comm, &requests[0]), MPI_Start(&requests[0]);
    if (!(way % 2)) MPI_Irecv(in, 1, type, from, 1, comm, &requests[0]);
    MPI_Isend(out, 1, type, to, 1, comm, &requests[1]);
    while (!flag) MPI_Request_get_status(requests[0], &flag, way < 2 ? &status : MPI_STATUS_IGNORE);
    if (way < 2) add_status(&status, type);
    digest = digest_of(in, sizeof in, digest);
    in[1] = in[4] = 1.5; /* places that the datatype has */
    MPI_Request_get_status(requests[0], &flag, &status);
    add_status(&status, type);
    MPI_Wait(&requests[0], &status);
    add_status(&status, type);
    add(in[1] == 1.5 && in[4] == 1.5);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    if (way % 2) MPI_Request_free(&requests[0]);
    MPI_Type_free(&type);
  }
  report("asked", digest, comm);
}

/* More than there is room for, beside two that are right: the classes of errors, and what came by the others.
 */
static void try_too_much(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int way = 0; way < 5; ++way) {
    MPI_Datatype type = make_type(0, doubles), less = make_type(0, doubles / 2);
    MPI_Request requests[3], sends[3];
    MPI_Status statuses[3], status;
    int index, outcount, indices[3], class, worst = 0, failures = 0;
    fill(way);
    MPI_Irecv(in, 1, type, from, 1, comm, &requests[0]);
    MPI_Irecv(out + room / 2, 1, less, from, 2, comm, &requests[1]);
    MPI_Irecv(other, 1, type, from, 3, comm, &requests[2]);
    for (int i = 0; i < 3; ++i) MPI_Isend(out, 1, type, to, 1 + i, comm, &sends[i]);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    for (int left = 3, calls = 0; left > 0 && calls < 1000000; ++calls) {
      int code = MPI_SUCCESS;
      if (way == 0) code = MPI_Waitall(3, requests, statuses);
      if (way == 1) code = MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
      if (way == 2) code = MPI_Waitany(3, requests, &index, &status);
      if (way == 3) code = MPI_Waitsome(3, requests, &outcount, indices, MPI_STATUSES_IGNORE);
      if (way == 4) code = MPI_Wait(&requests[left - 1], MPI_STATUS_IGNORE);
      MPI_Error_class(code, &class);
      if (class != MPI_SUCCESS) worst = class, ++failures;
      for (left = 3; left > 0 && requests[left - 1] == MPI_REQUEST_NULL;) --left;
    }
    add(worst == MPI_ERR_TRUNCATE), add(worst == MPI_ERR_IN_STATUS), add(failures);
    digest = digest_of(in, sizeof in, digest);
    digest = digest_of(other, sizeof other, digest);
    MPI_Type_free(&type), MPI_Type_free(&less);
    MPI_Barrier(comm);
  }
  report("too much", digest, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  try_nobody();
  try_cancelled();
  try_freed();
  try_asked();
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH asks that one in MPI_Waitall */
  try_too_much();
  /* Still under way when MPI ends. */
  MPI_Datatype type = make_type(0, doubles);
  MPI_Request request;
  MPI_Isend(out, 1, type, (rank + 1) % size, 5, comm, &request);
  MPI_Request_free(&request);
  MPI_Recv(in, 1, type, (rank + size - 1) % size, 5, comm, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
