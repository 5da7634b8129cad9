// SPDX-License-Identifier: BSD-3-Clause
// A picture of lines through points, logarithmic both ways, as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {

class LineChart {
 public:
  LineChart(std::string title, std::string x_name, std::string y_name)
      : title_(std::move(title)), x_name_(std::move(x_name)), y_name_(std::move(y_name)) {}

  /// A point of the line of that name. @pre both are positive
  void add(const std::string& line, double x, double y);
  /// @pre there is a point
  [[nodiscard]] std::string svg() const;

 private:
  struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;
  };

  std::string title_, x_name_, y_name_;
  std::vector<Line> lines_;
};

}  // namespace halocline::tools
