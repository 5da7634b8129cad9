// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/schedule_choice.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "plan/transport/allowed_schedule.hpp"
#include "schedule/by_node.hpp"

#include <algorithm>
#include <limits>

namespace halocline::plan {
namespace {

/// What a node may be asked for to put messages together, on each side of them.
constexpr Count most_gathered = Count{32} * 1024 * 1024;

/// Schedules that forward blocks are looked at only while there are at most so many moves.
constexpr double most_moves = 1 << 26;

/// The most that may be hoped for of messages between nodes: each number is the best of all prices.
struct Hope {
  double latency, least_message, most_message, byte;
};
Hope hope_of(const PairPrices& prices) {
  const schedule::LinearCost& usual = prices.between_nodes();
  Hope hope{usual.latency_seconds, usual.round_seconds, usual.round_seconds, usual.byte_seconds};
  for (std::size_t p = 0; p < prices.size(); ++p) {
    if (!prices.leaves(p)) continue;
    hope = {std::min(hope.latency, prices[p].latency_seconds),
            std::min(hope.least_message, prices[p].round_seconds),
            std::max(hope.most_message, prices[p].round_seconds),
            std::min(hope.byte, prices[p].byte_seconds)};
  }
  return hope;
}

/// Can forwarding blocks be faster than one message to each process? Always, if a block is the same for all:
/// whoever has it may as well pass it on. Otherwise it takes at least two messages in a row, and each message
/// that it saves is a block that is sent at least once more, through the way out that the processes of a node
/// share.
bool forwarding_may_pay(const Demand& demand, const Rating& direct, const PairPrices& prices) {
  const auto ranks = to_double(demand.grid.size());
  const double moves = to_double(demand.offsets.size()) * to_double(demand.grid.dimensions()) * ranks;
  if (moves > most_moves) return false;
  const Hope hope = hope_of(prices);
  if (demand.operation == Operation::allgather) return true;
  if (direct.seconds.network_messages <= hope.latency + hope.least_message) return false;
  Count least = 0;
  for (std::size_t i = 0; i < demand.offsets.size(); ++i)
    if (const Count bytes = demand.bytes(0, i); bytes > 0 && (least == 0 || bytes < least)) least = bytes;
  return to_double(least) * hope.byte < hope.most_message;
}

}  // namespace

const std::vector<ScheduleChoice>& schedules() {
  using enum ScheduleChoice;
  static const std::vector<ScheduleChoice> all{direct, node, mixed, torus, torus_direct, basis};
  return all;
}

std::vector<std::string> schedule_names() {
  std::vector<std::string> names;
  names.reserve(schedules().size());
  for (const ScheduleChoice schedule : schedules()) names.push_back(name_of(schedule));
  return names;
}

bool by_gateways(ScheduleChoice schedule) {
  return schedule == ScheduleChoice::node || schedule == ScheduleChoice::mixed;
}

bool combines(ScheduleChoice schedule) {
  return schedule != ScheduleChoice::automatic && schedule != ScheduleChoice::direct &&
         !by_gateways(schedule);
}

void require_schedule_name(const std::string& name) {
  std::string list;
  for (const std::string& known : schedule_names()) {
    if (known == name) return;
    list += (list.empty() ? "" : ", ") + known;
  }
  fail(Fault::invalid_argument, "no schedule is called \"", name, "\"; there are ", list);
}

Rating rate(const Rater& rater, ScheduleChoice schedule, const LevelCosts& prices,
            const ScheduleMeans& means) {
  if (schedule == ScheduleChoice::direct) return rater.direct();
  if (schedule == ScheduleChoice::node) return rater.by_node(Rater::any_length);
  if (schedule == ScheduleChoice::mixed) return rater.by_node(schedule::longest_by_node(prices));
  return rater.combined(means.schedule(name_of(schedule)));
}

std::vector<ScheduleTime> schedules_in_question(const Demand& demand, const LevelCosts& prices,
                                                const ScheduleMeans& means) {
  const Rater rater(demand, prices);
  std::vector<ScheduleTime> rated{{ScheduleChoice::direct, rater.direct()}};
  if (demand.nodes == 1) return rated;
  const bool forwarding = means.even && forwarding_may_pay(demand, rated.front().rating, rater.prices());
  for (const ScheduleChoice schedule : schedules_on({.shared = means.shared, .even = means.even})) {
    if (schedule == ScheduleChoice::direct || (combines(schedule) && !forwarding)) continue;
    const Rating rating = rate(rater, schedule, prices, means);
    if (rating.gathered <= most_gathered) rated.push_back({schedule, rating});
  }
  return rated;
}

const ScheduleTime& fastest(const std::vector<ScheduleTime>& rated) {
  constexpr double not_worth_it = 1.05;
  double least = std::numeric_limits<double>::max();
  for (const ScheduleTime& time : rated) least = std::min(least, time.rating.seconds.total());
  return *std::find_if(rated.begin(), rated.end(), [&](const ScheduleTime& time) {
    return time.rating.seconds.total() <= not_worth_it * least;
  });
}

ScheduleChoice choose_schedule(const Demand& demand, const LevelCosts& prices, const ScheduleMeans& means) {
  // On one node there is nothing to compare.
  if (demand.nodes == 1) return ScheduleChoice::direct;
  return fastest(schedules_in_question(demand, prices, means)).schedule;
}

}  // namespace halocline::plan
