// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/channel_flows.hpp"

namespace halocline::exchange {

ChannelFlow::ChannelFlow(const Channel& channel, int number, Pieces pieces)
    : ChannelEnd(channel, number),
      pieces_(std::move(pieces)),
      chunks_(static_cast<Channel::Chunk>(channel.shape().chunks())) {}

bool ChannelWriter::advance() {
  write([&] { return next_ < end_; },
        [&](std::byte* slot) { pack(pieces_, first_byte(next_), bytes_of(next_), slot); });
  return next_ == end_;
}

bool ChannelReader::advance() {
  read([&] { return next_ < end_; },
       [&](const std::byte* slot) { unpack(pieces_, first_byte(next_), bytes_of(next_), slot); });
  return next_ == end_;
}

}  // namespace halocline::exchange
