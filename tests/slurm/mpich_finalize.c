/* MPICH 4.0 over UCX does not always come back from MPI_Finalize on several nodes: who has closed its
   connections waits in a barrier of PMI and answers nobody, and who is still being connected to it waits for
   ever (github.com/pmodels/mpich/pull/6596). Loaded before it, this answers while it waits for PMI, and
   yields after every poll that found nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

typedef unsigned (*progress_function)(void* worker);
typedef void (*destroy_function)(void* worker);
typedef ssize_t (*read_function)(int, void*, size_t);

static void* worker_in_use;

unsigned ucp_worker_progress(void* worker);
void ucp_worker_destroy(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static progress_function next;
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  worker_in_use = worker;
  const unsigned events = next(worker);
  if (events == 0) sched_yield();
  return events;
}

void ucp_worker_destroy(void* worker) {
  destroy_function next;
  *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_destroy");
  worker_in_use = NULL;
  next(worker);
}

ssize_t read(int file, void* buffer, size_t bytes) {
  static read_function next;
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "read");
  const char* const pmi = getenv("PMI_FD");
  struct pollfd answer = {.fd = file, .events = POLLIN};
  while (worker_in_use && pmi && atoi(pmi) == file && poll(&answer, 1, 1) == 0)
    ucp_worker_progress(worker_in_use);
  return next(file, buffer, bytes);
}
