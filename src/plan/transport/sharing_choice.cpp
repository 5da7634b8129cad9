// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/sharing_choice.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

constexpr Count line_bytes = 64;
/// Beyond that memory is the bound, and marks for each of them do not fit a word.
constexpr int most_threads = 64;

}  // namespace

Count copy_work(Count bytes, Count runs) { return bytes + line_bytes * runs; }

int choose_threads(Count work, int workers, Count least) {
  const Count most = std::min(workers, most_threads);
  if (work <= 0) return 1;
  return to_int(std::clamp(work / std::max(least, Count{1}), Count{1}, most));
}

}  // namespace halocline::plan
