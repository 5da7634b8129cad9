// SPDX-License-Identifier: BSD-3-Clause
// What was simulated, as a table, as JSON and as a picture, beside what the plan's linear model expects.
#pragma once

#include "simulate/job.hpp"
#include "tools/common/command.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

struct SimulatedPlace {
  std::string name;
  std::vector<simulate::Result> results;
};

class SimulationReport {
 public:
  /// `job` is that of any of the places. The first schedule of the first place is what others are compared
  /// with.
  SimulationReport(std::string machine, const simulate::Job& job, const std::vector<SimulatedPlace>& places);

  [[nodiscard]] Answer answer() const;
  /// A line for each way, logarithmic both ways, as SVG.
  [[nodiscard]] std::string picture() const;

 private:
  struct Row {
    std::string place;
    simulate::Result result;
    double ratio;                         ///< How many times as fast as the first way it is.
    double predicted_seconds;             ///< By the plan's linear model.
    Count j_sum, j_max;                   ///< Weights between nodes, with a mesh points; the worst node's.
    Count smallest_block, largest_block;  ///< Bytes, of the process with the largest share.
  };

  std::string machine_;
  simulate::Job job_;
  std::vector<Row> rows_;
};

}  // namespace halocline::tools
