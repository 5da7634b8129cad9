// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/traffic.hpp"

#include "base/fail.hpp"

namespace halocline {

void Traffic::refuse_sum(const Traffic& one, const Traffic& other) {
  fail(Fault::invalid_argument, one.messages, " messages of ", one.bytes, " bytes and ", other.messages,
       " of ", other.bytes, " together do not fit in 64 bits; send smaller blocks");
}

}  // namespace halocline
