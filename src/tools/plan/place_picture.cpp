// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/place_picture.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/cost.hpp"
#include "tools/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace halocline::tools {
namespace {

constexpr Count most_cells_drawn = 1'000'000;
constexpr double picture_width = 1200;
constexpr double largest_cell = 24;
constexpr double caption_height = 30;  // above each panel: its place in the grid and numbers of columns
constexpr double panel_gap = 16;
constexpr double axis_width = 26;    // left of each panel: numbers of rows
constexpr double head_height = 58;   // title, cost and legend
constexpr double least_width = 600;  // that the head needs
constexpr double letter = 6.2;       // about the width of a digit at 10 pixels

/// Colours of consecutive nodes are far apart: the hue walks round the circle by the golden ratio.
std::string colour(Count node) {
  const double golden_angle = 137.50776405;
  const double hue = std::fmod(to_double(node) * golden_angle, 360);
  const int lightness = 62 + to_int(node % 3) * 9;
  return fmt::format("hsl({:.0f},58%,{}%)", hue, lightness);
}

/// One slice of the grid along its last two dimensions.
struct Panel {
  Count rows;
  Count columns;
  std::vector<Count> nodes;  ///< Row by row.
  [[nodiscard]] Count node(Count row, Count column) const { return nodes[to_index(row * columns + column)]; }
};

/// Runs of cells of one node along a row are one rectangle.
void draw_cells(std::string& svg, const Panel& panel, double cell) {
  for (Count row = 0; row < panel.rows; ++row)
    for (Count first = 0, last = 0; first < panel.columns; first = last) {
      while (last < panel.columns && panel.node(row, last) == panel.node(row, first)) ++last;
      svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                         to_double(first) * cell, to_double(row) * cell, to_double(last - first) * cell, cell,
                         colour(panel.node(row, first)));
    }
}

void draw_borders(std::string& svg, const Panel& panel, double cell) {
  std::string path;
  for (Count row = 0; row < panel.rows; ++row)
    for (Count column = 0; column < panel.columns; ++column) {
      const double x = to_double(column) * cell;
      const double y = to_double(row) * cell;
      if (column > 0 && panel.node(row, column) != panel.node(row, column - 1))
        path += fmt::format("M{:.2f} {:.2f}v{:.2f}", x, y, cell);
      if (row > 0 && panel.node(row, column) != panel.node(row - 1, column))
        path += fmt::format("M{:.2f} {:.2f}h{:.2f}", x, y, cell);
    }
  svg += fmt::format("<path d=\"{}\" stroke=\"#222\" stroke-width=\"{:.2f}\" fill=\"none\"/>\n", path,
                     std::min(1.5, cell / 6));
}

/// The number of each node, once, in its longest run of a row that has room for it.
void write_nodes(std::string& svg, const Panel& panel, double cell) {
  struct Run {
    Count row = 0, first = 0, cells = 0;
  };
  if (cell < 10) return;
  std::map<Count, Run> longest;
  for (Count row = 0; row < panel.rows; ++row)
    for (Count first = 0, last = 0; first < panel.columns; first = last) {
      while (last < panel.columns && panel.node(row, last) == panel.node(row, first)) ++last;
      Run& run = longest[panel.node(row, first)];
      if (last - first > run.cells) run = {row, first, last - first};
    }
  for (const auto& [node, run] : longest) {
    const std::string number = std::to_string(node);
    const double width = to_double(run.cells) * cell;
    if (to_double(number.size()) * letter + 4 > width) continue;
    svg +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"#222\">{}</text>\n",
                    to_double(run.first) * cell + width / 2, (to_double(run.row) + 0.5) * cell + 3.5, number);
  }
}

/// Coordinates along both sides, as many as there is room for.
void draw_axes(std::string& svg, const Panel& panel, double cell) {
  const auto every = [&](double room) {
    return std::max(Count{1}, static_cast<Count>(std::ceil(room / cell)));
  };
  for (Count column = 0; column < panel.columns; column += every(4 * letter))
    svg += fmt::format("<text x=\"{:.2f}\" y=\"-4\" text-anchor=\"middle\" fill=\"#666\">{}</text>\n",
                       (to_double(column) + 0.5) * cell, column);
  for (Count row = 0; row < panel.rows; row += every(12))
    svg += fmt::format("<text x=\"-4\" y=\"{:.2f}\" text-anchor=\"end\" fill=\"#666\">{}</text>\n",
                       (to_double(row) + 0.5) * cell + 3.5, row);
}

