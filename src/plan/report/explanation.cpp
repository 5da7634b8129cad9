// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/plan/explanation.hpp"

#include "halocline/base/error.hpp"
#include "plan/options/option_names.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/report/plan_file.hpp"

#include <cmath>

namespace halocline::plan {

double Explanation::speedup() const {
  const double ours = plan.prediction.seconds.total();
  const double theirs = usual->prediction.seconds.total();
  if (ours == 0) return theirs == 0 ? 1 : HUGE_VAL;
  return theirs / ours;
}

Explanation explain(const Problem& problem, const Choices& choices, Seating seating, MachineSource source) {
  Plan plan = plan_for(problem, seating, choices);
  Explanation both{problem,      choices, std::move(source), std::move(seating), std::move(plan),
                   std::nullopt, ""};
  if (both.problem.halo.empty()) both.problem.halo.assign(problem.mesh.dimensions(), 1);
  try {
    both.usual = default_plan(problem, choices.prices);
  } catch (const Error& error) {
    if (error.fault() != Fault::invalid_dimensions) throw;
    both.why_not_usual = error.what();
  }
  return both;
}

Explanation explain(const Problem& problem, const Choices& choices, MachineSource source) {
  check_choices(choices);
  return explain(problem, choices, choose_seating(problem, choices), std::move(source));
}

Explanation Explanation::parse(std::string_view json) {
  Decisions read = read_decisions(json);
  Seating seating = seating_of(read);
  Explanation both = explain(read.problem, read.choices, seating, read.source);
  if (both.plan.schedule == read.schedule) return both;
  // Another version of the library chose it by other rules.
  read.choices.schedule = schedule_named(read.schedule);
  return explain(read.problem, read.choices, std::move(seating), std::move(read.source));
}

}  // namespace halocline::plan
