// SPDX-License-Identifier: BSD-3-Clause
// The value in the middle.
#pragma once

#include "base/numbers.hpp"

#include <algorithm>
#include <vector>

namespace halocline::tools {

/// @pre there is at least one value
[[nodiscard]] inline double median(std::vector<double> values) {
  const auto middle = values.begin() + to_count(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace halocline::tools
