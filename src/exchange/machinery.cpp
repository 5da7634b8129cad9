#include "exchange/machinery.hpp"

#include <algorithm>
#include <utility>

namespace halocline::exchange {

Machinery::Machinery(std::shared_ptr<Context> context) : context_(std::move(context)) {}

Machinery::~Machinery() {
  if (!arena_) return;
  context_->memory()->retire(std::move(arena_), [channels = own_channels_, starts = starts_]() mutable {
    return std::all_of(channels.begin(), channels.end(),
                       [&](Channel& channel) { return channel.idle_after(starts); });
  });
}

void Machinery::begin() {
  ++starts_;
  open_.clear();
  for (const std::unique_ptr<Flow>& flow : flows_) {
    flow->begin();
    open_.push_back(flow.get());
  }
}

bool Machinery::advance() {
  if (!std::exchange(asked_, false)) requests_.poll();
  std::erase_if(open_, [](Flow* flow) { return flow->advance(); });
  return open_.empty();
}

bool Machinery::needs_messages_only() const {
  return requests_.any_active() && std::all_of(open_.begin(), open_.end(),
                                               [](const Flow* flow) { return flow->needs_messages_only(); });
}

}  // namespace halocline::exchange
