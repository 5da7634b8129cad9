/* MPICH's UCX device polls without ever giving its core away. Loaded before it, this yields after every poll
   that found nothing, so that more ranks than cores make progress. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*progress_function)(void* worker);

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static progress_function next;
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = next(worker);
  if (events == 0) sched_yield();
  return events;
}
