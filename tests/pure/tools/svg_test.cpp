// Texts and documents of pictures.

#include "tools/common/svg.hpp"

#include <gtest/gtest.h>

namespace halocline::tools {
namespace {

TEST(Svg, writes_any_text_inside_an_element) { EXPECT_EQ(svg_text("a<b && c>d"), "a&lt;b &amp;&amp; c>d"); }

TEST(Svg, frames_what_is_drawn) {
  EXPECT_EQ(
      svg_document(12.4, 7, "<1>", " id=\"x\"", "<g/>\n"),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"12\" height=\"7\" viewBox=\"0 0 12 7\" id=\"x\">\n"
      "<title>&lt;1></title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g/>\n</svg>\n");
  EXPECT_EQ(svg_document(1, 1, "", "", "").find("title"), std::string::npos);
}

}  // namespace
}  // namespace halocline::tools
