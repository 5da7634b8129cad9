// SPDX-License-Identifier: BSD-3-Clause
// What a layout costs by itself, whoever packs it.
#pragma once

#include "halocline/compile/packer.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

/// One sentence for each thing that could be better. What claims to be faster was measured here and now.
[[nodiscard]] std::vector<std::string> layout_advice(const compile::Part& part,
                                                     const compile::Packer& packer);

}  // namespace halocline::tools
