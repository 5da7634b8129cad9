// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks of exchanges have in common: who competes, and the table of ratios.
#pragma once

#include "halocline/base/count.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/common/options.hpp"
#include "tools/common/table.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

/// One line for each case; on a terminal they replace each other.
void show_progress(MPI_Comm comm, const std::string& text);

/// Someone in the contest, with what the table says besides the time.
struct Contestant {
  Competitor competitor;
  std::string schedule = {};  ///< What "auto" has become, and the like; empty for rivals.
  double init_seconds = 0;    ///< Of creating another one like it; 0 for rivals.
};

/// Options that all of these benchmarks have.
void add_contest_options(Options& options, ContestRules& rules);

/// For run_contest; sizes have one name for people and one for programs.
[[nodiscard]] Table contest_table(const char* heading, const char* key);
/// Measures them in turns and adds a row for each to the table. The first one is the measure. Collective.
void run_contest(Table& table, MPI_Comm comm, Count size, const std::vector<Contestant>& contestants,
                 const ContestRules& rules);

}  // namespace halocline::tools
