// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace halocline::tools {

/// The result of `work`; how long it took goes to `seconds`.
template <class Work>
[[nodiscard]] auto timed(double& seconds, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace halocline::tools
