// SPDX-License-Identifier: BSD-3-Clause
// Threads that work together: those of a program that is inside a parallel region already, and a pool.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/exchange/executor.hpp"

#include <memory>
#include <optional>

namespace halocline {

/// Threads that call the same functions together, each with its number from 0 on, as those of a parallel
/// region:
///
///   hc::Team team(threads);
///   #pragma omp parallel num_threads(threads)
///   {
///     ...                                                 // all write own points
///     halo.exchange(team.member(omp_get_thread_num()));   // all see the halos then
///   }
///
/// Such a call begins when all have come to it, so that it needs no barrier before it, and returns when it is
/// done. Member 0 calls MPI, alone: where MPI was initialized with MPI_THREAD_FUNNELED it must be the thread
/// that did so. The others wait for work. What is thrown, all members throw. One that does not come lets the
/// others wait for ever.
class HALOCLINE_API Team {
 public:
  /// Throws Error{invalid_argument} for fewer than 1. For each that takes part there are so many bytes to
  /// copy at least; if that is not given, as many as pays by measurement.
  explicit Team(int threads, std::optional<Count> least_bytes = {});
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  /// @pre no member is in a call
  ~Team();

  [[nodiscard]] int threads() const;

  class Member {
   public:
    /// All members at once. Member 0 calls work(workers), the others are the workers.
    template <class Work>
    void together(const Work& work) const {
      const void* const argument = std::addressof(work);
      if (number_ != 0) return team_->serve(number_);
      team_->lead([](const void* its_work,
                     const Workers& workers) { (*static_cast<const Work*>(its_work))(workers); },
                  argument);
    }

   private:
    friend class Team;
    Member(Team& team, int number) : team_(&team), number_(number) {}
    Team* team_;
    int number_;
  };
  /// Throws Error{invalid_argument} if the team has no such number.
  [[nodiscard]] Member member(int number);

 private:
  struct State;
  using Work = void(const void* argument, const Workers& workers);
  void lead(Work* work, const void* argument);
  void serve(int number);

  std::unique_ptr<State> state_;
};

/// An executor: the thread that calls and others that wait for work meanwhile, first awake, then asleep. To
/// be used by one thread at a time; another one that comes meanwhile does its work alone. run() within its
/// own work throws Error{invalid_argument}.
class HALOCLINE_API ThreadPool {
 public:
  /// One thread less is made. Throws Error{invalid_argument} for fewer than 1, Error{out_of_memory} if the
  /// system has no more threads. The least is that of Team.
  explicit ThreadPool(int threads, std::optional<Count> least_bytes = {});
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// @pre it does not run
  ~ThreadPool();

  [[nodiscard]] int width() const;
  [[nodiscard]] const std::optional<Count>& least_bytes() const;
  void run(int tasks, const WorkParts& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halocline
