// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_side.hpp"

#include "halocline/base/error.hpp"

namespace halocline::exchange {

namespace {

std::vector<accelerate::Signal> signals(const std::vector<std::uint32_t*>& words, std::uint32_t value) {
  std::vector<accelerate::Signal> all;
  all.reserve(words.size());
  for (std::uint32_t* const word : words) all.push_back({word, value});
  return all;
}

}  // namespace

DeviceSide::~DeviceSide() {
  try {
    device_.synchronize(stream());  // its tables are freed
  } catch (const Error&) {          // of a device that is broken anyway
  }
}

void DeviceSide::exchange_after(accelerate::Stream users) {
  ++round_;
  device_.order(users, stream());
  device_.signal(signals(words->opening, round_), signals(words->opened, round_), stream());
  push.launch(stream());
  device_.signal(signals(words->filling, round_), signals(words->filled, round_), stream());
}

void DeviceSide::collect() const {
  if (gather.empty()) return;
  gather.launch(stream());
  device_.synchronize(stream());
}

bool DeviceSide::distribute() {
  if (scatter.empty()) return true;
  if (!distributing_) scatter.launch(stream());
  distributing_ = !device_.finished(stream());
  return !distributing_;
}

}  // namespace halocline::exchange
