// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_side.hpp"

#include "base/fail.hpp"
#include "base/pause.hpp"
#include "exchange/progress/stopwatch.hpp"
#include "halocline/base/error.hpp"

#include <chrono>

namespace halocline::exchange {

DeviceSide::~DeviceSide() { end(); }  // its tables are freed

void DeviceSide::end() noexcept {
  try {
    if (open_) device_.signal({}, words->filled, stream());  // the user's may be gone
    open_ = false;
    settle();
    device_.synchronize(stream());
  } catch (const Error&) {  // of a device that is broken anyway
  }
}

void DeviceSide::require_own(accelerate::Stream users) {
  if (known_ == users && !accelerate::is_default(users)) return;
  device_.require_own(users);
  known_ = users;
}

void DeviceSide::start_on(accelerate::Stream users) {
  if (users != last_) change_streams(users);
  for (Words::Signals* const signals : {&words->opening, &words->opened, &words->filling, &words->filled})
    for (accelerate::Signal& signal : *signals) signal.value = round_;
  device_.signal(words->opening, words->opened, users);
  if (!push.empty()) push.launch(users, words->news, round_);
  last_ = users;
  open_ = left_ = true;
}

void DeviceSide::end_on(accelerate::Stream users) {
  if (users != last_) device_.order(last_, users);
  device_.signal({}, words->filled, users);
  unpack.launch(users);
  if (!unpack.empty() && users != last_)
    device_.order(users, last_);  // who fills the buffers is let in there
  if (alternates_) device_.order(users, stream());
  open_ = false;
}

/// Words only grow, whatever streams do beside each other: what begins on one comes after all that another
/// was left. That one may be gone by now, so that the own stream has to know where it came to an end: from
/// the first change on, since each end costs more for it.
void DeviceSide::change_streams(accelerate::Stream users) {
  if (!left_) return;
  if (alternates_)
    device_.order(stream(), users);
  else
    settle();
  alternates_ = true;
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

void DeviceSide::begin_after(accelerate::Stream users) {
  device_.order(users, stream());
  behind_users_ = true;
}

bool DeviceSide::ready() {
  if (behind_users_) behind_users_ = !device_.finished(stream());
  return !behind_users_;
}

void DeviceSide::require_idle() {
  // A look at the default stream makes it wait for others first, so that one look is not enough.
  const auto give_up = Clock::now() + std::chrono::microseconds(200);
  while (!device_.finished(nullptr))
    require(Clock::now() < give_up, "kernels that the default stream of ", device_.name(),
            " has are not done when the halo starts without a stream, and may touch its fields; start it on "
            "their stream, or wait for "
            "them first");
}

void DeviceSide::collect() {
  scatters.begin();
  if (gathers.empty()) return;
  gathers.launch(stream());
  while (!overlaps && !gathers.all_packed()) pause_briefly();
}

bool DeviceSide::distribute() {
  if (scatters.empty() && unpack.empty()) return true;
  if (!distributing_) {
    scatters.finish(stream());
    unpack.launch(stream());
  }
  distributing_ = !device_.finished(stream());
  return !distributing_;
}

}  // namespace halocline::exchange
