// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_side.hpp"

#include "halocline/base/error.hpp"

namespace halocline::exchange {

DeviceSide::~DeviceSide() {
  try {
    if (open_) device_.signal({}, words->filled, stream());  // the user's may be gone
    settle();                                                // its tables are freed
    device_.synchronize(stream());
  } catch (const Error&) {  // of a device that is broken anyway
  }
}

void DeviceSide::require_own(accelerate::Stream users) {
  if (known_ == users) return;
  device_.require_own(users);
  known_ = users;
}

void DeviceSide::start_on(accelerate::Stream users) {
  if (users != last_) settle();  // words only grow, whatever streams do beside each other
  ++round_;
  for (Words::Signals* const signals : {&words->opening, &words->opened, &words->filling, &words->filled})
    for (accelerate::Signal& signal : *signals) signal.value = round_;
  device_.signal(words->opening, words->opened, users);
  push.launch(users);
  device_.signal(words->filling, {}, users);
  last_ = users;
  open_ = left_ = true;
}

void DeviceSide::end_on(accelerate::Stream users) {
  if (users != last_) device_.order(last_, users);
  device_.signal({}, words->filled, users);
  open_ = false;
}

bool DeviceSide::done(bool waits) {
  if (open_) end_on(last_);
  if (waits) device_.synchronize(last_);
  const bool is_done = waits || device_.finished(last_);
  if (is_done) left_ = false;
  return is_done;
}

void DeviceSide::settle() {
  if (left_) device_.synchronize_all();
  left_ = false;
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
