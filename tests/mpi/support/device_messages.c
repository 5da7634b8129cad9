/* Preloaded, it makes an MPI that knows nothing of GPUs take their addresses in the calls by which the
   library sends messages: what lies on a device goes through memory of the host, one copy before a send, one
   behind a receive. The copies are the driver's, so that a processor that touches the device itself is found
   out.

   It knows blocks of one run, as messages from devices are; the job ends with any other. Not for programs
   with threads. When MPI is finalized each process says how many messages began in memory of a device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the driver ---- */

enum { success = 0, of_device = 2, memory_type = 2, device_ordinal = 9, beside_default = 1 };

static int (*attributes)(unsigned count, const int* names, void** values, uint64_t address);
static int (*retain_context)(void** context, int device);
static int (*push_context)(void* context);
static int (*pop_context)(void** context);
static int (*create_stream)(void** stream, unsigned flags);
static int (*copy_async)(uint64_t to, uint64_t from, size_t bytes, void* stream);
static int (*synchronize)(void* stream);

static void end_job(const char* why) {
  fprintf(stderr, "device_messages: %s\n", why);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* Only one that the process has opened itself: before that it has no memory there. */
static int has_driver(void) {
  static int looked_up = 0;
  void* const driver = looked_up ? NULL : dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver != NULL) {
    *(void**)&attributes = dlsym(driver, "cuPointerGetAttributes");
    *(void**)&retain_context = dlsym(driver, "cuDevicePrimaryCtxRetain");
    *(void**)&push_context = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void**)&pop_context = dlsym(driver, "cuCtxPopCurrent_v2");
    *(void**)&create_stream = dlsym(driver, "cuStreamCreate");
    *(void**)&copy_async = dlsym(driver, "cuMemcpyAsync");
    *(void**)&synchronize = dlsym(driver, "cuStreamSynchronize");
    looked_up = 1;
  }
  return looked_up;
}

/* The number of the device that has the address; -1 if it is the host's. */
static int device_of(const void* address) {
  static const int names[] = {memory_type, device_ordinal};
  unsigned type = 0;
  int ordinal = 0;
  void* values[] = {&type, &ordinal};
  if (!has_driver() || attributes(2, names, values, (uintptr_t)address) != success || type != of_device)
    return -1;
  return ordinal;
}

static void copy(void* to, const void* from, size_t bytes, int device) {
  static void* context = NULL;
  static void* stream = NULL;
  void* before = NULL;
  if (context == NULL && retain_context(&context, device) != success) end_job("no context");
  int failed = push_context(context);
  if (stream == NULL) failed |= create_stream(&stream, beside_default);
  failed |= copy_async((uintptr_t)to, (uintptr_t)from, bytes, stream);
  failed |= synchronize(stream);
  failed |= pop_context(&before);
  if (failed) end_job("the driver does not copy");
}

/* ---- messages whose memory lies there ---- */

typedef struct Message {
  MPI_Request request;
  void* there;
  void* here;
  size_t bytes;
  int device, receives, persistent, active;
  struct Message* next;
} Message;

static Message* messages = NULL;
static long begun = 0;

static Message** find(MPI_Request request) {
  Message** at = &messages;
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  return at;
}

static void forget(Message** at) {
  Message* const gone = *at;
  *at = gone->next;
  free(gone->here);
  free(gone);
}

/* Null for memory of the host. */
static Message* staged(const void* buffer, int count, MPI_Datatype type, int receives, int persistent) {
  const int device = count > 0 ? device_of(buffer) : -1;
  if (device < 0) return NULL;
  MPI_Aint begin = 0, extent = 0, first = 0, span = 0;
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  PMPI_Type_get_extent(type, &begin, &extent);
  PMPI_Type_get_true_extent(type, &first, &span);
  if (begin != 0 || first != 0 || extent != bytes || span != bytes) end_job("a message of several runs");
  Message* const message = calloc(1, sizeof *message);
  message->there = (void*)(uintptr_t)buffer;
  message->bytes = (size_t)bytes * (size_t)count;
  message->here = malloc(message->bytes);
  message->device = device;
  message->receives = receives;
  message->persistent = persistent;
  return message;
}

static void keep(Message* message, MPI_Request request) {
  message->request = request;
  message->next = messages;
  messages = message;
}

/* A receive begins with what is there, so that a message that is shorter leaves the rest of it. */
static void begin(Message* message) {
  copy(message->here, message->there, message->bytes, message->device);
  message->active = 1;
  ++begun;
}

/* Of a request as it was before MPI was asked. */
static void complete(MPI_Request request) {
  Message** const at = find(request);
  Message* const message = *at;
  if (message == NULL || !message->active) return;
  message->active = 0;
  if (message->receives) copy(message->there, message->here, message->bytes, message->device);
  if (!message->persistent) forget(at);
}

static MPI_Request* copied(int count, const MPI_Request* requests) {
  MPI_Request* const before = malloc((size_t)(count > 0 ? count : 1) * sizeof *before);
  memcpy(before, requests, (size_t)count * sizeof *before);
  return before;
}

/* ---- MPI's functions: REAL is that of MPI itself ---- */

