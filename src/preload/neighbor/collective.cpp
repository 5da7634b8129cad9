// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/collective.hpp"

#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "preload/process/system.hpp"
#include "preload/process/under_way.hpp"

#include <algorithm>

namespace halocline::preload {
namespace {

std::vector<Collective*>& all_under_way() {
  static std::vector<Collective*> all;
  return all;
}

std::size_t how_many = 0;

/// MPI_SUCCESS, or the error that `work` ended with.
template <class Work>
int code_of_work(const Work& work) noexcept {
  try {
    return work();
  } catch (const Error& error) {
    return error.mpi_code() != 0 ? error.mpi_code() : MPI_ERR_INTERN;
  } catch (...) {
    return MPI_ERR_NO_MEM;
  }
}

#if defined(OPEN_MPI)

/// Open MPI calls registered functions whenever it makes progress, whatever the program waits for.
using RegisterCallback = int(int (*)());
RegisterCallback* registration() {
  static const auto function = reinterpret_cast<RegisterCallback*>(system_function("opal_progress_register"));
  return function;
}

int progress() {
  static bool inside = false;  // testing messages makes progress again
  std::vector<Collective*>& all = all_under_way();
  if (inside) return 1;  // or this process would yield there, and once more for the program's own call
  if (all.empty()) return 0;
  inside = true;
  const std::size_t before = all.size();
  std::erase_if(all, [](Collective* one) { return one->advance(); });
  inside = false;
  return to_int(before - all.size());
}

void add(Collective& collective) {
  static const bool registered = registration()(progress) == 0;
  if (!registered) throw Error(Fault::mpi, "no part in the progress of Open MPI", MPI_ERR_INTERN);
  all_under_way().push_back(&collective);
}

#else

void add(Collective& collective) {
  all_under_way().push_back(&collective);
  ours_under_way.fetch_add(1, std::memory_order_relaxed);
}

/// Returns the place of the next one.
std::vector<Collective*>::iterator leave(std::vector<Collective*>::iterator done) {
  ours_under_way.fetch_sub(1, std::memory_order_relaxed);
  return all_under_way().erase(done);
}

auto find(MPI_Request request) {
  return std::find_if(all_under_way().begin(), all_under_way().end(),
                      [&](const Collective* one) { return one->request() == request; });
}

#endif

}  // namespace

Collective::Collective(std::shared_ptr<StreamedComm> comm, Form form, Call call, CallBlocks blocks, int tag)
    : comm_(std::move(comm)),
      blocks_(std::move(blocks)),
      call_(comm_->streams(), blocks_.out(), blocks_.in(), comm_->options(form, call, tag)),
      complete_(form == Form::persistent) {
  if (form == Form::non_blocking) {
    blocks_.collect();
    comm_->start(call_);
    call_.copy_own();
  }
  ++how_many;
}

Collective::~Collective() { --how_many; }

bool Collective::any() noexcept { return how_many > 0; }

void Collective::restart() noexcept {
  code_ = code_of_work([&] {
    blocks_.collect();
    comm_->start(call_);
    return MPI_SUCCESS;
  });
  if (code_ != MPI_SUCCESS) return tell(code_);  // nothing to wait for
  complete_ = false;
  code_ = code_of_work([&] {
    call_.copy_own();
    return MPI_SUCCESS;
  });
}

bool Collective::advance(bool block) noexcept {
  if (complete_) return true;
  bool done = true;
  const int code = code_of_work([&] {
    if (block) call_.wait_for_message();
    done = block ? call_.complete() : call_.advance();
    return call_.code();
  });
  if (code_ == MPI_SUCCESS) code_ = code;
  if (!done) return false;
  complete_ = true;
  const int distributed = code_of_work([&] {
    blocks_.distribute();
    return MPI_SUCCESS;
  });
  tell(code_ == MPI_SUCCESS ? distributed : code_);
  return true;
}

void Collective::watch() {
  if (!advance()) add(*this);
}

#if defined(OPEN_MPI)

bool can_be_pending() { return registration() != nullptr; }
void advance_pending() noexcept {}
void finish_pending(MPI_Request /*request*/) noexcept {}
bool any_pending(int /*count*/, const MPI_Request* /*requests*/) noexcept { return false; }

#else

bool can_be_pending() { return true; }

void advance_pending() noexcept {
  for (auto one = all_under_way().begin(); one != all_under_way().end();)
    one = (*one)->advance() ? leave(one) : one + 1;
}

void finish_pending(MPI_Request request) noexcept {
  const auto found = find(request);
  if (found == all_under_way().end()) return;
  while (!(*found)->advance(true)) {
  }
  leave(found);
}

bool any_pending(int count, const MPI_Request* requests) noexcept {
  return count > 0 && std::any_of(requests, requests + count,
                                  [](MPI_Request request) { return find(request) != all_under_way().end(); });
}

#endif

}  // namespace halocline::preload
