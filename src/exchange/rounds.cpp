#include "exchange/rounds.hpp"

#include <algorithm>

namespace halocline::exchange {

Rounds::Rounds(std::span<const RoundPlan> plans, Wire wire, MPI_Comm comm, Requests& requests)
    : requests_(requests) {
  rounds_.reserve(plans.size());
  for (const RoundPlan& plan : plans) {
    Round& round = rounds_.emplace_back();
    round.after = plan.after;
    if (plan.from != MPI_PROC_NULL) {
      Endpoint end(plan.receives, wire);
      const std::size_t request =
          requests.add_receive(end.address(), end.count(), end.type(), plan.from, plan.tag, comm);
      round.in = Message{std::move(end), request};
    }
    if (plan.to != MPI_PROC_NULL) {
      Endpoint end(plan.sends, wire);
      const std::size_t request =
          requests.add_send(end.address(), end.count(), end.type(), plan.to, plan.tag, comm);
      round.out = Message{std::move(end), request};
    }
    round.copies = plan.copies;
  }
}

void Rounds::begin() {
  first_open_ = 0;
  for (Round& round : rounds_) {
    round.begun = round.unpacked = round.settled = false;
    if (round.in && round.in->end.buffered()) requests_.start(round.in->request);
  }
  (void)advance();
}

bool Rounds::may_begin(const Round& round) const {
  return std::all_of(round.after.begin(), round.after.end(),
                     [&](int earlier) { return rounds_[static_cast<std::size_t>(earlier)].settled; });
}

void Rounds::begin_round(Round& round) {
  round.begun = true;
  if (round.in && !round.in->end.buffered()) requests_.start(round.in->request);
  if (round.out) {
    {
      const Lap lap(stopwatch());
      round.out->end.pack();
    }
    requests_.start(round.out->request);
  }
  for (const LocalCopy& copy : round.copies) copy.copy();
}

bool Rounds::finish_round(Round& round) {
  const bool received = !round.in || requests_.done(round.in->request);
  const bool sent = !round.out || requests_.done(round.out->request);
  if (received && !round.unpacked) {
    if (round.in) {
      const Lap lap(stopwatch());
      round.in->end.unpack();
    }
    round.unpacked = true;
  }
  // What was packed is out of its slots before MPI has sent it.
  round.settled = received && (sent || round.out->end.buffered());
  return received && sent;
}

bool Rounds::advance() {
  bool all_complete = true;
  for (std::size_t r = first_open_; r < rounds_.size(); ++r) {
    Round& round = rounds_[r];
    if (!round.begun && may_begin(round)) begin_round(round);
    const bool complete = round.begun && finish_round(round);
    if (complete && r == first_open_) ++first_open_;
    all_complete = all_complete && complete;
  }
  return all_complete;
}

}  // namespace halocline::exchange
