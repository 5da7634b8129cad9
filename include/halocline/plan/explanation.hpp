// SPDX-License-Identifier: BSD-3-Clause
// A plan that travels: with all it was made from, beside what MPI gives by default, as text for people and as
// a file for programs.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/plan/plan.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::plan {

/// Who says what machine it is.
struct MachineSource {
  std::string name = "options";          ///< A word: options, hostfile, job, environment, slurm, pbs or host.
  std::string told_by = "as described";  ///< The same for people.
  std::vector<std::string> hosts = {};   ///< A name for each node; none if nobody said.

  /// The processes that ask.
  [[nodiscard]] static MachineSource of_job() { return {"job", "discovered by the processes of this job"}; }
};

/// A plan beside the default.
struct HALOCLINE_API Explanation {
  Problem problem;  ///< With halo widths for all dimensions.
  Choices choices;
  MachineSource source;
  Seating seating;
  Plan plan;
  std::optional<Plan> usual;  ///< None where the default cannot be had.
  std::string why_not_usual;

  /// How many times longer the default takes; 1 where neither takes any time. @pre usual
  [[nodiscard]] double speedup() const;

  /// What `halocline plan` prints.
  [[nodiscard]] std::string to_text() const;
  /// The beginning of it: what was asked for, and why processes sit where they do.
  [[nodiscard]] std::string seats_to_text() const;
  /// What `halocline plan --json` prints, see docs/plan.md; parse() reads it.
  [[nodiscard]] std::string to_json() const;

  /// The plan that a file describes, made again from its decisions. Throws Error{invalid_argument} that names
  /// the line where it is no JSON, or the entry that is missing or says nonsense; as plan_for().
  [[nodiscard]] static Explanation parse(std::string_view json);
};

/// Chooses, and compares. Throws as make_plan.
[[nodiscard]] HALOCLINE_API Explanation explain(const Problem& problem, const Choices& choices = {},
                                                MachineSource source = {});
/// For processes that have their cells. Throws as plan_for.
[[nodiscard]] HALOCLINE_API Explanation explain(const Problem& problem, const Choices& choices,
                                                Seating seating, MachineSource source = {});

}  // namespace halocline::plan
