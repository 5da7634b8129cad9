// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/persistent.hpp"

#include "mpi/handles/call.hpp"
#include "preload/neighbor/failures.hpp"
#include "preload/process/system.hpp"
#include "preload/process/tags.hpp"
#include "preload/process/under_way.hpp"

#include <unordered_map>

namespace halocline::preload {
namespace {

/// Where nothing is received.
char nothing[8];

/// What is still there when the program ends stays: nobody frees requests then.
std::unordered_map<MPI_Request, Persistent*>& all_persistent() {
  static std::unordered_map<MPI_Request, Persistent*> all;
  return all;
}

}  // namespace

Persistent::Persistent(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks, int number)
    : Collective(std::move(comm), Form::persistent, call, std::move(blocks), first_persistent_tag + number),
      number_(number) {}

MPI_Request Persistent::make(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks, int number) {
  std::unique_ptr<Persistent> made(new Persistent(std::move(comm), call, std::move(blocks), number));
  HALOCLINE_MPI(Recv_init, nothing, 0, MPI_BYTE, 0, number, made->comm()->own_comm(), &made->request_);
  all_persistent()[made->request_] = made.get();
  ours_under_way.fetch_add(1, std::memory_order_relaxed);
  return made.release()->request_;
}

Persistent* Persistent::find(MPI_Request request) noexcept {
  if (all_persistent().empty()) return nullptr;
  const auto found = all_persistent().find(request);
  return found == all_persistent().end() ? nullptr : found->second;
}

void Persistent::begin() noexcept {
  ++starts_;
  drop_failure(request_);
  restart();
  try {
    watch();
  } catch (...) {  // nobody else will move it
    while (!advance(true)) {
    }
  }
}

void Persistent::tell(int code) noexcept {
  if (code != MPI_SUCCESS && !is_freed_) add_failure(request_, code, comm());
  PMPI_Send(nothing, 0, MPI_BYTE, 0, number_, comm()->own_comm());
  if (!is_freed_) return;
  HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_free)(&request_);
  delete this;
}

bool Persistent::outlive_request() noexcept {
  if (!under_way()) return false;
  is_freed_ = true;
  all_persistent().erase(request_);
  ours_under_way.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void Persistent::forget(MPI_Request request) noexcept {
  const Persistent* const persistent = find(request);
  if (persistent == nullptr) return;
  all_persistent().erase(request);
  ours_under_way.fetch_sub(1, std::memory_order_relaxed);
  drop_failure(request);
  delete persistent;
}

}  // namespace halocline::preload
