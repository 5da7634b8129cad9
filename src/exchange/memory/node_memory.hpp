// SPDX-License-Identifier: BSD-3-Clause
// Memory that the processes of a node share. Each has a part of its own, in which it allocates alone; the
// others read and write there by what the owner told them.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handles/handle.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace halocline::exchange {

/// A file in memory, mapped by all processes of a node. It has no name (or, where that is not enough to share
/// it, none as soon as they have it), so that nothing is left behind however they end. Unmapping is local.
class SharedSegment {
 public:
  /// `part_bytes` for each process of `node`. Collective. Null on all processes if one could not have it.
  [[nodiscard]] static std::unique_ptr<SharedSegment> create(MPI_Comm node, Count part_bytes);

  SharedSegment(std::byte* base, Count part_bytes, Count bytes)
      : base_(base), part_bytes_(part_bytes), bytes_(bytes) {}
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;
  ~SharedSegment();

  [[nodiscard]] Count part_bytes() const { return part_bytes_; }
  [[nodiscard]] std::byte* part(int process) const { return base_ + process * part_bytes_; }

 private:
  std::byte* base_;
  Count part_bytes_, bytes_;
};

/// Where this process has free memory in its part of a segment: first fit, neighbours joined.
class FreeList {
 public:
  explicit FreeList(Count bytes) : free_{{0, bytes}} {}
  /// The offset of `bytes`, or -1. @pre bytes > 0
  [[nodiscard]] Count take(Count bytes);
  void give(Count offset, Count bytes);

 private:
  std::map<Count, Count> free_;  ///< From offset to bytes.
};

/// All shared memory of a node for one communicator. It grows when needed and is reused when given back,
/// which any thread may do while one allocates.
class NodeMemory {
 public:
  /// The communicator of the node's processes is not owned. Local: the first segment comes with the first
  /// arena.
  explicit NodeMemory(MPI_Comm node);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory();

  /// What one operation has: its own memory and a view of that of the others.
  struct Arena {
    std::byte* mine = nullptr;
    Count bytes = 0;
    std::vector<std::byte*> of;  ///< For each process of the node; null where it has nothing.
    std::size_t segment = 0;
    Count offset = 0;
  };

  /// `bytes` of this process, aligned to cache lines, and as much as the others ask for of theirs. `fill`
  /// prepares the memory before anyone else can see it; it may be called twice. Collective over the node;
  /// null on all of its processes if memory cannot be had.
  [[nodiscard]] std::unique_ptr<Arena> allocate(Count bytes, const std::function<void(std::byte*)>& fill);

  /// Takes an arena back as soon as `idle()`, which says that no other process will touch it. Local.
  void retire(std::unique_ptr<Arena> arena, std::function<bool()> idle);
  /// Looks which of them are idle by now, as allocate() does. Local.
  void collect();

 private:
  struct Segment;
  struct Retired {
    std::unique_ptr<Arena> arena;
    std::function<bool()> idle;
  };

  bool grow(Count part_bytes);
  bool take(Count bytes, Arena& arena);
  void give(const Arena& arena);

  MPI_Comm node_;
  std::mutex in_use_;  ///< Below it are the others; never held in MPI.
  std::vector<Segment> segments_;
  std::vector<Retired> retired_;
};

}  // namespace halocline::exchange
