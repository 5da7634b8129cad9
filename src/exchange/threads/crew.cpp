// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/threads/crew.hpp"

#include "base/fail.hpp"
#include "base/pause.hpp"
#include "plan/transport/sharing_choice.hpp"

#include <cstdint>
#include <thread>
#include <utility>

namespace halocline::exchange {
namespace {

/// What became of the parts of one piece of work.
class Parts {
 public:
  Parts(int parts, const WorkParts& work)
      : all_(parts == most_workers ? ~std::uint64_t{0} : (std::uint64_t{1} << parts) - 1), work_(work) {}

  /// For executors. Never throws.
  [[nodiscard]] WorkParts task() {
    return {[](void* parts, int part) { static_cast<Parts*>(parts)->one(part); }, this};
  }
  /// Whatever the executor did, until all parts are done.
  void finish(int parts) {
    const std::uint64_t others = claimed_.fetch_or(all_);
    for (int part = 0; part < parts; ++part)
      if ((others & bit(part)) == 0) work_(part);
    while ((ended_.load(std::memory_order_acquire) & others) != others) pause_briefly();
    for (int part = 0; part < parts; ++part)
      if ((failed_.load(std::memory_order_relaxed) & bit(part)) != 0) work_(part);  // throws again, here
    left_out_ = others != all_;
  }
  [[nodiscard]] bool left_out() const { return left_out_; }

 private:
  [[nodiscard]] static std::uint64_t bit(int part) { return std::uint64_t{1} << part; }

  void one(int part) {
    if (part < 0 || part >= most_workers || (all_ & bit(part)) == 0) return;
    if ((claimed_.fetch_or(bit(part)) & bit(part)) != 0) return;
    try {
      work_(part);
    } catch (...) {
      failed_.fetch_or(bit(part), std::memory_order_relaxed);
    }
    ended_.fetch_or(bit(part), std::memory_order_release);
  }

  const std::uint64_t all_;
  const WorkParts work_;
  std::atomic<std::uint64_t> claimed_ = 0, ended_ = 0, failed_ = 0;
  bool left_out_ = false;
};

void require_workers(const Workers& workers) {
  require(workers.width() >= 1, "an executor of ", workers.width(), " workers; it has at least one");
}

}  // namespace

void Load::add(Count bytes, Count runs) {
  works_.push_back(plan::copy_work(bytes, runs));
  total_ += works_.back();
}

void Crew::employ(const Workers& workers) {
  require_workers(workers);
  require_rest();
  usual_ = workers;
  anybodys_ = false;
}

void Crew::employ_library(ThreadPool& pool) {
  employ(pool);
  anybodys_ = true;
}

void Crew::lend(const Workers& workers) {
  require_workers(workers);
  require_rest();
  if (serves_ == Serves::its_call) (void)enter();
  lent_ = workers;
}

void Crew::give_back() {
  lent_.reset();
  if (serves_ == Serves::its_call) caller_.store({}, std::memory_order_relaxed);
}

void Crew::require_rest() const {
  require(!at_work(), "called from within the work of its own executor; it is under way in there");
}

void Crew::tell() {
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

const Workers* Crew::chosen_hands() const {
  if (serves_ == Serves::nobody) return nullptr;
  const Workers* workers = nullptr;
  if (in_call()) {
    if (failed_) return nullptr;
    workers = lent_ ? &*lent_ : &usual_;
  } else if (anybodys_) {
    workers = &usual_;
  }
  return workers != nullptr && workers->width() > 1 ? workers : nullptr;
}

int Crew::threads_for(Count work, const Workers& workers) {
  return plan::choose_threads(work, workers.width(), workers.least_bytes().value_or(plan::least_shared_work));
}

void Crew::run(const Workers& workers, int parts, const WorkParts& work) {
  Parts all(parts, work);
  std::exception_ptr failure;
  const bool told = in_call();  // otherwise they are the library's, and call nobody who could ask
  if (told) at_work_.store(true, std::memory_order_relaxed);
  try {
    workers.run(parts, all.task());
  } catch (...) {
    failure = std::current_exception();
  }
  if (told) at_work_.store(false, std::memory_order_relaxed);
  all.finish(parts);
  if (all.left_out() && !failure)
    failure = std::make_exception_ptr(Error(
        Fault::invalid_argument, concat("an executor did not run all of ", parts, " parts of its work")));
  // Not before the end: how work is cut depends on it.
  if (failure && told) failed_ = failure;
}

}  // namespace halocline::exchange
