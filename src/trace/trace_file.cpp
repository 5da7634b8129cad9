// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace_file.hpp"

#include "base/fail.hpp"
#include "base/text_file.hpp"
#include "halocline/base/error.hpp"

#include <optional>

namespace halocline::trace {

Trace read(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{1} << 33;
  try {
    const std::optional<std::string> text = read_text_file(path, most_bytes);
    require(text.has_value(), "there is no such file");
    return Trace::parse(*text);
  } catch (const Error& error) {
    throw Error(error.fault(), concat(path, ": ", error.what()));
  }
}

}  // namespace halocline::trace
