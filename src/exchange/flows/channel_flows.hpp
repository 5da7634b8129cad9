// Messages through shared memory: packed into a channel by one process, unpacked from it by others.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/pieces.hpp"
#include "exchange/memory/channel.hpp"

#include <algorithm>

namespace halocline::exchange {

/// One message a start, in as many chunks as it takes, through one end of a channel.
class ChannelFlow : public Flow {
 public:
  /// `number` is that of this process among the channel's writers, or readers.
  ChannelFlow(const Channel& channel, int number, Pieces pieces);

  void begin() override { end_ += chunks_; }

 protected:
  [[nodiscard]] Count first_byte(Channel::Chunk chunk) const {
    return chunks_ == 1 ? 0 : static_cast<Count>(chunk % chunks_) * channel_.shape().chunk_bytes;
  }
  [[nodiscard]] Count bytes_of(Channel::Chunk chunk) const {
    return std::min(channel_.shape().chunk_bytes, channel_.shape().message_bytes - first_byte(chunk));
  }

  Channel channel_;
  int number_;
  Pieces pieces_;
  Channel::Chunk chunks_;              ///< Of one message.
  Channel::Chunk next_ = 0, end_ = 0;  ///< The next one to go, and the end of what was begun.
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
