// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/dependencies.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::schedule {

void Dependencies::wait_for(std::int32_t round) {
  if (round == none || round == round_) return;
  const auto rounds = to_size(round_);
  if (waiting_.size() < rounds) waiting_.resize(2 * rounds + 64, none);
  std::int32_t& last = waiting_[to_index(round)];
  if (last == round_) return;
  last = round_;
  pending_.push_back(round);
}

void Dependencies::read(Slot slot) {
  if (slot.buffer == Slot::Buffer::send) return;
  Uses& found = uses(slot);
  wait_for(found.writer);
  readings_.push_back({round_, found.last_reading});
  found.last_reading = to_int(readings_.size()) - 1;
}

void Dependencies::write(Slot slot) {
  Uses& found = uses(slot);
  // A reader waits for the writer already, so that the writer need not be named beside it.
  if (found.last_reading == none) wait_for(found.writer);
  for (std::int32_t i = found.last_reading; i != none; i = readings_[to_index(i)].earlier)
    wait_for(readings_[to_index(i)].round);
  found = {round_, none};
}

void Dependencies::end_round(std::vector<std::int32_t>& after) {
  std::sort(pending_.begin(), pending_.end());
  after.insert(after.end(), pending_.begin(), pending_.end());
  pending_.clear();
  ++round_;
}

}  // namespace halocline::schedule
