// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/process/merge_rounds.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace halocline::schedule {
namespace {

/// Rounds that may become one: those with the same peer; a local round is alone.
struct Classes {
  std::vector<std::int32_t> of_round;
  std::int32_t number = 0;
};

Classes classes_of(const Schedule& schedule) {
  const std::size_t rounds = schedule.rounds();
  std::vector<std::int32_t> sorted(rounds);
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto peer = [&](std::int32_t r) { return schedule.round(to_index(r)).peer; };
  std::sort(sorted.begin(), sorted.end(), [&](std::int32_t a, std::int32_t b) {
    const auto one = peer(a), other = peer(b);
    return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
  });
  Classes classes;
  classes.of_round.resize(rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    const bool joins = i > 0 && std::ranges::equal(peer(sorted[i]), peer(sorted[i - 1])) &&
                       !schedule.round(to_index(sorted[i])).local();
    classes.of_round[to_index(sorted[i])] = joins ? classes.number - 1 : classes.number++;
  }
  return classes;
}

/// Takes rounds whose predecessors are all taken, class by class.
class Merger {
 public:
  Merger(const Schedule& schedule, const Classes& classes)
      : classes_(classes),
        followers_(schedule.rounds()),
        missing_(schedule.rounds()),
        left_(to_index(classes.number), 0),
        ready_(to_index(classes.number)) {
    for (std::size_t r = 0; r < schedule.rounds(); ++r) {
      const auto after = schedule.round(r).after;
      for (const std::int32_t earlier : after) followers_[to_index(earlier)].push_back(to_int(r));
      missing_[r] = after.size();
      ++left_[to_index(classes.of_round[r])];
    }
    for (std::size_t r = 0; r < schedule.rounds(); ++r)
      if (missing_[r] == 0) make_ready(to_int(r));
  }

  /// The next rounds to become one, ascending; none at the end.
  std::vector<std::int32_t> next() {
    std::set<Candidate>& candidates = whole_.empty() ? parts_ : whole_;
    if (candidates.empty()) return {};
    const std::int32_t chosen = candidates.begin()->second;
    candidates.erase(candidates.begin());
    std::vector<std::int32_t> group = std::move(ready_[to_index(chosen)]);
    ready_[to_index(chosen)].clear();
    left_[to_index(chosen)] -= group.size();
    for (const std::int32_t round : group)
      for (const std::int32_t follower : followers_[to_index(round)])
        if (--missing_[to_index(follower)] == 0) make_ready(follower);
    std::sort(group.begin(), group.end());
    return group;
  }

 private:
  using Candidate = std::pair<std::int32_t, std::int32_t>;  // the first of the ready rounds, and their class

  void make_ready(std::int32_t round) {
    const std::int32_t own = classes_.of_round[to_index(round)];
    std::vector<std::int32_t>& ready = ready_[to_index(own)];
    if (!ready.empty()) parts_.erase({ready.front(), own});
    ready.push_back(round);
    if (ready.back() < ready.front()) std::swap(ready.front(), ready.back());
    (ready.size() == left_[to_index(own)] ? whole_ : parts_).insert({ready.front(), own});
  }

  const Classes& classes_;
  std::vector<std::vector<std::int32_t>> followers_;
  std::vector<std::size_t> missing_;              ///< For each round, the predecessors not yet taken.
  std::vector<std::size_t> left_;                 ///< For each class, the rounds not yet taken.
  std::vector<std::vector<std::int32_t>> ready_;  ///< For each class; the first in front.
  std::set<Candidate> whole_;                     ///< Classes of which all rounds left are ready.
  std::set<Candidate> parts_;                     ///< Classes of which only some are.
};

}  // namespace

Schedule merge_rounds(Schedule schedule) {
  const Classes classes = classes_of(schedule);
  if (to_index(classes.number) == schedule.rounds()) return schedule;

  const std::size_t dimensions = schedule.dimensions();
  const ScheduleParts& old = schedule.parts();
  ScheduleParts merged{old.operation, dimensions, old.offsets, old.served, old.scratch, {}, {}, {}, {}};
  merged.moves.reserve(old.moves.size());
  merged.travelled.reserve(old.travelled.size());
  Merger merger(schedule, classes);
  for (std::vector<std::int32_t> group = merger.next(); !group.empty(); group = merger.next()) {
    merged.first_moves.push_back(to_int(merged.moves.size()));
    const auto peer = schedule.round(to_index(group.front())).peer;
    merged.peers.insert(merged.peers.end(), peer.begin(), peer.end());
    for (const std::int32_t r : group) {
      const Schedule::Round round = schedule.round(to_index(r));
      merged.moves.insert(merged.moves.end(), round.moves.begin(), round.moves.end());
      merged.travelled.insert(merged.travelled.end(), round.travelled.begin(), round.travelled.end());
    }
  }
  merged.first_moves.push_back(to_int(merged.moves.size()));
  return Schedule(std::move(merged));
}

}  // namespace halocline::schedule
