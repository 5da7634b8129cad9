// SPDX-License-Identifier: BSD-3-Clause
// Threads of the program, lent to an exchange for the time of a call: they pack, copy and unpack what is
// large enough to be shared. They never call MPI.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"
#include "halocline/base/error.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace halocline {

/// Work in numbered parts, each to be called once, by whatever thread. Never throws. Good until the run()
/// that got it returns.
class WorkParts {
 public:
  using Function = void(void* argument, int number);
  WorkParts(Function* its_function, void* its_argument) : function_(its_function), argument_(its_argument) {}
  void operator()(int number) const { function_(argument_, number); }

  [[nodiscard]] Function* function() const { return function_; }
  [[nodiscard]] void* argument() const { return argument_; }

 private:
  Function* function_;
  void* argument_;
};

/// What runs parts of work side by side. width(): by how many threads, about. run(n, task) calls task(0) to
/// task(n - 1), each once, in any order, by any threads, and returns when all are done; also if it throws,
/// none of them runs any more. What was written before it each of them sees, and who called it what they
/// wrote.
///
/// least_bytes(), if it has one, is how much there must be for each thread that takes part; otherwise as much
/// as pays by measurement.
template <class E>
concept Executor = requires(E& executor, const WorkParts& task) {
  { executor.width() } -> std::convertible_to<int>;
  executor.run(1, task);
};

/// Any executor, by a pointer: good as long as that is.
class Workers {
 public:
  /// Calls task(argument, 0) to task(argument, tasks - 1), as an Executor does. What it throws is thrown by
  /// the call that the workers were lent to.
  using Run = void(void* context, int tasks, WorkParts::Function* task, void* argument);

  /// None but the thread that calls.
  Workers() = default;
  Workers(int its_width, Run* its_run, void* context, std::optional<Count> its_least_bytes = {})
      : width_(its_width), run_(its_run), context_(context), least_bytes_(its_least_bytes) {}
  template <class E>
  requires(Executor<std::remove_reference_t<E>> && !std::is_same_v<std::remove_cvref_t<E>, Workers>)
      Workers(E&& executor)  // NOLINT(google-explicit-constructor, bugprone-forwarding-reference-overload)
      : width_(executor.width()),
        run_([](void* context, int tasks, WorkParts::Function* task, void* argument) {
          static_cast<std::remove_reference_t<E>*>(context)->run(tasks, WorkParts(task, argument));
        }),
        // What was const is const again where it is called.
        context_(
            const_cast<void*>(static_cast<const void*>(std::addressof(executor)))) {  // NOLINT(*-const-cast)
    if constexpr (requires { executor.least_bytes(); }) least_bytes_ = executor.least_bytes();
  }

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] const std::optional<Count>& least_bytes() const { return least_bytes_; }
  /// Without a function of its own the thread that calls does all.
  void run(int tasks, const WorkParts& task) const {
    if (run_ != nullptr) return run_(context_, tasks, task.function(), task.argument());
    for (int number = 0; number < tasks; ++number) task(number);
  }

 private:
  int width_ = 1;
  Run* run_ = nullptr;
  void* context_ = nullptr;
  std::optional<Count> least_bytes_;
};

/// The thread that calls, alone.
struct Serial {
  [[nodiscard]] static int width() { return 1; }
  static void run(int tasks, const WorkParts& task) {
    for (int number = 0; number < tasks; ++number) task(number);
  }
};

/// Parts are never more: no memory keeps up with more threads.
inline constexpr int most_workers = 64;

/// By anything that is called as for_each(first, last, f) and calls f(*i) for each, in any order, as parallel
/// algorithms do:
///   hc::ForEach threads(8, [](auto first, auto last, auto f) {
///     std::for_each(std::execution::par, first, last, f); });
template <class Function>
class ForEach {
 public:
  ForEach(int its_width, Function for_each) : width_(its_width), for_each_(std::move(for_each)) {}
  [[nodiscard]] int width() const { return width_; }
  void run(int tasks, const WorkParts& task) {
    const int* const first = numbers().data();
    for_each_(first, first + tasks, [&task](int number) { task(number); });
  }

 private:
  [[nodiscard]] static const std::array<int, most_workers>& numbers() {
    static constexpr std::array<int, most_workers> all = [] {
      std::array<int, most_workers> values{};
      for (int number = 0; number < most_workers; ++number) values[static_cast<std::size_t>(number)] = number;
      return values;
    }();
    return all;
  }

  int width_;
  Function for_each_;
};

#ifdef _OPENMP
/// A parallel region of OpenMP for each piece of work. In a program that is inside of one already run()
/// throws Error{invalid_argument}: there all threads call together, see Team.
class OpenMP {
 public:
  explicit OpenMP(int threads = omp_get_max_threads()) : threads_(threads) {}
  [[nodiscard]] int width() const { return threads_; }
  void run(int tasks, const WorkParts& task) const {
    if (omp_in_parallel() != 0)
      throw Error(
          Fault::invalid_argument,
          "an executor of OpenMP inside a parallel region; let all its threads call together, by a Team");
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int number = 0; number < tasks; ++number) task(number);
  }

 private:
  int threads_;
};
#endif

}  // namespace halocline
