// What the benchmarks of the parts have in common.
#pragma once

#include "tools/bench/measuring/clock.hpp"
#include "tools/common/command.hpp"
#include "tools/common/table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace halocline::bench {

/// --quick, for those whose tables take long.
inline void add_quick_option(tools::Options& options, bool& quick) {
  options.add_flag("--quick", quick, "two cases of each table and few samples, to see that it works");
}

/// As many samples as a benchmark takes, or few.
[[nodiscard]] inline tools::Samples chosen(const tools::Samples& samples, bool quick) {
  return quick ? tools::Samples{3, 3, 0} : samples;
}

/// All cases of a table, or with --quick the first two.
template <class Cases>
[[nodiscard]] auto chosen(const Cases& cases, bool quick) {
  const std::ptrdiff_t all = std::ssize(cases);
  return std::vector(std::begin(cases), std::begin(cases) + (quick ? std::min<std::ptrdiff_t>(all, 2) : all));
}

/// One table more, below a line or more about it.
inline void append(tools::Answer& answer, const char* key, const std::string& about,
                   const tools::Table& table) {
  answer.text += about + table.to_text();
  answer.json[key] = table.to_json();
}

}  // namespace halocline::bench
