#include "exchange/flows/channel_flows.hpp"

namespace halocline::exchange {

ChannelFlow::ChannelFlow(const Channel& channel, int number, Pieces pieces)
    : channel_(channel),
      number_(number),
      pieces_(std::move(pieces)),
      chunks_(static_cast<Channel::Chunk>(channel.shape().chunks())) {}

bool ChannelWriter::advance() {
  for (; next_ < end_ && channel_.writable(next_); ++next_) {
    const Lap lap(stopwatch());
    pack(pieces_, first_byte(next_), bytes_of(next_), channel_.slot(next_));
    channel_.publish(number_, next_);
  }
  return next_ == end_;
}

bool ChannelReader::advance() {
  for (; next_ < end_ && channel_.readable(next_); ++next_) {
    const Lap lap(stopwatch());
    unpack(pieces_, first_byte(next_), bytes_of(next_), channel_.slot(next_));
    channel_.release(number_, next_);
  }
  return next_ == end_;
}

}  // namespace halocline::exchange
