// SPDX-License-Identifier: BSD-3-Clause
// Messages through shared memory: packed into a channel by one process, unpacked from it by others.
#pragma once

#include "base/numbers.hpp"
#include "exchange/flows/flow.hpp"
#include "exchange/flows/pieces.hpp"
#include "exchange/memory/channel.hpp"

#include <algorithm>

namespace halocline::exchange {

/// What goes into one end of a channel, or comes out of it, chunk by chunk.
class ChannelEnd : public Flow {
 protected:
  /// `number` is that of this process among the channel's writers, or readers.
  ChannelEnd(const Channel& channel, int number) : channel_(channel), number_(number) {}

  /// fill(slot) for as many chunks as there is room for, as long as there are more().
  template <class More, class Fill>
  void write(const More& more, const Fill& fill) {
    for (; more() && channel_.writable(next_); ++next_) {
      const Lap lap(stopwatch());
      fill(channel_.slot(next_));
      channel_.publish(number_, next_);
    }
  }
  /// take(slot) for as many as have come.
  template <class More, class Take>
  void read(const More& more, const Take& take) {
    for (; more() && channel_.readable(next_); ++next_) {
      const Lap lap(stopwatch());
      take(channel_.slot(next_));
      channel_.release(number_, next_);
    }
  }

  Channel channel_;
  int number_;
  Channel::Chunk next_ = 0;  ///< To go.
};

/// One message a start, in as many chunks as it takes, through one end of a channel.
class ChannelFlow : public ChannelEnd {
 public:
  ChannelFlow(const Channel& channel, int number, Pieces pieces);

  void begin() override { end_ += chunks_; }

 protected:
  [[nodiscard]] Count first_byte(Channel::Chunk chunk) const {
    return chunks_ == 1 ? 0 : to_count(chunk % chunks_) * channel_.shape().chunk_bytes;
  }
  [[nodiscard]] Count bytes_of(Channel::Chunk chunk) const {
    return std::min(channel_.shape().chunk_bytes, channel_.shape().message_bytes - first_byte(chunk));
  }

  Pieces pieces_;
  Channel::Chunk chunks_;   ///< Of one message.
  Channel::Chunk end_ = 0;  ///< Of what was begun.
};

class ChannelWriter : public ChannelFlow {
 public:
  using ChannelFlow::ChannelFlow;
  [[nodiscard]] bool advance() override;
};

class ChannelReader : public ChannelFlow {
 public:
  using ChannelFlow::ChannelFlow;
  [[nodiscard]] bool advance() override;
};

}  // namespace halocline::exchange
