// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/matrix_picture.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "tools/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace halocline::tools {
namespace {

constexpr Count most_dots = 256;  // along a side
constexpr int shades = 8;
constexpr double matrix_side = 512, matrix_gap = 24, matrix_head = 64;
constexpr double least_frame = 2;  // of a node
constexpr double widest_frame_line = 1.5;

/// Bytes from one stretch of places to another, row by row.
struct Density {
  Count places;  ///< In a stretch.
  Count dots;    ///< Along a side.
  Counts bytes;
};

Density density(const plan::MessageMatrix& matrix, const place::Order& order) {
  const Count places = divide_up(order.size(), most_dots), dots = divide_up(order.size(), places);
  const std::vector<Rank> position = order.positions();
  Density density{places, dots, Counts(to_size(dots * dots))};
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    density.bytes[to_size(position[source] / places * dots + position[target] / places)] += bytes;
  });
  return density;
}

/// By the logarithm: a dot of the darkest shade has about as much as the fullest one, and 0 is an empty one.
int shade(Count bytes, Count fullest) {
  if (bytes == 0) return 0;
  const double share = std::log1p(to_double(bytes)) / std::log1p(to_double(fullest));
  return std::clamp(static_cast<int>(std::ceil(share * shades)), 1, shades);
}

/// Dots of one shade are one path of lines that are as thick as a dot; those that follow each other in a row
/// are one line.
std::string dots_of(const Density& density, Count fullest) {
  std::array<std::string, shades + 1> lines;
  for (Count row = 0; row < density.dots; ++row)
    for (Count first = 0, last = 0; first < density.dots; first = last) {
      const auto shade_at = [&](Count column) {
        return shade(density.bytes[to_size(row * density.dots + column)], fullest);
      };
      const int here = shade_at(first);
      while (last < density.dots && shade_at(last) == here) ++last;
      lines[to_size(here)] += fmt::format("M{} {}h{}", first, row, last - first);
    }
  std::string svg = fmt::format(
      "<g transform=\"scale({:.6g}) translate(0,.5)\" fill=\"none\" shape-rendering=\"crispEdges\">\n",
      matrix_side / to_double(density.dots));
  for (std::size_t number = 1; number < lines.size(); ++number)
    if (!lines[number].empty())
      svg += fmt::format("<path class=\"shade{}\" stroke=\"hsl(215,60%,{}%)\" d=\"{}\"/>\n", number,
                         100 - 10 * number, lines[number]);
  return svg + "</g>\n";
}

/// Nodes are blocks on the diagonal, as long as they can be seen.
std::string node_blocks(const place::Order& order) {
  const double place = matrix_side / to_double(order.size());
  std::string path;
  Count begin = 0;
  for (const auto& [repeats, size] : order.nodes().runs()) {
    const double side = place * to_double(size);
    for (Count i = 0; i < repeats && side >= least_frame; ++i)
      path += fmt::format("M{0:.2f} {0:.2f}h{1:.2f}v{1:.2f}h-{1:.2f}z", place * to_double(begin + i * size),
                          side);
    begin += repeats * size;
  }
  // Where there are many, frames must not hide what is in them.
  const double width = std::min(widest_frame_line, matrix_side / to_double(order.nodes().size()) / 6);
  return fmt::format(
      "<path class=\"nodes\" d=\"{}\" stroke=\"#c33\" stroke-width=\"{:.2f}\" fill=\"none\"/>\n", path,
      width);
}

/// What both pictures have in common.
struct Pictures {
  Density before;
  Density after;
  Count fullest;  ///< Bytes of a dot: shades mean the same in both.
};

Pictures pictures_of(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice) {
  Density before = density(matrix, choice.before.order), after = density(matrix, choice.after.order);
  const auto most = [](const Density& of) { return *std::max_element(of.bytes.begin(), of.bytes.end()); };
  const Count fullest = std::max(most(before), most(after));
  return {std::move(before), std::move(after), fullest};
}

std::string title_of(const plan::RatedOrder& rated) {
  return fmt::format("{}: {} bytes between nodes", rated.by, rated.cost.node().bytes);
}

/// Rows, columns and nodes, without words.
std::string panel(const plan::RatedOrder& rated, const Density& density, Count fullest) {
  return fmt::format(
      "<rect class=\"side\" width=\"{0}\" height=\"{0}\" fill=\"none\" stroke=\"#999\"/>\n{1}{2}",
      matrix_side, dots_of(density, fullest), node_blocks(rated.order));
}

std::string panel_alone(const plan::RatedOrder& rated, const Density& density, Count fullest) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"matrix\" viewBox=\"-1 -1 {0} {0}\" role=\"img\">\n"
      "<title>{1}</title>\n{2}</svg>\n",
      matrix_side + 2, svg_text(title_of(rated)), panel(rated, density, fullest));
}

std::string panel_with_title(const plan::RatedOrder& rated, const Density& density, Count fullest, double x) {
  return fmt::format("<g transform=\"translate({:.0f},{:.0f})\">\n<text y=\"-8\">{}</text>\n{}</g>\n", x,
                     matrix_head, svg_text(title_of(rated)), panel(rated, density, fullest));
}

std::string words_of(const Density& density) {
  return concat("rows send, columns receive; a frame is a node, a dot ", density.places,
                density.places == 1 ? " rank" : " ranks", "; the darker, the more bytes, by their logarithm");
}

}  // namespace

MatrixPanels matrix_panels(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice) {
  const auto [before, after, fullest] = pictures_of(matrix, choice);
  return {before.places, panel_alone(choice.before, before, fullest),
          panel_alone(choice.after, after, fullest)};
}

std::string matrix_picture(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice) {
  const auto [before, after, fullest] = pictures_of(matrix, choice);
  const std::string title = concat(matrix.ranks(), " ranks on nodes ", choice.before.order.nodes().to_text());
  const std::string heads = fmt::format(
      "<text x=\"{0}\" y=\"20\" font-size=\"13\">{1}</text>\n<text x=\"{0}\" y=\"36\">{2}</text>\n",
      matrix_gap, svg_text(title), svg_text(words_of(before)));
  return svg_document(2 * matrix_side + 3 * matrix_gap, matrix_head + matrix_side + matrix_gap, title,
                      " font-family=\"sans-serif\" font-size=\"10\" style=\"max-width:100%;height:auto\"",
                      heads + panel_with_title(choice.before, before, fullest, matrix_gap) +
                          panel_with_title(choice.after, after, fullest, matrix_side + 2 * matrix_gap));
}

}  // namespace halocline::tools
