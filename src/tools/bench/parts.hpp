// SPDX-License-Identifier: BSD-3-Clause
// Benchmarks of single parts of the library, which a build has or leaves out.
#pragma once

#include "tools/common/command.hpp"

#include <span>

namespace halocline::tools {

/// `halocline bench part NAME`.
struct PartBenchmark {
  const char* name;
  const char* summary;
  Action (*declare)(Options& options);  ///< Adds its options.
};

/// All of them; none unless this was built with HALOCLINE_BENCHMARKS.
[[nodiscard]] std::span<const PartBenchmark> bench_parts();

}  // namespace halocline::tools
