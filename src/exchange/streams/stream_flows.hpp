// SPDX-License-Identifier: BSD-3-Clause
// Blocks through shared memory, whatever their sizes: each chunk says how long its block is, so that neither
// side has to know what the other one passes to its call.
#pragma once

#include "base/index.hpp"
#include "exchange/flows/channel_flows.hpp"
#include "exchange/streams/block_stream.hpp"

#include <span>
#include <vector>

namespace halocline::exchange {

/// One end of a stream between two processes; chunks are counted over its whole life.
class StreamEnd : public ChannelEnd {
 public:
  explicit StreamEnd(const Channel& channel) : ChannelEnd(channel, 0) {}

  /// What goes through it from the next start on: these of all blocks, in that order. Both must stay.
  void carry(const std::vector<int>& numbers, std::span<BlockStream> blocks) {
    numbers_ = numbers;
    blocks_ = blocks;
  }
  void begin() override { current_ = 0; }

 protected:
  [[nodiscard]] bool done() const { return current_ == numbers_.size(); }
  [[nodiscard]] BlockStream& block() const { return blocks_[to_index(numbers_[current_])]; }
  /// So many bytes of it have gone, as part of so many in all.
  void go_on(Count bytes, Count of_all);

  Count done_bytes_ = 0;  ///< Of the current block.

 private:
  std::span<const int> numbers_;
  std::span<BlockStream> blocks_;
  std::size_t current_ = 0;
};

class StreamWriter : public StreamEnd {
 public:
  using StreamEnd::StreamEnd;
  [[nodiscard]] bool advance() override;
};

class StreamReader : public StreamEnd {
 public:
  using StreamEnd::StreamEnd;
  void begin() override;
  /// A block that is shorter than expected leaves the rest as it is.
  [[nodiscard]] bool advance() override;
  /// Was a block longer than expected?
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  bool truncated_ = false;
};

}  // namespace halocline::exchange
