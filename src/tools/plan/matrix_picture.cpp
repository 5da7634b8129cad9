// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/matrix_picture.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "tools/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halocline::tools {
namespace {

constexpr Count most_dots = 256;  // along a side
constexpr double matrix_side = 512, matrix_gap = 24, matrix_head = 64;

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

/// Eight shades, by the logarithm: a dot of the darkest has about as much as the fullest one.
int shade(Count bytes, Count fullest) {
  if (bytes == 0) return 0;
  const double share = std::log1p(to_double(bytes)) / std::log1p(to_double(fullest));
  return std::clamp(static_cast<int>(std::ceil(share * 8)), 1, 8);
}

/// Dots of one shade that follow each other in a row are one rectangle.
std::string dots_of(const Density& density, Count fullest) {
  const double dot = matrix_side / to_double(density.dots);
  std::string svg;
  for (Count row = 0; row < density.dots; ++row)
    for (Count first = 0, last = 0; first < density.dots; first = last) {
      const auto shade_at = [&](Count column) {
        return shade(density.bytes[to_size(row * density.dots + column)], fullest);
      };
      const int here = shade_at(first);
      while (last < density.dots && shade_at(last) == here) ++last;
      if (here == 0) continue;
      svg += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"hsl(215,60%,{}%)\"/>\n",
          to_double(first) * dot, to_double(row) * dot, to_double(last - first) * dot, dot, 100 - 10 * here);
    }
  return svg;
}

/// Nodes are blocks on the diagonal, as long as they can be seen.
std::string node_blocks(const place::Order& order) {
  const double place = matrix_side / to_double(order.size());
  std::string path;
  Count begin = 0;
  for (const auto& [repeats, size] : order.nodes().runs())
    for (Count i = 0; i < repeats && place * to_double(size) >= 2; ++i, begin += size) {
      const double side = place * to_double(size), at = place * to_double(begin);
      path += fmt::format("M{0:.2f} {0:.2f}h{1:.2f}v{1:.2f}h-{1:.2f}z", at, side);
    }
  return fmt::format("<path d=\"{}\" stroke=\"#c33\" fill=\"none\"/>\n", path);
}

std::string panel(const plan::RatedOrder& rated, const Density& density, Count fullest, double x) {
  const std::string title = fmt::format("{}: {} bytes between nodes", rated.by, rated.cost.node().bytes);
  return fmt::format(
      "<g transform=\"translate({:.0f},{:.0f})\">\n<text y=\"-8\">{}</text>\n<rect width=\"{}\" "
      "height=\"{}\" "
      "fill=\"none\" stroke=\"#999\"/>\n{}{}</g>\n",
      x, matrix_head, svg_text(title), matrix_side, matrix_side, dots_of(density, fullest),
      node_blocks(rated.order));
}

}  // namespace

std::string matrix_picture(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice) {
  const Density before = density(matrix, choice.before.order), after = density(matrix, choice.after.order);
  const Count fullest = std::max(*std::max_element(before.bytes.begin(), before.bytes.end()),
                                 *std::max_element(after.bytes.begin(), after.bytes.end()));
  const std::string title = concat(matrix.ranks(), " ranks on nodes ", choice.before.order.nodes().to_text());
  const std::string words =
      concat("rows send, columns receive; a frame is a node, a dot ", before.places,
             before.places == 1 ? " rank" : " ranks", "; the darker, the more bytes, by their logarithm");
  const std::string heads = fmt::format(
      "<text x=\"{0}\" y=\"20\" font-size=\"13\">{1}</text>\n<text x=\"{0}\" y=\"36\">{2}</text>\n",
      matrix_gap, svg_text(title), svg_text(words));
  return svg_document(2 * matrix_side + 3 * matrix_gap, matrix_head + matrix_side + matrix_gap, title,
                      " font-family=\"sans-serif\" font-size=\"10\" style=\"max-width:100%;height:auto\"",
                      heads + panel(choice.before, before, fullest, matrix_gap) +
                          panel(choice.after, after, fullest, matrix_side + 2 * matrix_gap));
}

}  // namespace halocline::tools
