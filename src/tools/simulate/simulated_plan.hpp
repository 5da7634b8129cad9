// SPDX-License-Identifier: BSD-3-Clause
// What halocline plan chooses for a mesh on a machine that is only described, simulated beside the default
// that it is compared with, and both beside what the linear model expects.
#pragma once

#include "halocline/plan/plan.hpp"
#include "simulate/job.hpp"
#include "tools/common/command.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

/// One grid, one placement and one schedule with points of one size.
struct PlannedRun {
  std::string what;            ///< "plan" or "default".
  simulate::Job job;           ///< Of one schedule and one size.
  double predicted_seconds;    ///< By the linear model with the prices of the cluster.
  Count j_sum = 0, j_max = 0;  ///< Points that leave a node: all, and those of the worst.
};

/// The plan and the default for points of so many bytes; the plan alone where the default cannot be had.
struct PlannedRuns {
  std::vector<PlannedRun> runs;
  std::string why_no_default;
};

/// What the plan runs, and the grid, placement and messages that MPI gives by default; `shared` as
/// Job::shared, for both, so that they differ in nothing else. Throws as plan::make_plan and
/// simulate::Job::check.
[[nodiscard]] PlannedRuns planned_runs(const simulate::Cluster& cluster, const plan::Problem& problem,
                                       bool shared, bool checked);

/// Both of them for several sizes, with what they took.
class PlannedReport {
 public:
  PlannedReport(std::string machine, bool shared) : machine_(std::move(machine)), shared_(shared) {}

  void add(const PlannedRun& run, const simulate::Result& result) { rows_.push_back({run, result}); }
  void add_no_default(const std::string& why) { why_no_default_ = why; }

  /// @pre there is a row
  [[nodiscard]] Answer answer() const;
  /// A line for each of the two, logarithmic both ways, as SVG.
  [[nodiscard]] std::string picture() const;

 private:
  struct Row {
    PlannedRun run;
    simulate::Result result;
  };

  [[nodiscard]] std::string title() const;
  /// How the plan compares with the default, a line for each size.
  void add_verdicts(Answer& answer) const;

  std::string machine_;
  bool shared_;
  std::vector<Row> rows_;
  std::string why_no_default_;
};

}  // namespace halocline::tools
