// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/plan/explanation.hpp"

#include <string>
#include <vector>

namespace halocline::plan {

/// How a program gets to run like this.
struct Advice {
  std::string purpose;             ///< "In C++".
  std::vector<std::string> lines;  ///< To be copied.
};
[[nodiscard]] std::vector<Advice> how_to_get_it(const Explanation& both);

}  // namespace halocline::plan
