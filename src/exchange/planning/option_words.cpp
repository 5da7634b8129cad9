// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/option_words.hpp"

#include "base/fail.hpp"
#include "plan/transport/schedule_choice.hpp"

#include <algorithm>
#include <array>

namespace halocline::exchange {
namespace {

/// In the order of ScheduleChoice.
constexpr std::array schedules{"auto", "direct", "node", "mixed", "torus", "torus-direct", "basis"};

}  // namespace

ScheduleChoice parse_schedule(const std::string& word) {
  plan::require_schedule_choice(word);
  return static_cast<ScheduleChoice>(std::find(schedules.begin(), schedules.end(), word) - schedules.begin());
}

std::string to_text(ScheduleChoice choice) {
  const auto number = static_cast<std::size_t>(choice);
  require(number < schedules.size(), "no schedule has the number ", number);
  return schedules[number];
}

SharedMemory parse_shared(const std::string& word) {
  if (word == "on") return SharedMemory::on;
  if (word == "buffered") return SharedMemory::buffered;
  require(word == "off", "shared memory is \"", word, "\"; it is on, buffered or off");
  return SharedMemory::off;
}

StatisticsChoice parse_statistics(const std::string& word) {
  if (word == "print") return StatisticsChoice::print;
  require(word == "on" || word == "off", "statistics is \"", word, "\"; it is on or off");
  return word == "on" ? StatisticsChoice::on : StatisticsChoice::off;
}

}  // namespace halocline::exchange
