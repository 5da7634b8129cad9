// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/threads/process_pool.hpp"

#include "mpi/handles/attribute_cache.hpp"

#include <map>
#include <mutex>

namespace halocline::exchange {
namespace {

struct Pools {
  std::mutex mutex;
  std::map<int, std::weak_ptr<ThreadPool>> of_width;
};

/// They hang on MPI_COMM_SELF.
std::shared_ptr<Pools> pools_of_process() {
  using Cache = mpi::CommCache<std::shared_ptr<Pools>>;
  static std::mutex one_at_a_time;  // which may make the first one
  const std::scoped_lock lock(one_at_a_time);
  auto kept = Cache::find(MPI_COMM_SELF);
  if (!kept) {
    kept = std::make_shared<std::shared_ptr<Pools>>(std::make_shared<Pools>());
    Cache::keep(MPI_COMM_SELF, kept);
  }
  return *kept;
}

}  // namespace

std::shared_ptr<ThreadPool> pool_of_process(int threads) {
  if (threads == 1) return nullptr;
  const std::shared_ptr<Pools> pools = pools_of_process();
  const std::scoped_lock lock(pools->mutex);
  std::weak_ptr<ThreadPool>& known = pools->of_width[threads];
  std::shared_ptr<ThreadPool> pool = known.lock();
  if (!pool) known = pool = std::make_shared<ThreadPool>(threads);
  return pool;
}

}  // namespace halocline::exchange
