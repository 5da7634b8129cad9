#include "halocline/describe/traffic.hpp"

#include "expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline {
namespace {

TEST(Traffic, refuses_sums_that_leave_64_bits) {
  constexpr Count most = std::numeric_limits<Count>::max();
  Traffic sum{3, most - 5};
  sum += {1, 5};
  EXPECT_EQ(sum, (Traffic{4, most}));
  expect_error(
      Fault::invalid_argument,
      [&] {
        sum += {1, 8};
      },
      "9223372036854775807 bytes and 1 of 8 together");
  EXPECT_EQ(sum, (Traffic{4, most}));
  Traffic many{most, 0};
  expect_error(
      Fault::invalid_argument,
      [&] {
        many += {1, 0};
      },
      "64 bits");
}

}  // namespace
}  // namespace halocline
