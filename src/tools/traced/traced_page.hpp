// SPDX-License-Identifier: BSD-3-Clause
// The order of a traced program's ranks as one HTML page: who sends to whom before and after, and what it is
// worth.
#pragma once

#include "plan/traced/order_choice.hpp"
#include "tools/common/command.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

struct TracedPage {
  const Answer& answer;  ///< What is printed; the page has no numbers of its own but those of its pictures.
  const plan::MessageMatrix& matrix;
  const plan::OrderChoice& choice;
  const std::vector<std::string>& hosts;  ///< None if nobody named them.
};

/// However many ranks and pairs there are, it has at most 2^16 dots for a matrix and 2^14 pairs of nodes,
/// which are taken together beyond that; an order of more than 2^17 ranks is not in it. @pre require_page()
[[nodiscard]] std::string traced_page(const TracedPage& page);

}  // namespace halocline::tools
