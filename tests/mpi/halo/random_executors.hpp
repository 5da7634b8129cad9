// Executors of all kinds, of 1 to 4 threads, which share the smallest pieces of work.
#pragma once

#include "halo/random_fields.hpp"
#include "halocline/exchange/team.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace halocline {

/// New threads for every piece of work; each takes what is left.
class NewThreads {
 public:
  explicit NewThreads(int threads) : threads_(threads) {}
  [[nodiscard]] int width() const { return threads_; }
  [[nodiscard]] static Count least_bytes() { return 1; }
  void run(int tasks, const WorkParts& task) const {
    std::atomic<int> next = 0;
    const auto work = [&] {
      for (int part = next++; part < tasks; part = next++) task(part);
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads_; ++thread) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
  }

 private:
  int threads_;
};

/// The thread that calls, beginning with the last part.
struct Backwards {
  int parts;
  [[nodiscard]] int width() const { return parts; }
  [[nodiscard]] static Count least_bytes() { return 1; }
  static void run(int tasks, const WorkParts& task) {
    for (int part = tasks; part-- > 0;) task(part);
  }
};

/// A pool of so many threads for the whole test.
inline ThreadPool& eager_pool(int threads) {
  static std::array<std::unique_ptr<ThreadPool>, 5> pools;
  std::unique_ptr<ThreadPool>& pool = pools[static_cast<std::size_t>(threads)];
  if (!pool) pool = std::make_unique<ThreadPool>(threads, 1);
  return *pool;
}

/// call(number) by so many threads at once, of which the one that calls is number 0; what that throws.
template <class Call>
void together(int threads, const Call& call) {
  std::vector<std::thread> others;
  for (int number = 1; number < threads; ++number)
    others.emplace_back([&call, number] {
      try {
        call(number);
      } catch (const std::exception&) {  // the first one tells
        return;
      }
    });
  std::exception_ptr failure;
  try {
    call(0);
  } catch (...) {
    failure = std::current_exception();
  }
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

/// call(workers) with threads of some kind.
template <class Call>
void with_some_threads(Random& random, const Call& call) {
  const int threads = static_cast<int>(random_in(random, 1, 4));
  switch (random_in(random, 0, 5)) {
    case 0:
      return call(Workers());
    case 1:
      return call(eager_pool(threads));
    case 2:
      return call(NewThreads(threads));
    case 3:
      return call(Backwards{static_cast<int>(random_in(random, 1, 70))});
    case 4:
      return call(ForEach(threads, [](auto first, auto last, auto f) { std::for_each(first, last, f); }));
    default: {
      Team team(threads, 1);
      return together(threads, [&](int number) { team.member(number).together(call); });
    }
  }
}

}  // namespace halocline
