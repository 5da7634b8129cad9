// SPDX-License-Identifier: BSD-3-Clause
// The persistent MPI requests of one exchange, tested all at once.
#pragma once

#include "exchange/progress/mpi_waiting.hpp"

#include <vector>

namespace halocline::exchange {

/// Owns its requests. Numbers of requests are given out by add_*() and stay.
class Requests {
 public:
  Requests() = default;
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  /// @pre none is active
  ~Requests();

  /// `count` elements of `type` to or from a rank of `comm`.
  std::size_t add_send(const void* buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm);
  std::size_t add_receive(void* buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm);

  /// Numbers are given out one after the other.
  [[nodiscard]] std::size_t count() const { return requests_.size(); }

  void start(std::size_t request);
  /// All from first on, end not included, in this order. @pre none is active
  void start(std::size_t first, std::size_t end);
  /// Is it not active, as far as poll() has seen?
  [[nodiscard]] bool done(std::size_t request) const { return !active_[request]; }
  /// None of them?
  [[nodiscard]] bool done(std::size_t first, std::size_t end) const;
  [[nodiscard]] bool any_active() const { return active_count_ > 0; }
  /// Asks MPI which active requests are complete. Makes progress in MPI.
  void poll() {
    if (active_count_ > 0) take(ask(requests_, completed_));
  }
  /// The same, but not before one is. @pre any_active()
  void wait() { take(await(requests_, completed_)); }
  /// The same for whoever has nothing to do before all are complete. @pre any_active()
  void wait_for_all();

 private:
  std::size_t add(MPI_Request request, bool sends);
  /// So many have completed, with their numbers at the front of completed_.
  void take(int completed);

  std::vector<MPI_Request> requests_;
  std::vector<char> sends_;
  std::vector<char> active_;
  std::vector<int> completed_;
  int active_count_ = 0;
};

}  // namespace halocline::exchange
