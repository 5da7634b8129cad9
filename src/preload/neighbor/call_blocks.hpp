// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a call, also of programs that have them on a device: what goes through streams lies on the
// host then, and one kernel each packs and unpacks all of it.
#pragma once

#include "accelerate/device/kept_memory.hpp"
#include "accelerate/device/strips.hpp"
#include "exchange/streams/block_stream.hpp"

#include <functional>
#include <vector>

namespace halocline::preload {

using exchange::BlockStream;
using BlockStreams = std::vector<BlockStream>;

/// May be moved: the blocks stay where they are.
class CallBlocks {
 public:
  /// Throws Error{mpi} if there is no memory for those on devices.
  CallBlocks(BlockStreams out, BlockStreams in);

  [[nodiscard]] BlockStreams& out() { return out_; }
  [[nodiscard]] BlockStreams& in() { return in_; }

  /// Before each start: what is sent is now what devices have. Throws Error{mpi} where one refuses.
  void collect() const;
  /// Once all has come: devices get what did. Throws as collect().
  void distribute();

 private:
  /// What is on one device.
  struct StagedBlocks {
    accelerate::Device* device;
    std::vector<accelerate::Strip> out, in;
    std::vector<std::size_t> numbers_in;  ///< Of the blocks in.
    accelerate::KeptMemory memory;
  };
  StagedBlocks& stage_of(accelerate::Device& device);
  void stage();

  BlockStreams out_, in_;
  std::vector<StagedBlocks> stages_;
};

}  // namespace halocline::preload
