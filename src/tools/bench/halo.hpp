// SPDX-License-Identifier: BSD-3-Clause
// What others can add to `halocline bench halo`: ways of libraries that the tool is not linked with.
#pragma once

#include "tools/bench/rival_halos.hpp"
#include "tools/common/command.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::tools {

/// A way by its name in --ways.
struct ForeignHalo {
  std::string name;
  std::string summary;
  /// Collective. What it returns exchanges the halos of all arrays each time it is called. Throws Error for a
  /// problem that this way cannot have.
  std::function<std::function<void()>(const HaloProblem&)> prepared;
};

/// The options of the benchmark, with further ways.
[[nodiscard]] Action declare_bench_halo(Options& options, std::vector<ForeignHalo> foreign);

}  // namespace halocline::tools
