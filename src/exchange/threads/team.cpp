// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/exchange/team.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/inside.hpp"
#include "base/signals_blocked.hpp"
#include "exchange/threads/job_board.hpp"

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace halocline {
namespace {

int at_least_one(int threads, const char* what) {
  require(threads >= 1, what, " of ", threads, " threads; it has at least one");
  return threads;
}

}  // namespace

struct HALOCLINE_INSIDE Team::State {
  State(int threads, std::optional<Count> its_least_bytes)
      : board(threads), inside(to_index(threads)), least_bytes(its_least_bytes) {}
  exchange::JobBoard board;
  std::vector<std::atomic<bool>> inside;  ///< Of each member: is it in a call?
  std::optional<Count> least_bytes;
};

namespace {

/// One call of a member.
class Call {
 public:
  Call(std::atomic<bool>& inside, int number) : inside_(inside) {
    require(!inside_.exchange(true, std::memory_order_relaxed), "member ", number,
            " of a team is in a call of it already; each thread has a number of its own, and what a team "
            "does has "
            "no calls of the team inside");
  }
  ~Call() { inside_.store(false, std::memory_order_relaxed); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  std::atomic<bool>& inside_;
};

}  // namespace

Team::Team(int threads, std::optional<Count> least_bytes)
    : state_(std::make_unique<State>(at_least_one(threads, "a team"), least_bytes)) {}
Team::~Team() = default;

int Team::threads() const { return state_->board.threads(); }

Team::Member Team::member(int number) {
  require(number >= 0 && number < threads(), "member ", number, " of a team of ", threads(),
          " threads; they are numbered from 0 to ", threads() - 1);
  return {*this, number};
}

void Team::lead(Work* work, const void* argument) {
  const Call call(state_->inside.front(), 0);
  exchange::JobBoard& board = state_->board;
  board.gather();
  const auto run = [](void* context, int tasks, WorkParts::Function* task, void* task_argument) {
    static_cast<exchange::JobBoard*>(context)->run(tasks, WorkParts(task, task_argument));
  };
  try {
    work(argument, Workers(threads(), run, &board, state_->least_bytes));
  } catch (...) {
    board.dismiss(std::current_exception());
    throw;
  }
  board.dismiss();
}

void Team::serve(int number) {
  const Call call(state_->inside[to_index(number)], number);
  state_->board.serve(number);
}

struct HALOCLINE_INSIDE ThreadPool::State {
  State(int threads, std::optional<Count> its_least_bytes) : board(threads), least_bytes(its_least_bytes) {}
  ~State() {
    if (others.empty()) return;
    board.dismiss();
    for (std::thread& other : others) other.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  exchange::JobBoard board;
  std::optional<Count> least_bytes;
  std::vector<std::thread> others;
  std::atomic<bool> busy = false;
  std::atomic<std::thread::id> leader{};  ///< While it is busy.
};

ThreadPool::ThreadPool(int threads, std::optional<Count> least_bytes) {
  (void)at_least_one(threads, "a pool");
  // As many as there are: the board waits for all that it was made for.
  std::vector<std::thread> others;
  auto state = std::make_unique<State>(threads, least_bytes);
  exchange::JobBoard& board = state->board;
  std::atomic<int> decided = 0;  // 1: serve, 2: go home
  const SignalsBlocked blocked;
  try {
    for (int number = 1; number < threads; ++number)
      others.emplace_back([&decided, &board, number] {
        exchange::await_change(decided, 0);
        if (decided.load(std::memory_order_acquire) == 1) board.serve(number);
      });
  } catch (const std::system_error& error) {
    decided.store(2, std::memory_order_release);
    decided.notify_all();
    for (std::thread& other : others) other.join();
    fail(Fault::out_of_memory, "a pool of ", threads, " threads: the system has no more than ",
         others.size() + 1, " (", error.what(), ")");
  }
  state->others = std::move(others);
  state_ = std::move(state);
  decided.store(1, std::memory_order_release);
  decided.notify_all();
  board.gather();  // they have seen what is gone then
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::width() const { return state_->board.threads(); }

const std::optional<Count>& ThreadPool::least_bytes() const { return state_->least_bytes; }

void ThreadPool::run(int tasks, const WorkParts& task) {
  State& state = *state_;
  const std::thread::id me = std::this_thread::get_id();
  bool nested = state.leader.load(std::memory_order_relaxed) == me;
  for (const std::thread& other : state.others) nested = nested || other.get_id() == me;
  require(!nested, "a pool of threads within its own work; a part of work has nobody to share it with");
  if (state.busy.exchange(true, std::memory_order_acquire)) {
    for (int number = 0; number < tasks; ++number) task(number);
    return;
  }
  state.leader.store(me, std::memory_order_relaxed);
  state.board.run(tasks, task);
  state.leader.store({}, std::memory_order_relaxed);
  state.busy.store(false, std::memory_order_release);
}

}  // namespace halocline
