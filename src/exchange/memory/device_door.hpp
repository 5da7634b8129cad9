// SPDX-License-Identifier: BSD-3-Clause
// The halos of a process on its device, as others see them who write there: when they may, and when it is
// done. Either side of a round is driven by its host or by its stream. What hosts do they tell here; what
// streams do they tell by words on the device, and here stands only that those have to be looked at.
#pragma once

#include "base/numbers.hpp"
#include "exchange/memory/channel.hpp"

#include <cstddef>
#include <optional>

namespace halocline::exchange {

/// A view of a channel that carries nothing. All processes count the same rounds, from 0.
///
/// A stream may be told of many rounds before others have come to the first of them. It goes back to its host
/// only when all of them are done, and the host goes on only when its own round is done: so between a round
/// that somebody looks for and the last one that stands here the driver has changed once at most.
class DeviceDoor {
 public:
  using RoundNumber = Channel::Chunk;
  enum class Driver { host, stream };

  [[nodiscard]] static ChannelShape shape(std::size_t writers) {
    return {1, 1, 2, drivers, drivers * to_int(writers)};
  }
  /// @pre the channel has such a shape
  explicit DeviceDoor(const Channel& channel) : channel_(channel) {}

  /// The owner says that its halos may be written, or that its stream will say so.
  void open(Driver by, RoundNumber round) const { channel_.publish(static_cast<int>(by), round); }
  /// Who has said that, or will; none so far.
  [[nodiscard]] std::optional<Driver> opened(RoundNumber round) const {
    return who([&](Driver driver) { return channel_.published(static_cast<int>(driver), round); });
  }

  /// A writer has filled them, or its stream will.
  void fill(int writer, Driver by, RoundNumber round) const { channel_.release(number(writer, by), round); }
  [[nodiscard]] std::optional<Driver> filled(int writer, RoundNumber round) const {
    return who([&](Driver driver) { return channel_.released(number(writer, driver), round); });
  }

 private:
  static constexpr int drivers = 2;
  [[nodiscard]] static int number(int writer, Driver by) { return drivers * writer + static_cast<int>(by); }

  template <class Did>
  [[nodiscard]] static std::optional<Driver> who(const Did& did) {
    if (did(Driver::host)) return Driver::host;
    if (!did(Driver::stream)) return std::nullopt;
    // The stream's may be a later round: then the host's was before it, and is seen now.
    return did(Driver::host) ? Driver::host : Driver::stream;
  }

  Channel channel_;
};

}  // namespace halocline::exchange
