// SPDX-License-Identifier: BSD-3-Clause
// About what an exchange on a node takes at least: only its copies, and a barrier at the end. None of them
// asks whether a sender is ready, so that none of them is an exchange.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/layout.hpp"
#include "tools/bench/rivals/rival_exchanges.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace halocline::tools {

/// A buffer of each process that all of them see.
class SeenBuffer {
 public:
  /// Collective. Throws on all processes if they are not all on one node; way is the one that needs it.
  SeenBuffer(MPI_Comm comm, std::size_t bytes, const std::string& way);
  SeenBuffer(const SeenBuffer&) = delete;
  SeenBuffer& operator=(const SeenBuffer&) = delete;
  ~SeenBuffer();

  [[nodiscard]] std::byte* of(Rank rank) const { return all_[to_index(rank)]; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::byte*> all_;
};

/// Copies every block once, out of memory that its sender shares: the least of all.
class CopiesOnce {
 public:
  /// @pre problem.send is seen.of(problem.rank)
  CopiesOnce(RivalProblem problem, std::shared_ptr<const SeenBuffer> seen)
      : problem_(std::move(problem)), seen_(std::move(seen)) {}
  void run();

 private:
  RivalProblem problem_;
  std::shared_ptr<const SeenBuffer> seen_;
};

/// Copies every block into memory that all see and from there: the least where a program owns its buffers.
class CopiesTwice {
 public:
  /// Collective, as SeenBuffer is.
  explicit CopiesTwice(const RivalProblem& problem);
  void run();

 private:
  RivalProblem problem_;
  std::size_t sent_bytes_;
  SeenBuffer seen_;
};

/// Lets the system copy every block once, out of the memory of its sender: one call for each of them.
class CopiesByKernel {
 public:
  /// Collective. Throws on all processes if one cannot read the memory of another.
  explicit CopiesByKernel(const RivalProblem& problem);
  void run();

 private:
  struct Source {
    Count process;
    std::vector<Segment> from, to;
  };
  [[nodiscard]] bool read_all() const;

  MPI_Comm comm_;
  std::vector<Source> sources_;
};

}  // namespace halocline::tools
