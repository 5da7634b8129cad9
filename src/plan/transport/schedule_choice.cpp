// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/schedule_choice.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "schedule/algorithms.hpp"
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
  const auto ranks = static_cast<double>(demand.grid.size());
  const double moves =
      static_cast<double>(demand.offsets.size()) * static_cast<double>(demand.grid.dimensions()) * ranks;
  if (moves > most_moves) return false;
  const Hope hope = hope_of(prices);
  if (demand.operation == Operation::allgather) return true;
  if (direct.seconds.network_messages <= hope.latency + hope.least_message) return false;
  Count least = 0;
  for (std::size_t i = 0; i < demand.offsets.size(); ++i)
    if (const Count bytes = demand.bytes(0, i); bytes > 0 && (least == 0 || bytes < least)) least = bytes;
  return static_cast<double>(least) * hope.byte < hope.most_message;
}

void require_one_of(const std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  fail(Fault::invalid_argument, "no schedule is called \"", name, "\"; there are ", list);
}

}  // namespace

std::vector<std::string> schedule_names() {
  std::vector<std::string> names{"direct", "node", "mixed"};
  for (const schedule::Algorithm& algorithm : schedule::algorithms())
    if (combines(std::string(algorithm.name))) names.emplace_back(algorithm.name);
  return names;
}

bool combines(const std::string& schedule) {
  return schedule != "direct" && schedule != "node" && schedule != "mixed";
}

void require_schedule_name(const std::string& name) { require_one_of(schedule_names(), name); }

void require_schedule_choice(const std::string& name) {
  std::vector<std::string> names = schedule_names();
  names.insert(names.begin(), "auto");
  require_one_of(names, name);
}

Rating rate(const Rater& rater, const std::string& schedule, const LevelCosts& prices,
            const ScheduleMeans& means) {
  if (schedule == "direct") return rater.direct();
  if (schedule == "node") return rater.by_node(Rater::any_length);
  if (schedule == "mixed") return rater.by_node(schedule::longest_by_node(prices));
  return rater.combined(means.schedule(schedule));
}

std::vector<ScheduleTime> schedules_in_question(const Demand& demand, const LevelCosts& prices,
                                                const ScheduleMeans& means) {
  const Rater rater(demand, prices);
  std::vector<ScheduleTime> rated{{"direct", rater.direct()}};
  if (demand.nodes == 1) return rated;
  const bool forwarding = means.even && forwarding_may_pay(demand, rated.front().rating, rater.prices());
  for (const std::string& name : schedule_names()) {
    if (name == "direct" || (combines(name) ? !forwarding : !means.shared)) continue;
    const Rating rating = rate(rater, name, prices, means);
    if (rating.gathered <= most_gathered) rated.push_back({name, rating});
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

std::string choose_schedule(const Demand& demand, const LevelCosts& prices, const ScheduleMeans& means) {
  // On one node there is nothing to compare.
  if (demand.nodes == 1) return "direct";
  return fastest(schedules_in_question(demand, prices, means)).name;
}

}  // namespace halocline::plan
