// SPDX-License-Identifier: BSD-3-Clause
// What pictures as SVG have in common.
#pragma once

#include <string>
#include <string_view>

namespace halocline::tools {

/// Any text, as an element may contain it.
[[nodiscard]] std::string svg_text(std::string_view text);

/// A picture of so many pixels on white.
/// @param title shown by browsers where the mouse rests; none if it is empty
/// @param attributes of all that is in it, such as " font-size=\"12\""
[[nodiscard]] std::string svg_document(double width, double height, std::string_view title,
                                       std::string_view attributes, std::string_view contents);

}  // namespace halocline::tools
