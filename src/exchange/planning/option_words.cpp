// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/option_words.hpp"

#include "base/fail.hpp"

namespace halocline::exchange {
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
