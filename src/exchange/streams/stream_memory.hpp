// SPDX-License-Identifier: BSD-3-Clause
// Memory for the streams of one process, and its view of the streams of others.
#pragma once

#include "exchange/streams/request_calls.hpp"
#include "halocline/base/count.hpp"

#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace halocline::exchange {

struct StreamPeer;

/// A shared memory object as this process sees it.
class MappedObject {
 public:
  MappedObject() = default;
  MappedObject(std::byte* base, Count bytes) : base_(base), bytes_(bytes) {}
  MappedObject(MappedObject&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_) {}
  MappedObject& operator=(MappedObject&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedObject(const MappedObject&) = delete;
  MappedObject& operator=(const MappedObject&) = delete;
  ~MappedObject();

  /// Null if there is none.
  [[nodiscard]] std::byte* base() const { return base_; }

 private:
  std::byte* base_ = nullptr;
  Count bytes_ = 0;
};

/// The tags of the two messages that make a stream; others of the communicator begin behind them.
enum StreamTag : int { offer_tag, verdict_tag, first_free_tag };

class StreamMemory {
 public:
  /// Gives streams to peers of this node, to each pair that both have the memory for; the others stay
  /// without, on both sides. Waits for these processes and for nobody else: processes without edges may take
  /// no part in a blocking collective, and with some MPIs they do not.
  /// @pre each of them makes the same call about this process
  StreamMemory(MPI_Comm comm, std::span<StreamPeer> on_node, const RequestCalls& calls);

 private:
  MappedObject own_;
  std::vector<MappedObject> others_;
};

}  // namespace halocline::exchange
