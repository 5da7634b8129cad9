// SPDX-License-Identifier: BSD-3-Clause
// The memory of the other processes of a node where it is not shared. The kernel copies out of it, at once to
// where the bytes belong, if it lets processes of one user read each other: many systems do, hardened ones
// and some containers do not.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/layout.hpp"
#include "mpi/handles/handle.hpp"

#include <memory>
#include <span>
#include <vector>

namespace halocline::exchange {

/// MemoryPlaces in memory whose bytes follow each other; offsets are addresses in the process that has them.
using MemoryPlaces = std::vector<Segment>;

/// The processes of a node by the numbers that the kernel knows them by.
class ForeignMemory {
 public:
  /// Tries whether every process can read all others. Null on all of them if one cannot. Collective.
  [[nodiscard]] static std::unique_ptr<ForeignMemory> open(MPI_Comm node);

  explicit ForeignMemory(std::vector<long> processes) : processes_(std::move(processes)) {}
  [[nodiscard]] long process(int member) const { return processes_[to_index(member)]; }

 private:
  std::vector<long> processes_;
};

/// Can the kernel read these places of this process for others? Not, for example, where a device lies behind
/// an address. Local.
[[nodiscard]] bool can_be_read(std::span<const Segment> places);

/// Copies bytes of another process to places of this one.
class ForeignCopy {
 public:
  /// @pre both lists have as many bytes
  ForeignCopy(long process, std::span<const Segment> from, std::span<const Segment> to);
  /// Throws Error{internal} if the kernel refuses: the other process has freed that memory.
  void copy() const;
  [[nodiscard]] Count bytes() const { return bytes_; }

 private:
  /// As much as the kernel takes at a time.
  struct KernelCall {
    MemoryPlaces from, to;
    Count bytes = 0;
  };
  long process_;
  std::vector<KernelCall> calls_;
  Count bytes_ = 0;
};

}  // namespace halocline::exchange
