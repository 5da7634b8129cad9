// A plan beside the default, for people and for programs.
#pragma once

#include "halocline/plan/plan.hpp"
#include "tools/command.hpp"
#include "tools/job_machine.hpp"

namespace halocline::tools {

/// The keys of the JSON are documented in docs/plan.md.
[[nodiscard]] Answer plan_report(const plan::Problem& problem, const JobMachine& job,
                                 const LevelCosts& prices, const plan::Explanation& both);

}  // namespace halocline::tools
