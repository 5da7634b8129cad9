// SPDX-License-Identifier: BSD-3-Clause
// The library's own threads.
#pragma once

#include "halocline/exchange/team.hpp"

#include <memory>

namespace halocline::exchange {

/// One pool of so many threads for all of the process that ask for as many: it ends with the last of them.
/// None for one thread. Throws as ThreadPool.
[[nodiscard]] std::shared_ptr<ThreadPool> pool_of_process(int threads);

}  // namespace halocline::exchange
