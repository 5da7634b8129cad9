// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/filled_page.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "halocline/version.h"
#include "tools/plan/page_bundle.hpp"

namespace halocline::tools {
namespace {

/// JSON that may stand inside a script element: "<" occurs in strings alone, where it can be written
/// otherwise.
std::string script_text(const nlohmann::ordered_json& json) {
  // Host names may be in any encoding.
  const std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace

void require_page(const char* option, const std::string& path) {
  if (page_bundle().before_plan.empty())
    fail(Fault::unsupported, option, " ", path,
         ": this program was built without the page; configure with -DHALOCLINE_PAGE=ON where node and npm "
         "are "
         "installed and can download packages, and build again, or use --svg FILE");
}

std::string filled_page(nlohmann::ordered_json shown) {
  shown["version"] = HALOCLINE_VERSION_TEXT;
  const PageBundle bundle = page_bundle();
  return std::string(bundle.before_plan) + script_text(shown) + std::string(bundle.after_plan);
}

}  // namespace halocline::tools