/// What is shown, what it costs, and what colours and lines mean.
std::string head(const place::Problem& problem, const Placement& placement, std::string_view algorithm) {
  const Grid& grid = problem.grid();
  const place::LevelCost cost = place::node_cost(problem, placement);
  const std::size_t dimensions = grid.dimensions();
  const std::string sides = dimensions == 1
                                ? "left to right: dimension 0"
                                : fmt::format("downwards: dimension {}, left to right: dimension {}",
                                              dimensions - 2, dimensions - 1);
  const auto line = [](double y, int size, std::string_view text) {
    return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"{}\">{}</text>\n", panel_gap, y, size,
                       svg_text(text));
  };
  return line(18, 13, concat(algorithm, ": grid ", grid.to_text(), " on ", problem.machine().to_text())) +
         line(34, 10,
              concat("between nodes: ", cost.total.messages, " messages, ", cost.total.bytes,
                     " in weights (J_sum); the busiest node sends ", cost.largest.bytes, " (J_max)")) +
         line(49, 10, concat("a colour and its number: a node; a line: nodes meet; ", sides));
}

/// Where the panels go: as many in a row as fit.
struct Arrangement {
  double cell;
  Count across;
  double panel_width;
  double panel_height;
};

Arrangement arrange(Count panels, Count rows, Count columns) {
  const auto across = static_cast<Count>(std::ceil(std::sqrt(to_double(panels))));
  const double room = (picture_width - panel_gap) / to_double(across) - panel_gap - axis_width;
  const double cell = std::min({largest_cell, room / to_double(columns), picture_width / to_double(rows)});
  return {cell, across, cell * to_double(columns), cell * to_double(rows) + caption_height};
}

}  // namespace

std::string place_picture(const place::Problem& problem, const Placement& placement,
                          std::string_view algorithm) {
  const Grid& grid = problem.grid();
  if (grid.size() > most_cells_drawn)
    fail(Fault::unsupported, "a picture of ", grid.size(), " cells; at most ", most_cells_drawn,
         " can be seen");
  Counts outer = grid.extents();
  const Count columns = outer.back();
  outer.pop_back();
  const Count rows = outer.empty() ? 1 : outer.back();
  if (!outer.empty()) outer.pop_back();
  const Count panels = checked_product(outer);
  const auto [cell, across, panel_width, panel_height] = arrange(panels, rows, columns);

  const double step = axis_width + panel_width + panel_gap;
  const double width = std::max(least_width, panel_gap + to_double(across) * step);
  const double height = head_height + to_double(divide_up(panels, across)) * (panel_height + panel_gap);
  std::string svg = head(problem, placement, algorithm);
  Panel panel{rows, columns, std::vector<Count>(to_size(rows * columns))};
  for (Count p = 0; p < panels; ++p) {
    placement.ranks(p * rows * columns, panel.nodes);
    for (Count& node : panel.nodes) node = problem.machine().node_of(node);
    const Count row = p / across;
    const Count column = p % across;
    svg += fmt::format("<g transform=\"translate({:.2f},{:.2f})\">\n",
                       panel_gap + axis_width + to_double(column) * step,
                       head_height + to_double(row) * (panel_height + panel_gap) + caption_height);
    if (!outer.empty())
      svg += fmt::format("<text y=\"-18\">({}, *, *)</text>\n", join(Grid(outer).cell(p), ", "));
    draw_axes(svg, panel, cell);
    draw_cells(svg, panel, cell);
    draw_borders(svg, panel, cell);
    write_nodes(svg, panel, cell);
    svg += "</g>\n";
  }
  return svg_document(width, height, concat("grid ", grid.to_text(), " on ", problem.machine().to_text()),
                      " font-family=\"sans-serif\" font-size=\"10\" style=\"max-width:100%;height:auto\"",
                      svg);
}

}  // namespace halocline::tools
