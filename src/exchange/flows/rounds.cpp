// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/rounds.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <utility>

namespace halocline::exchange {
namespace {

Count longest_whole(const RoundPlan& plan) {
  return plan.whole ? Rounds::unlimited : longest_whole_message();
}

}  // namespace

Rounds::Rounds(std::span<const RoundPlan> plans, Wire wire, const mpi::EngineChoice& engine, MPI_Comm comm,
               Requests& requests, Count window)
    : requests_(requests), window_(window), first_request_(requests.count()) {
  rounds_.reserve(plans.size());
  for (const RoundPlan& plan : plans) {
    RunningRound& round = rounds_.emplace_back();
    round.after = plan.after;
    round.to = plan.to;
    round.from = plan.from;
    round.copies = plan.copies;
    if (plan.from == MPI_PROC_NULL) continue;
    round.in.emplace(PostedMessage{Endpoint(plan.receives, wire, engine, longest_whole(plan)), {}});
    for (const Endpoint::Fragment& fragment : round.in->end.fragments())
      round.in->requests.push_back(
          requests.add_receive(fragment.address, fragment.count, fragment.type, plan.from, plan.tag, comm));
  }
  Count bytes_out = 0;
  bool in_place = true;
  for (std::size_t r = 0; r < plans.size(); ++r) {
    const RoundPlan& plan = plans[r];
    RunningRound& round = rounds_[r];
    for (const compile::Part& part : plan.sends) round.bytes_out += part.count * part.layout.size();
    bytes_out += round.bytes_out;
    side_by_side_ = side_by_side_ && round.after.empty() && !(round.in && round.in->end.some_buffered());
    in_place = in_place && round.copies.empty();
    if (plan.to == MPI_PROC_NULL) continue;
    round.out.emplace(PostedMessage{Endpoint(plan.sends, wire, engine, longest_whole(plan)), {}});
    for (const Endpoint::Fragment& fragment : round.out->end.fragments())
      round.out->requests.push_back(
          requests.add_send(fragment.address, fragment.count, fragment.type, plan.to, plan.tag, comm));
    in_place = in_place && !round.out->end.some_buffered();
  }
  end_request_ = requests.count();
  limited_ = bytes_out > window_;
  side_by_side_ = side_by_side_ && !limited_;
  only_requests_ = side_by_side_ && in_place;
}

void Rounds::stage_on(DeviceSide& device) {
  device_ = &device;
  only_requests_ = false;
  side_by_side_ = side_by_side_ && !device.scatters.several();
}

void Rounds::begin() {
  if (only_requests_) return requests_.start(first_request_, end_request_);
  first_open_ = 0;
  under_way_ = 0;
  for (RunningRound& round : rounds_) {
    round.receiving = round.begun = round.settled = round.told = false;
    if (round.in && (round.in->end.all_buffered() || round.after.empty())) start_receiving(round);
  }
  (void)advance();
}

void Rounds::start_receiving(RunningRound& round) {
  round.receiving = true;
  round.in->unpacked = 0;
  for (const std::size_t request : round.in->requests) requests_.start(request);
}

bool Rounds::sent(const PostedMessage& message) const {
  return std::all_of(message.requests.begin(), message.requests.end(),
                     [&](std::size_t request) { return requests_.done(request); });
}

bool Rounds::shared(const Endpoint& end, std::size_t first, std::size_t next) const {
  return first < next && crew()->threads_for(end.copy_work(first, next)) > 1;
}

void Rounds::send(PostedMessage& message) {
  const Endpoint& end = message.end;
  const std::size_t all = message.requests.size();
  for (std::size_t first = 0, next = 0; first < all; first = next) {
    // What several threads pack leaves when all is packed, otherwise a part leaves while the next is packed.
    if (crew() != nullptr && crew()->several())
      while (next < all && end.fragments()[next].buffered) ++next;
    const bool many = shared(end, first, next);
    if (!many) next = first + 1;
    {
      const Lap lap(stopwatch());
      if (many)
        crew()->share(end.copy_work(first, next), [&](Share share) { end.pack(first, next, share); });
      else
        end.pack(end.fragments()[first]);
    }
    for (std::size_t i = first; i < next; ++i) requests_.start(message.requests[i]);
  }
}

bool Rounds::take(PostedMessage& message) {
  const Endpoint& end = message.end;
  const std::size_t all = message.requests.size();
  while (message.unpacked < all) {
    const std::size_t first = message.unpacked;
    if (!requests_.done(message.requests[first])) return false;
    std::size_t next = first;
    if (crew() != nullptr && crew()->several())
      while (next < all && end.fragments()[next].buffered && requests_.done(message.requests[next])) ++next;
    const bool many = shared(end, first, next);
    if (!many) next = first + 1;
    const Lap lap(stopwatch());
    if (many)
      crew()->share(end.copy_work(first, next), [&](Share share) { end.unpack(first, next, share); });
    else
      end.unpack(end.fragments()[first]);
    message.unpacked = next;
  }
  return true;
}

bool Rounds::may_begin(const RunningRound& round) const {
  if (device_ != nullptr && round.out && !device_->packed(round.to)) return false;
  const bool has_room = !limited_ || under_way_ == 0 || round.bytes_out <= window_ - under_way_;
  return has_room && std::all_of(round.after.begin(), round.after.end(),
                                 [&](int earlier) { return rounds_[to_index(earlier)].settled; });
}

void Rounds::begin_round(RunningRound& round) {
  round.begun = true;
  under_way_ += round.bytes_out;
  if (round.in && !round.receiving) start_receiving(round);
  if (round.out) send(*round.out);
  for (const LocalCopy& copy : round.copies) copy.copy();
}

bool Rounds::finish_round(RunningRound& round) {
  const bool received = !round.in || take(*round.in);
  if (device_ != nullptr && round.in && received && !std::exchange(round.told, true))
    device_->arrived(round.from);
  const bool gone = !round.out || sent(*round.out);
  // What was packed is out of its slots before MPI has sent it.
  round.settled = received && (gone || round.out->end.all_buffered());
  return received && gone;
}

void Rounds::make_room() {
  under_way_ = 0;
  for (std::size_t r = first_open_; r < rounds_.size(); ++r) {
    const RunningRound& round = rounds_[r];
    if (round.begun && round.out && !sent(*round.out)) under_way_ += round.bytes_out;
  }
}

bool Rounds::advance() {
  if (only_requests_) return requests_.done(first_request_, end_request_);
  // Before any round asks for it: one that was refused would not ask again until another message comes.
  if (limited_) make_room();
  bool all_complete = true;
  for (std::size_t r = first_open_; r < rounds_.size(); ++r) {
    RunningRound& round = rounds_[r];
    if (!round.begun && may_begin(round)) begin_round(round);
    const bool complete = round.begun && finish_round(round);
    if (complete && r == first_open_) ++first_open_;
    all_complete = all_complete && complete;
  }
  return all_complete;
}

}  // namespace halocline::exchange
