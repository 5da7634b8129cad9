// SPDX-License-Identifier: BSD-3-Clause
// What there is once for a process: it hangs on MPI_COMM_SELF, whose attributes MPI_Finalize takes away
// before it does anything else.

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "exchange/progress/progress.hpp"
#include "exchange/progress/progress_thread.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/threads.hpp"

#include <mutex>
#include <system_error>

namespace halocline::exchange {

std::shared_ptr<Progress> Progress::of_process() {
  using Cache = mpi::CommCache<std::shared_ptr<Progress>>;
  static std::mutex one_at_a_time;  // which may make the first one
  std::unique_lock<std::mutex> lock(one_at_a_time, std::defer_lock);
  if (mpi::several_threads()) lock.lock();
  auto kept = Cache::find(MPI_COMM_SELF);
  if (!kept) {
    kept = std::make_shared<std::shared_ptr<Progress>>(std::make_shared<Progress>());
    Cache::keep(MPI_COMM_SELF, kept);
  }
  return *kept;
}

void ProgressThread::begin() {
  using Cache = mpi::AttributeCache<mpi::CommAttributes, ProgressThread, mpi::Duplicates::have_none>;
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (Cache::find(MPI_COMM_SELF)) return;
  try {
    Cache::keep(MPI_COMM_SELF, std::make_shared<const ProgressThread>(Progress::of_process()->shared()));
  } catch (const std::system_error& error) {
    fail(Fault::out_of_memory, settings::progress.variable, "=thread: no thread can be had: ", error.what());
  }
}

}  // namespace halocline::exchange
