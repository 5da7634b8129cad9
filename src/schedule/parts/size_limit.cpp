// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/size_limit.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

namespace halocline::schedule {

void require_size(std::string_view name, std::string_view noun, Count number) {
  if (number > most_moves) [[unlikely]]
    fail(Fault::unsupported, "a schedule ", name, " of ", number, " ", noun, " is too large; the most is ",
         most_moves);
}

}  // namespace halocline::schedule
