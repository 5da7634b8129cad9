#include "tools/plan/place_picture.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "tools/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halocline::tools {
namespace {

constexpr Count most_cells_drawn = 1'000'000;
constexpr double picture_width = 1200;
constexpr double largest_cell = 24;
constexpr double caption_height = 18;
constexpr double panel_gap = 16;

/// Colours of consecutive nodes are far apart: the hue walks round the circle by the golden ratio.
std::string colour(Count node) {
  const double golden_angle = 137.50776405;
  const double hue = std::fmod(static_cast<double>(node) * golden_angle, 360);
  const int lightness = 62 + static_cast<int>(node % 3) * 9;
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
                         static_cast<double>(first) * cell, static_cast<double>(row) * cell,
                         static_cast<double>(last - first) * cell, cell, colour(panel.node(row, first)));
    }
}

void draw_borders(std::string& svg, const Panel& panel, double cell) {
  std::string path;
  for (Count row = 0; row < panel.rows; ++row)
    for (Count column = 0; column < panel.columns; ++column) {
      const double x = static_cast<double>(column) * cell;
      const double y = static_cast<double>(row) * cell;
      if (column > 0 && panel.node(row, column) != panel.node(row, column - 1))
        path += fmt::format("M{:.2f} {:.2f}v{:.2f}", x, y, cell);
      if (row > 0 && panel.node(row, column) != panel.node(row - 1, column))
        path += fmt::format("M{:.2f} {:.2f}h{:.2f}", x, y, cell);
    }
  svg += fmt::format("<path d=\"{}\" stroke=\"#222\" stroke-width=\"{:.2f}\" fill=\"none\"/>\n", path,
                     std::min(1.5, cell / 6));
}

/// Where the panels go: as many in a row as fit.
struct Arrangement {
  double cell;
  Count across;
  double panel_width;
  double panel_height;
};

Arrangement arrange(Count panels, Count rows, Count columns) {
  const auto across = static_cast<Count>(std::ceil(std::sqrt(static_cast<double>(panels))));
  const double room =
      (picture_width - panel_gap * static_cast<double>(across + 1)) / static_cast<double>(across);
  const double cell = std::min(
      {largest_cell, room / static_cast<double>(columns), picture_width / static_cast<double>(rows)});
  return {cell, across, cell * static_cast<double>(columns),
          cell * static_cast<double>(rows) + caption_height};
}

}  // namespace

std::string place_picture(const place::Problem& problem, const Placement& placement) {
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

  const double width = panel_gap + static_cast<double>(across) * (panel_width + panel_gap);
  const double height =
      panel_gap + static_cast<double>(divide_up(panels, across)) * (panel_height + panel_gap);
  std::string svg;
  Panel panel{rows, columns, std::vector<Count>(static_cast<std::size_t>(rows * columns))};
  for (Count p = 0; p < panels; ++p) {
    placement.ranks(p * rows * columns, panel.nodes);
    for (Count& node : panel.nodes) node = problem.machine().node_of(node);
    const Count row = p / across;
    const Count column = p % across;
    svg += fmt::format("<g transform=\"translate({:.2f},{:.2f})\">\n",
                       panel_gap + static_cast<double>(column) * (panel_width + panel_gap),
                       panel_gap + static_cast<double>(row) * (panel_height + panel_gap) + caption_height);
    if (!outer.empty())
      svg += fmt::format("<text y=\"-5\" font-family=\"sans-serif\" font-size=\"11\">({}, *, *)</text>\n",
                         join(Grid(outer).cell(p), ", "));
    draw_cells(svg, panel, cell);
    draw_borders(svg, panel, cell);
    svg += "</g>\n";
  }
  return svg_document(width, height, concat("grid ", grid.to_text(), " on ", problem.machine().to_text()), "",
                      svg);
}

}  // namespace halocline::tools
