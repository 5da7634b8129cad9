// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/svg.hpp"

#include <fmt/format.h>

namespace halocline::tools {

std::string svg_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

std::string svg_document(double width, double height, std::string_view title, std::string_view attributes,
                         std::string_view contents) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\"{2}>\n{3}<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{4}</svg>\n",
      width, height, attributes,
      title.empty() ? std::string() : fmt::format("<title>{}</title>\n", svg_text(title)), contents);
}

}  // namespace halocline::tools
