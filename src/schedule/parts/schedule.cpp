// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/schedule.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/dependencies.hpp"

#include <algorithm>

namespace halocline {

bool Schedule::Round::local() const {
  return std::all_of(peer.begin(), peer.end(), [](Count step) { return step == 0; });
}

Schedule::Schedule(ScheduleParts parts) : parts_(std::move(parts)) {
  schedule::Dependencies dependencies(neighbours(), parts_.scratch.size());
  first_after_.reserve(rounds() + 1);
  for (std::size_t r = 0; r < rounds(); ++r) {
    first_after_.push_back(to_int(after_.size()));
    const auto first = to_index(parts_.first_moves[r]);
    const auto end = to_index(parts_.first_moves[r + 1]);
    for (std::size_t m = first; m < end; ++m) dependencies.read(parts_.moves[m].from);
    for (std::size_t m = first; m < end; ++m) dependencies.write(parts_.moves[m].to);
    dependencies.end_round(after_);
  }
  first_after_.push_back(to_int(after_.size()));
}

Schedule::Round Schedule::round(std::size_t index) const {
  const auto first = to_index(parts_.first_moves[index]);
  const std::size_t moves = to_index(parts_.first_moves[index + 1]) - first;
  const auto first_after = to_index(first_after_[index]);
  return {std::span(parts_.peers).subspan(index * dimensions(), dimensions()),
          std::span(parts_.moves).subspan(first, moves),
          std::span(parts_.travelled).subspan(first * dimensions(), moves * dimensions()),
          std::span(after_).subspan(first_after, to_index(first_after_[index + 1]) - first_after)};
}

}  // namespace halocline
