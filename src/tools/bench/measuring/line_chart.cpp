// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/line_chart.hpp"

#include "base/numbers.hpp"
#include "tools/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace halocline::tools {
namespace {

constexpr double width = 720, height = 440, left = 80, right = 200, top = 40, bottom = 60;
constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                             "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f"};

/// A logarithmic axis from one power of the base to another.
class Axis {
 public:
  Axis(double base, double from, double to) : base_(base), from_(from), to_(to) {}

  void widen(double value) {
    const double power = std::log(value) / std::log(base_);
    first_ = std::min(first_, std::floor(power + 1e-9));
    last_ = std::max(last_, std::ceil(power - 1e-9));
    if (first_ == last_) ++last_;
  }
  [[nodiscard]] double at(double value) const {
    const double share = (std::log(value) / std::log(base_) - first_) / (last_ - first_);
    return from_ + share * (to_ - from_);
  }
  /// Powers of the base, at most about twelve.
  [[nodiscard]] std::vector<double> marks() const {
    std::vector<double> values;
    const double step = std::max(1.0, std::ceil((last_ - first_) / 12));
    for (double power = first_; power <= last_; power += step) values.push_back(std::pow(base_, power));
    return values;
  }

 private:
  double base_, from_, to_;
  double first_ = 1e9, last_ = -1e9;
};

std::string words(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     svg_text(text));
}

std::string stroke(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1,
                     y1, x2, y2, colour);
}

}  // namespace

void LineChart::add(const std::string& line, double x, double y) {
  auto known = std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.name == line; });
  if (known == lines_.end()) known = lines_.insert(lines_.end(), Line{line, {}});
  known->points.emplace_back(x, y);
}

std::string LineChart::svg() const {
  Axis across(2, left, width - right), up(10, height - bottom, top);
  for (const Line& line : lines_)
    for (const auto& [x, y] : line.points) {
      across.widen(x);
      up.widen(y);
    }
  std::string svg = words(left, top - 16, "start", title_);
  for (const double x : across.marks()) {
    svg += stroke(across.at(x), top, across.at(x), height - bottom, "#dddddd");
    svg += words(across.at(x), height - bottom + 18, "middle", fmt::format("{:g}", x));
  }
  for (const double y : up.marks()) {
    svg += stroke(left, up.at(y), width - right, up.at(y), "#dddddd");
    svg += words(left - 8, up.at(y) + 4, "end", fmt::format("{:g}", y));
  }
  svg += words((left + width - right) / 2, height - 16, "middle", x_name_);
  const std::string turned = fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", height / 2);
  svg += words(20, height / 2, "middle", y_name_, turned.c_str());
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    const char* const colour = colours[l % colours.size()];
    std::string points;
    for (const auto& [x, y] : lines_[l].points)
      points += fmt::format("{:.1f},{:.1f} ", across.at(x), up.at(y));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
                       colour);
    for (const auto& [x, y] : lines_[l].points)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", across.at(x),
                         up.at(y), colour);
    const double row = top + 10 + 20 * to_double(l);
    svg += stroke(width - right + 14, row, width - right + 38, row, colour);
    svg += words(width - right + 44, row + 4, "start", lines_[l].name);
  }
  return svg_document(width, height, "", " font-family=\"sans-serif\" font-size=\"12\"", svg);
}

}  // namespace halocline::tools
