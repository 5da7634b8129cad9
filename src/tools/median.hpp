// The value in the middle.
#pragma once

#include <vector>

namespace halocline::tools {

/// @pre there is at least one value
[[nodiscard]] double median(std::vector<double> values);

}  // namespace halocline::tools
