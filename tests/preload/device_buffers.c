/* Buffers on a GPU, which the host plays, in every call that packs: messages, requests, MPI_Pack,
 * neighbourhood collectives. Without TESTS_ON_DEVICE all lies on the host, and every byte must be the same.
 */

#include "faces.h"
#include "gaps.h"
#include "persistent.h"

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxPushCurrent_v2(void* context);
int cuMemAlloc_v2(uint64_t* memory, size_t bytes);
int cuMemFree_v2(uint64_t memory);
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void* stream);
int cuStreamSynchronize(void* stream);

enum { doubles = 1200, room = 4 * doubles * (int)sizeof(double) };
static int on_device;

/* Memory of the device, or of the host. */
static unsigned char* allocate(int here, size_t bytes) {
  uint64_t memory = 0;
  if (!here || !on_device) return malloc(bytes);
  if (cuMemAlloc_v2(&memory, bytes) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return (unsigned char*)(uintptr_t)memory;
}
static void release(int here, unsigned char* memory) {
  if (here && on_device)
    cuMemFree_v2((uintptr_t)memory);
  else
    free(memory);
}
static void copy(void* to, const void* from, size_t bytes) {
  cuMemcpyAsync((uintptr_t)to, (uintptr_t)from, bytes, NULL);
  cuStreamSynchronize(NULL);
}

typedef struct {
  int here;
  unsigned char* memory;
} Buffer;

static Buffer filled(int here, int round) {
  Buffer buffer = {here, allocate(here, room)};
  unsigned char* const pattern = malloc(room);
  fill_pattern(pattern, room, rank, round);
  copy(buffer.memory, pattern, room);
  free(pattern);
  return buffer;
}
static void refill(Buffer buffer, int round) {
  unsigned char* const pattern = malloc(room);
  fill_pattern(pattern, room, rank, round);
  copy(buffer.memory, pattern, room);
  free(pattern);
}
static void add_bytes(Buffer buffer) {
  unsigned char* const seen = malloc(room);
  copy(seen, buffer.memory, room);
  digest = digest_of(seen, room, digest);
  free(seen);
}
static void done(Buffer buffer) {
  add_bytes(buffer);
  release(buffer.here, buffer.memory);
}

/* Of a kind of gaps.h, by as many elements as fill it. */
static int count_of(int kind) { return kind == 2 ? doubles : 1; }

static void messages(int kind, int sender_here, int receiver_here) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size, count = count_of(kind);
  MPI_Datatype type = make_type(kind, doubles);
  Buffer out = filled(sender_here, 1), in = filled(receiver_here, 2);
  MPI_Status status;
  MPI_Sendrecv(out.memory, count, type, next, 1, in.memory, count, type, before, 1, comm, &status);
  add_status(&status, type);
  add_bytes(in);

  MPI_Request requests[2];
  MPI_Status statuses[2];
  refill(in, 3);
  MPI_Irecv(in.memory, count, type, before, 2, comm, &requests[0]);
  MPI_Isend(out.memory, count, type, next, 2, comm, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  add_status(&statuses[0], type);
  add_bytes(in);

  MPI_Recv_init(in.memory, count, type, before, 3, comm, &requests[0]);
  MPI_Send_init(out.memory, count, type, next, 3, comm, &requests[1]);
  for (int round = 4; round < 7; ++round) {
    refill(out, round);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    add_bytes(in);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  refill(in, 8); /* from itself, by blocking calls */
  MPI_Irecv(in.memory, count, type, rank, 4, comm, &requests[0]);
  MPI_Send(out.memory, count, type, rank, 4, comm);
  MPI_Wait(&requests[0], &status);
  add_status(&status, type);
  add_bytes(in);
  refill(in, 9);
  MPI_Isend(out.memory, count, type, next, 5, comm, &requests[1]);
  MPI_Recv(in.memory, count, type, before, 5, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  done(in);
  done(out);
  MPI_Type_free(&type);
}

/* Fewer elements than there is room for: the rest stays. */
static void short_messages(int receiver_here) {
  MPI_Datatype type = make_type(2, doubles);
  Buffer out = filled(1, 1), in = filled(receiver_here, 2);
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(in.memory, doubles, type, rank, 6, comm, &request);
  MPI_Send(out.memory, doubles / 3, type, rank, 6, comm);
  MPI_Wait(&request, &status);
  add_status(&status, type);
  done(in);
  done(out);
  MPI_Type_free(&type);
}

static void pack(int kind, int data_here, int packed_here) {
  const int count = count_of(kind);
  MPI_Datatype type = make_type(kind, doubles);
  Buffer data = filled(data_here, 1), packed = filled(packed_here, 2), back = filled(data_here, 3);
  int position = 7, bytes = 0;
  MPI_Pack(data.memory, count, type, packed.memory, room, &position, comm);
  add(position);
  bytes = position;
  position = 7;
  MPI_Unpack(packed.memory, bytes, &position, back.memory, count, type, comm);
  add(position);
  position = 3;
  MPI_Pack(data.memory + 8, 100, MPI_DOUBLE, packed.memory, room, &position, comm); /* of one run */
  add(position);
  done(data);
  done(packed);
  done(back);
  MPI_Type_free(&type);
}

/* An address that begins before the memory, of a type whose data lies in it. */
static void moved_types(void) {
  MPI_Datatype vector, moved;
  const int one = 1;
  const MPI_Aint later = 4096;
  MPI_Type_vector(doubles, 1, 2, MPI_DOUBLE, &vector);
  MPI_Type_create_struct(1, &one, &later, &vector, &moved);
  MPI_Type_commit(&moved);
  Buffer out = filled(1, 1), in = filled(1, 2);
  MPI_Sendrecv(out.memory - 4096, 1, moved, rank, 7, in.memory - 4096, 1, moved, rank, 7, comm,
               MPI_STATUS_IGNORE);
  done(out);
  done(in);
  MPI_Type_free(&moved);
  MPI_Type_free(&vector);
}

static void neighbours(int here) {
  enum { n = 6 };
  int dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1};
  MPI_Comm cart;
  MPI_Request request;
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(comm, 3, dims, periods, 0, &cart);
  Faces faces = faces_of(n);
  Buffer field = filled(here, 1);
  for (int round = 2; round < 5; ++round) {
    refill(field, round);
    exchange_faces(&faces, (double*)field.memory, cart);
    add_bytes(field);
    refill(field, round + 10);
    begin_faces(&faces, (double*)field.memory, cart, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    add_bytes(field);
  }
  MPI_Neighbor_alltoallw_init((double*)field.memory, faces.counts, faces.offsets, faces.out, field.memory,
                              faces.counts, faces.offsets, faces.in, cart, MPI_INFO_NULL, &request);
  for (int round = 5; round < 8; ++round) {
    refill(field, round);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    add_bytes(field);
  }
  MPI_Request_free(&request);
  Buffer in = filled(here, 9); /* blocks without gaps */
  MPI_Neighbor_alltoall(field.memory, 40, MPI_DOUBLE, in.memory, 40, MPI_DOUBLE, cart);
  add_bytes(in);
  MPI_Neighbor_allgather(field.memory, 25, MPI_INT, in.memory, 25, MPI_INT, cart);
  done(in);
  done(field);
  free_faces(&faces);
  MPI_Comm_free(&cart);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  on_device = getenv("TESTS_ON_DEVICE") != NULL;
  void* context = NULL;
  if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxPushCurrent_v2(context) != 0)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (int errors_return = 0; errors_return < 2; ++errors_return) {
    MPI_Comm_set_errhandler(comm, errors_return ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
    for (int kind = 0; kind < 5; ++kind)
      for (int here = 0; here < 4; ++here) messages(kind, here & 1, here >> 1);
    for (int here = 0; here < 2; ++here) short_messages(here);
  }
  report("messages", digest, comm);
  for (int kind = 0; kind < 5; ++kind)
    for (int here = 0; here < 4; ++here) pack(kind, here & 1, here >> 1);
  moved_types();
  report("packs", digest, comm);
  for (int here = 0; here < 2; ++here) neighbours(here);
  report("neighbours", digest, comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
