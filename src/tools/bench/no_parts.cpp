// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/parts.hpp"

namespace halocline::tools {

std::span<const PartBenchmark> bench_parts() { return {}; }

}  // namespace halocline::tools
