// SPDX-License-Identifier: BSD-3-Clause
// The C interface of operations under way: started, tested, waited for, freed.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/request_object.hpp"
#include "base/fail.hpp"
#include "halocline/base/error.hpp"

namespace halocline::api {
namespace {

[[noreturn]] void refuse_request(const std::string& why) { throw Error(Fault::mpi, why, MPI_ERR_REQUEST); }

MPI_Comm comm_of(const HCL_Request* request) {
  return request != nullptr && *request != HCL_REQUEST_NULL ? (*request)->comm.comm() : MPI_COMM_NULL;
}

HCL_Request_object& valid(const HCL_Request* request) {
  require_pointer(request, "request");
  if (*request == HCL_REQUEST_NULL) refuse_request("the request is HCL_REQUEST_NULL");
  return **request;
}

HCL_Request_object& startable(const HCL_Request* request) {
  HCL_Request_object& object = valid(request);
  if (!object.persistent) refuse_request("the request is not persistent; it was started when it was made");
  if (object.started) refuse_request("the request was started and is not complete yet; wait for it first");
  return object;
}

/// Reports a number of requests below 0, or a list that is not there.
int refuse_list(int count, const HCL_Request* requests,
                const char* function = __builtin_FUNCTION()) noexcept {
  return guarded(
      MPI_COMM_NULL,
      [&] {
        require(count >= 0, "a list of ", count, " requests");
        if (count > 0) require_pointer(requests, "requests");
      },
      function);
}

bool is_startable(HCL_Request request) {
  return request != HCL_REQUEST_NULL && request->persistent && !request->started;
}

void free_if_done(HCL_Request* request) {
  (*request)->started = false;
  if ((*request)->persistent) return;
  delete *request;
  *request = HCL_REQUEST_NULL;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Start(HCL_Request* request) {
  return guarded(comm_of(request), [&] {
    HCL_Request_object& object = startable(request);
    object.exchange->start();
    object.started = true;
  });
}

int HCL_Startall(int count, HCL_Request requests[]) {
  if (const int code = refuse_list(count, requests); code != MPI_SUCCESS) return code;
  int marked = 0;
  while (marked < count && is_startable(requests[marked])) requests[marked++]->started = true;
  if (marked < count) {  // one that is in the list twice has been marked when it comes again
    const int code = guarded(comm_of(requests + marked), [&] { (void)startable(requests + marked); });
    for (int i = 0; i < marked; ++i) requests[i]->started = false;
    return code;
  }
  for (int i = 0; i < count; ++i)
    if (const int code = guarded(comm_of(requests + i), [&] { requests[i]->exchange->start(); });
        code != MPI_SUCCESS)
      return code;
  return MPI_SUCCESS;
}

int HCL_Test(HCL_Request* request, int* flag) {
  return guarded(comm_of(request), [&] {
    require_pointer(request, "request");
    require_pointer(flag, "flag");
    *flag = 1;
    if (*request == HCL_REQUEST_NULL) return;
    *flag = (*request)->exchange->test() ? 1 : 0;
    if (*flag) free_if_done(request);
  });
}

int HCL_Wait(HCL_Request* request) {
  return guarded(comm_of(request), [&] {
    require_pointer(request, "request");
    if (*request == HCL_REQUEST_NULL) return;
    (*request)->exchange->wait();
    free_if_done(request);
  });
}

int HCL_Waitall(int count, HCL_Request requests[]) {
  const CalledAs called;
  if (const int code = refuse_list(count, requests); code != MPI_SUCCESS) return code;
  for (int i = 0; i < count; ++i)
    if (const int code = HCL_Wait(requests + i); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

int HCL_Request_schedule(HCL_Request request, int size, char* text, int* length) {
  return guarded(comm_of(&request), [&] {
    const std::string& schedule = valid(&request).exchange->schedule();
    require_text(size, text);
    write_text(schedule, size, text, length);
  });
}

int HCL_Request_free(HCL_Request* request) {
  return guarded(comm_of(request), [&] {
    if (valid(request).started) refuse_request("the request is under way; wait for it before it is freed");
    delete *request;
    *request = HCL_REQUEST_NULL;
  });
}
