// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/machinery.hpp"

#include "base/fail.hpp"
#include "exchange/ways/ways.hpp"

#include <algorithm>
#include <utility>

namespace halocline::exchange {

Machinery::Machinery(std::shared_ptr<Context> context) : context_(std::move(context)) {}

Machinery::Machinery(Neighborhood::State& neighborhood, const Blocks& blocks, const Choice& choice)
    : Machinery(neighborhood.context) {
  parts_.device = blocks.device;
  usable_ = put_together({neighborhood, *context_, blocks, choice}, parts_);
}

Machinery::~Machinery() {
  if (!parts_.arena) return;
  context_->memory()->retire(
      std::move(parts_.arena), [channels = parts_.own_channels, starts = starts_]() mutable {
        return std::all_of(channels.begin(), channels.end(),
                           [&](Channel& channel) { return channel.idle_after(starts); });
      });
}

void Machinery::require_stream(accelerate::Stream stream) const {
  require(parts_.device != nullptr, "a stream of a device for an exchange of which nothing lies on one");
  parts_.device->require_own(stream);
}

void Machinery::begin_after(accelerate::Stream stream) const {
  require_stream(stream);
  parts_.device->begin_after(stream);
}

void Machinery::begin_on(accelerate::Stream stream) {
  require_stream(stream);
  parts_.device->start_on(stream);
  ++on_stream_;
}

void Machinery::end_on(accelerate::Stream stream) {
  require_stream(stream);
  parts_.device->end_on(stream);
}

bool Machinery::device_done(bool waits) { return parts_.device->done(waits); }

void Machinery::begin() {
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
}

bool Machinery::advance() {
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
