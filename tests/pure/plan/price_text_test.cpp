// How times stand beside each other in sentences.
#include "plan/prices/price_text.hpp"

#include "halocline/base/error.hpp"
#include "halocline/plan/explanation.hpp"
#include "random_problems.hpp"

#include <gtest/gtest.h>

namespace halocline::plan {
namespace {

TEST(PriceText, says_as_fast_as_where_the_digits_show_no_difference) {
  EXPECT_EQ(as_fast_as(2e-6, 3.26e-6, "mixed"), "1.63 times as fast as mixed");
  EXPECT_EQ(as_fast_as(2, 1, "mixed"), "0.5 times as fast as mixed");
  EXPECT_EQ(as_fast_as(3, 3, "mixed"), "as fast as mixed");
  EXPECT_EQ(as_fast_as(0, 0, "mixed"), "as fast as mixed");
  EXPECT_EQ(as_fast_as(1, 1.004, "the default"), "as fast as the default");
  EXPECT_EQ(as_fast_as(1, 0.9996, "the default"), "as fast as the default");
  EXPECT_EQ(as_fast_as(1, 1.006, "the default"), "1.01 times as fast as the default");
  EXPECT_EQ(as_fast_as(1, 0.9994, "the default"), "0.999 times as fast as the default");
  EXPECT_EQ(as_fast_as(1, 123456, "the default"), "123456 times as fast as the default");
  EXPECT_EQ(as_fast_as(0, 1, "the default"), "infinitely many times as fast as the default");
}

TEST(PriceText, has_all_digits_before_the_point) {
  EXPECT_EQ(in_full(12.34), "12.3");
  EXPECT_EQ(in_full(999.4), "999");
  EXPECT_EQ(in_full(999.5), "1000");
  EXPECT_EQ(in_full(1500000), "1500000");
  EXPECT_EQ(seconds_text(999.4), "999 s");
  EXPECT_EQ(seconds_text(12345.6), "12346 s");
}

/// What nobody says: one times as fast. Some of these plans are as fast as another way.
TEST(PriceText, no_plan_is_once_as_fast) {
  int equal = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    const RandomProblem given = RandomProblems(seed, 1 + seed % 40).any();
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << given.to_text());
    try {
      const std::string text = explain(given.problem, given.choices).to_text();
      for (const char* once : {" 1 times", " 1.0 times", " 1.00 times", "inf times", "nan"})
        EXPECT_EQ(text.find(once), std::string::npos) << text;
      if (text.find(" is as fast as ") != std::string::npos) ++equal;
    } catch (const Error&) {
      continue;  // some meshes have no grid
    }
  }
  EXPECT_GE(equal, 5);
}

}  // namespace
}  // namespace halocline::plan
