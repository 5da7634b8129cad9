// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/machinery.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "exchange/ways/device_way.hpp"
#include "exchange/ways/ways.hpp"
#include "mpi/handles/threads.hpp"
#include "plan/transport/transport_choice.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include <sched.h>

namespace halocline::exchange {
namespace {

/// What the user says, or the plan. @pre side.words
bool streams_drive(const DeviceSide& side) {
  const char* const told = std::getenv(settings::driver.variable);
  const std::string driver = told == nullptr || *told == '\0' ? "auto" : told;
  require(driver == "auto" || driver == "stream" || driver == "host", settings::driver.variable, "=", driver,
          "; it is auto, stream or host");
  return driver == "auto" ? plan::streams_drive(side.words->sharing) : driver == "stream";
}

/// What is behind devices is one thread's at a time. It takes no lock where there is no device, or one
/// thread.
class AloneWithDevice {
 public:
  explicit AloneWithDevice(const MachineryParts& parts) {
    if (parts.device && mpi::several_threads()) lock_ = std::unique_lock(one_at_a_time());
  }

 private:
  static std::recursive_mutex& one_at_a_time() {
    static std::recursive_mutex mutex;
    return mutex;
  }

  std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace

Machinery::Machinery(std::shared_ptr<Context> context) : context_(std::move(context)) {}

Machinery::Machinery(NeighborhoodState& neighborhood, const Blocks& blocks, const Choice& choice)
    : Machinery(neighborhood.context) {
  parts_.device = blocks.device;
  // What is behind devices is locked while it moves, and what a program does in its executors nobody knows.
  if (mpi::several_threads())
    parts_.crew.serve(parts_.device ? Crew::Serves::nobody : Crew::Serves::its_call);
  usable_ = put_together({neighborhood, *context_, blocks, choice}, parts_);
  // Neighbours wait for signals that a stream does not send: who takes times has all driven by hosts.
  const bool may = parts_.device && parts_.device->words && streams_drive(*parts_.device);
  stream_drives_ = may && !choice.timed;
}

Machinery::~Machinery() {
  const AloneWithDevice alone(parts_);
  if (parts_.device && on_stream_ > 0) parts_.device->end();  // others look into the arena until then
  if (!parts_.arena) return;
  context_->memory()->retire(
      std::move(parts_.arena), [channels = parts_.own_channels, starts = starts_]() mutable {
        return std::all_of(channels.begin(), channels.end(),
                           [&](Channel& channel) { return channel.idle_after(starts); });
      });
}

void Machinery::require_stream(accelerate::Stream stream) const {
  const AloneWithDevice alone(parts_);
  require(parts_.device != nullptr, "a stream of a device for an exchange of which nothing lies on one");
  parts_.device->require_own(stream);
}

void Machinery::require_idle() const {
  const AloneWithDevice alone(parts_);
  if (parts_.device) parts_.device->require_idle();
}

void Machinery::begin_after(accelerate::Stream stream) const {
  const AloneWithDevice alone(parts_);
  require_stream(stream);
  parts_.device->begin_after(stream);
}

void Machinery::begin_on(accelerate::Stream stream) {
  const AloneWithDevice alone(parts_);
  require_stream(stream);
  const std::uint64_t round = parts_.device->begin_round();
  if (parts_.push != nullptr) parts_.push->leave_to_stream(round);
  parts_.device->start_on(stream);
  ++on_stream_;
}

void Machinery::end_on(accelerate::Stream stream) {
  const AloneWithDevice alone(parts_);
  require_stream(stream);
  parts_.device->end_on(stream);
}

bool Machinery::device_done(bool waits) {
  if (!mpi::several_threads()) return parts_.device->done(waits);
  for (;;) {  // others need the device for what this one may wait for
    {
      const AloneWithDevice alone(parts_);
      if (parts_.device->done(false)) return true;
    }
    if (!waits) return false;
    sched_yield();
  }
}

void Machinery::begin() {
  const AloneWithDevice alone(parts_);
  ++starts_;
  if (parts_.device) {
    const Lap lap(parts_.start_signals != nullptr ? &parts_.copying : nullptr);
    parts_.device->settle();
    parts_.device->collect();
  }
  open_.clear();
  for (const std::unique_ptr<Flow>& flow : parts_.flows) {
    flow->begin();
    open_.push_back(flow.get());
  }
  if (parts_.staged != nullptr) send_what_is_packed();
}

/// All own points have to be packed when a start returns.
void Machinery::send_what_is_packed() {
  while (!parts_.device->packed()) {
    parts_.requests.poll();
    (void)parts_.staged->advance();
  }
  (void)parts_.staged->advance();
}

bool Machinery::advance() {
  if (parts_.crew.at_work()) return false;
  const AloneWithDevice alone(parts_);
  if (!std::exchange(asked_, false)) parts_.requests.poll();
  try {
    for (Flow*& flow : open_)
      if (flow->advance()) flow = nullptr;
  } catch (...) {
    std::erase(open_, nullptr);  // the others go on
    throw;
  }
  std::erase(open_, nullptr);
  return open_.empty() && (!parts_.device || parts_.device->distribute());
}

void Machinery::wait_for_message() {
  const bool all =
      std::all_of(open_.begin(), open_.end(), [](const Flow* flow) { return flow->needs_all_messages(); });
  if (all)
    parts_.requests.wait_for_all();
  else
    parts_.requests.wait();
  asked_ = true;
}

bool Machinery::needs_messages_only() const {
  return parts_.requests.any_active() && std::all_of(open_.begin(), open_.end(), [](const Flow* flow) {
           return flow->needs_messages_only();
         });
}

}  // namespace halocline::exchange
