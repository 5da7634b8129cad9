// SPDX-License-Identifier: BSD-3-Clause
// Who sends how much to whom, before and after ranks change places, as two pictures side by side.
#pragma once

#include "plan/traced/order_choice.hpp"

#include <string>

namespace halocline::tools {

/// Both axes are the places of the node-sorted order, and a node is a block on the diagonal; many ranks share
/// a dot. The darker, the more bytes.
[[nodiscard]] std::string matrix_picture(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice);

}  // namespace halocline::tools
