/* A program that knows nothing of Halocline: a message of a derived datatype to and fro between ranks 0 and
 * 1, by MPI_Send and MPI_Recv, by MPI_Sendrecv, and two each way by MPI_Isend and MPI_Irecv and by persistent
 * requests. Prints "name microseconds" for each: the median over repetitions. Datatypes: single doubles,
 * blocks of 2, 3, 4, 8 and 64 doubles with as much space between them, and doubles at irregular places.
 * Arguments are those that are wanted, all of them if there are none. */

#include "measure.h"

#include <string.h>

enum { most_doubles = 1 << 17 };

typedef struct {
  double* field;
  MPI_Datatype type;
  MPI_Request persistent[4];
} Message;

static MPI_Datatype blocks(int doubles, int length) {
  MPI_Datatype type;
  MPI_Type_vector(doubles / length, length, 2 * length, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static int is_wanted(const char* kind, int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(kind, argv[i]) == 0) return 1;
  return argc < 2;
}

static MPI_Datatype irregular(int doubles) {
  MPI_Datatype type;
  int* const places = malloc(sizeof(int) * (size_t)doubles);
  for (int i = 0; i < doubles; ++i) places[i] = 2 * i + (i * 7 % 5 == 0);
  MPI_Type_create_indexed_block(doubles, 1, places, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  free(places);
  return type;
}

static void to_and_fro(void* data) {
  Message* const m = data;
  if (rank == 0) {
    MPI_Send(m->field, 1, m->type, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(m->field, 1, m->type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(m->field, 1, m->type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(m->field, 1, m->type, 0, 0, MPI_COMM_WORLD);
  }
}

static void both_ways(void* data) {
  Message* const m = data;
  if (rank > 1) return;
  MPI_Sendrecv(m->field, 1, m->type, 1 - rank, 0, m->field + 2 * most_doubles, 1, m->type, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* As the halo of a process between two others. */
static void by_requests(void* data) {
  Message* const m = data;
  MPI_Request requests[4];
  if (rank > 1) return;
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(m->field + 2 * most_doubles + i, 1, m->type, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 2; ++i)
    MPI_Isend(m->field + i, 1, m->type, 1 - rank, i, MPI_COMM_WORLD, &requests[2 + i]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void by_persistent(void* data) {
  Message* const m = data;
  if (rank > 1) return;
  MPI_Startall(4, m->persistent);
  MPI_Waitall(4, m->persistent, MPI_STATUSES_IGNORE);
}

static void measure_persistent(const char* name, Message* m, int times) {
  for (int i = 0; i < 2 && rank < 2; ++i) {
    MPI_Recv_init(m->field + 2 * most_doubles + i, 1, m->type, 1 - rank, i, MPI_COMM_WORLD,
                  &m->persistent[i]);
    MPI_Send_init(m->field + i, 1, m->type, 1 - rank, i, MPI_COMM_WORLD, &m->persistent[2 + i]);
  }
  measure(name, by_persistent, m, times);
  for (int i = 0; i < 4 && rank < 2; ++i) MPI_Request_free(&m->persistent[i]);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (size < 2) {
    fprintf(stderr, "point_to_point needs 2 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  static const char* const kinds[] = {"1_double",  "2_doubles",  "3_doubles", "4_doubles",
                                      "8_doubles", "64_doubles", "irregular"};
  enum { regular = 6 };
  Message message = {.field = calloc(4 * most_doubles + 2, sizeof(double)), .type = MPI_DATATYPE_NULL};
  for (int kind = 0; kind <= regular; ++kind)
    for (int doubles = 64; doubles <= most_doubles && is_wanted(kinds[kind], argc, argv); doubles *= 8) {
      static const int lengths[] = {1, 2, 3, 4, 8, 64};
      char name[96];
      message.type = kind < regular ? blocks(doubles, lengths[kind]) : irregular(doubles);
      const int times = doubles > 10000 ? 4 : 40;
      snprintf(name, sizeof name, "MPI_Send,%s,%d_B", kinds[kind], doubles * 8);
      measure(name, to_and_fro, &message, times);
      snprintf(name, sizeof name, "MPI_Sendrecv,%s,%d_B", kinds[kind], doubles * 8);
      measure(name, both_ways, &message, times);
      snprintf(name, sizeof name, "MPI_Isend,%s,%d_B", kinds[kind], doubles * 8);
      measure(name, by_requests, &message, times);
      snprintf(name, sizeof name, "MPI_Send_init,%s,%d_B", kinds[kind], doubles * 8);
      measure_persistent(name, &message, times);
      MPI_Type_free(&message.type);
    }
  free(message.field);
  MPI_Finalize();
  return 0;
}
