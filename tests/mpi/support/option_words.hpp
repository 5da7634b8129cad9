// The options of an exchange by the words that tables of tests have.
#pragma once

#include "exchange/flows/wire.hpp"
#include "exchange/planning/option_words.hpp"
#include "plan/options/option_names.hpp"

#include <string>

namespace halocline {

/// What is empty is not given.
inline ExchangeOptions options_of_words(const std::string& schedule, const std::string& wire = "",
                                        const std::string& shared = "", const std::string& statistics = "") {
  ExchangeOptions options;
  if (!schedule.empty()) options.schedule = plan::schedule_named(schedule);
  if (!wire.empty()) options.wire = exchange::parse_wire(wire);
  if (!shared.empty()) options.shared = exchange::parse_shared(shared);
  if (!statistics.empty()) options.statistics = exchange::parse_statistics(statistics);
  return options;
}

}  // namespace halocline
