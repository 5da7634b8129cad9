// SPDX-License-Identifier: BSD-3-Clause
// What a machinery is put together from.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/requests.hpp"
#include "exchange/flows/start_signals.hpp"
#include "exchange/memory/channel.hpp"
#include "exchange/memory/device_side.hpp"
#include "exchange/memory/node_memory.hpp"
#include "exchange/progress/stopwatch.hpp"
#include "exchange/threads/crew.hpp"
#include "halocline/exchange/statistics.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace halocline::exchange {

class DevicePush;

/// Flows refer to the other members, so that it stays where it is.
struct MachineryParts {
  Crew crew;  ///< Of all flows.
  Requests requests;
  std::unique_ptr<std::byte[]> scratch;  ///< For blocks that are sent on.
  std::unique_ptr<NodeMemory::Arena> arena;
  std::unique_ptr<Counter[]> private_arena;  ///< Of a process that is alone on its node.
  std::vector<Channel> own_channels;         ///< Those that this process provides to others.
  std::shared_ptr<DeviceSide> device;        ///< None if all of it is the host's.
  std::vector<std::unique_ptr<Flow>> flows;
  ExchangeStatistics traffic;                   ///< What one start sends.
  const StartSignals* start_signals = nullptr;  ///< One of the flows.
  DevicePush* push = nullptr;                   ///< The same; null if nothing goes straight between devices.
  Flow* staged = nullptr;  ///< The same; null unless messages are sent while others are packed on the device.
  Stopwatch copying;

  template <class F, class... Arguments>
  F& add(Arguments&&... arguments) {
    auto flow = std::make_unique<F>(std::forward<Arguments>(arguments)...);
    F& added = *flow;
    flows.push_back(std::move(flow));
    return added;
  }
};

inline void count_message(halocline::Traffic& traffic, Count bytes) {
  ++traffic.messages;
  traffic.bytes += bytes;
}

}  // namespace halocline::exchange
