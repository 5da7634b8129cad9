// SPDX-License-Identifier: BSD-3-Clause
// The page's program, styles and markup, bundled at build time out of src/page/.
#pragma once

#include <string_view>

namespace halocline::tools {

/// One HTML page in two parts; the plan's JSON goes between them. Both are empty where the tool was built
/// without the page.
struct PageBundle {
  std::string_view before_plan;
  std::string_view after_plan;
};

[[nodiscard]] PageBundle page_bundle();

}  // namespace halocline::tools
