// SPDX-License-Identifier: BSD-3-Clause
// Who sends how much to whom, before and after ranks change places, as two pictures side by side.
#pragma once

#include "plan/traced/order_choice.hpp"

#include <string>

namespace halocline::tools {

/// SVGs of the matrix alone, for pages that have words of their own. Dots of a shade are of a class, "shade1"
/// to "shade8", and frames of nodes of the class "nodes": a page may give them its own colours.
struct MatrixPanels {
  Count ranks_a_dot;
  std::string before;
  std::string after;
};

/// Both axes are the places of the node-sorted order, and a node is a block on the diagonal; many ranks share
/// a dot, so that no picture has more than 2^16 of them. The darker, the more bytes.
[[nodiscard]] MatrixPanels matrix_panels(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice);

/// The same panels side by side, with their words, as one picture.
[[nodiscard]] std::string matrix_picture(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice);

}  // namespace halocline::tools