#define REAL(name) real_##name
#define LOOK_UP(name)                     \
  static __typeof__(&P##name) REAL(name); \
  if (REAL(name) == NULL) *(void**)&REAL(name) = dlsym(RTLD_NEXT, "P" #name)
/* Programs call one by the name MPI_, the library by PMPI_. */
#define ALSO(name) __typeof__(name) name __attribute__((alias("P" #name)))

#define BEGINS(name, pointer, receiving, lasting)                                                            \
  int P##name(pointer buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                \
              MPI_Request* request) {                                                                        \
    LOOK_UP(name);                                                                                           \
    Message* const message = peer == MPI_PROC_NULL ? NULL : staged(buffer, count, type, receiving, lasting); \
    if (message != NULL && !(lasting)) begin(message);                                                       \
    const int result =                                                                                       \
        REAL(name)(message != NULL ? message->here : buffer, count, type, peer, tag, comm, request);         \
    if (message != NULL) keep(message, *request);                                                            \
    return result;                                                                                           \
  }                                                                                                          \
  ALSO(name)

BEGINS(MPI_Isend, const void*, 0, 0);
BEGINS(MPI_Irecv, void*, 1, 0);
BEGINS(MPI_Send_init, const void*, 0, 1);
BEGINS(MPI_Recv_init, void*, 1, 1);

int PMPI_Start(MPI_Request* request) {
  LOOK_UP(MPI_Start);
  Message* const message = *find(*request);
  if (message != NULL) begin(message);
  return REAL(MPI_Start)(request);
}
ALSO(MPI_Start);

int PMPI_Startall(int count, MPI_Request requests[]) {
  LOOK_UP(MPI_Startall);
  for (int i = 0; i < count; ++i) {
    Message* const message = *find(requests[i]);
    if (message != NULL) begin(message);
  }
  return REAL(MPI_Startall)(count, requests);
}
ALSO(MPI_Startall);

int PMPI_Request_free(MPI_Request* request) {
  LOOK_UP(MPI_Request_free);
  Message** const at = find(*request);
  if (*at != NULL) {
    if ((*at)->active) end_job("a request is freed under way");
    forget(at);
  }
  return REAL(MPI_Request_free)(request);
}
ALSO(MPI_Request_free);

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  LOOK_UP(MPI_Wait);
  const MPI_Request before = *request;
  const int result = REAL(MPI_Wait)(request, status);
  complete(before);
  return result;
}
ALSO(MPI_Wait);

int PMPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  LOOK_UP(MPI_Test);
  const MPI_Request before = *request;
  const int result = REAL(MPI_Test)(request, done, status);
  if (*done) complete(before);
  return result;
}
ALSO(MPI_Test);

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  LOOK_UP(MPI_Waitall);
  MPI_Request* const before = copied(count, requests);
  const int result = REAL(MPI_Waitall)(count, requests, statuses);
  for (int i = 0; i < count; ++i) complete(before[i]);
  free(before);
  return result;
}
ALSO(MPI_Waitall);

int PMPI_Testall(int count, MPI_Request requests[], int* done, MPI_Status statuses[]) {
  LOOK_UP(MPI_Testall);
  MPI_Request* const before = copied(count, requests);
  const int result = REAL(MPI_Testall)(count, requests, done, statuses);
  for (int i = 0; *done && i < count; ++i) complete(before[i]);
  free(before);
  return result;
}
ALSO(MPI_Testall);

int PMPI_Waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  LOOK_UP(MPI_Waitany);
  MPI_Request* const before = copied(count, requests);
  const int result = REAL(MPI_Waitany)(count, requests, which, status);
  if (*which != MPI_UNDEFINED) complete(before[*which]);
  free(before);
  return result;
}
ALSO(MPI_Waitany);

int PMPI_Testany(int count, MPI_Request requests[], int* which, int* done, MPI_Status* status) {
  LOOK_UP(MPI_Testany);
  MPI_Request* const before = copied(count, requests);
  const int result = REAL(MPI_Testany)(count, requests, which, done, status);
  if (*done && *which != MPI_UNDEFINED) complete(before[*which]);
  free(before);
  return result;
}
ALSO(MPI_Testany);

#define COMPLETES_SOME(name)                                                                        \
  int P##name(int count, MPI_Request requests[], int* number, int which[], MPI_Status statuses[]) { \
    LOOK_UP(name);                                                                                  \
    MPI_Request* const before = copied(count, requests);                                            \
    const int result = REAL(name)(count, requests, number, which, statuses);                        \
    for (int i = 0; *number != MPI_UNDEFINED && i < *number; ++i) complete(before[which[i]]);       \
    free(before);                                                                                   \
    return result;                                                                                  \
  }                                                                                                 \
  ALSO(name)

COMPLETES_SOME(MPI_Waitsome);
COMPLETES_SOME(MPI_Testsome);

int PMPI_Finalize(void) {
  LOOK_UP(MPI_Finalize);
  fprintf(stderr, "device_messages: %ld messages from or to memory of a device\n", begun);
  return REAL(MPI_Finalize)();
}
ALSO(MPI_Finalize);
