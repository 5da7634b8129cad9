#include "base/factorization.hpp"

#include "expect_error.hpp"

namespace halocline {
namespace {

TEST(Factorization, prime_powers_multiply_back_and_are_prime) {
  for (Count n = 1; n <= 5000; ++n) {
    Count product = 1;
    Count before = 1;
    for (const auto& [prime, exponent] : prime_powers(n)) {
      EXPECT_GT(prime, before);
      before = prime;
      for (Count d = 2; d * d <= prime; ++d) EXPECT_NE(prime % d, 0) << n;
      for (int e = 0; e < exponent; ++e) product *= prime;
    }
    EXPECT_EQ(product, n);
  }
}

TEST(Factorization, divisors_are_all_and_increasing) {
  for (Count n = 1; n <= 1000; ++n) {
    Counts expected;
    for (Count d = 1; d <= n; ++d)
      if (n % d == 0) expected.push_back(d);
    EXPECT_EQ(divisors(n), expected);
  }
}

TEST(Factorization, large_numbers) {
  EXPECT_EQ(prime_powers(999999999989), (std::vector<PrimePower>{{999999999989, 1}}));
  EXPECT_EQ(prime_powers(Count{1} << 62), (std::vector<PrimePower>{{2, 62}}));
  EXPECT_EQ(divisors(735134400).size(), 1344U);
}

TEST(Factorization, refuses_what_is_not_positive) {
  expect_error(
      Fault::invalid_argument, [] { (void)prime_powers(0); }, "not 0");
  expect_error(
      Fault::invalid_argument, [] { (void)divisors(-12); }, "not -12");
}

}  // namespace
}  // namespace halocline
