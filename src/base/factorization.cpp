// SPDX-License-Identifier: BSD-3-Clause
#include "base/factorization.hpp"

#include "base/fail.hpp"

#include <algorithm>

namespace halocline {

std::vector<PrimePower> prime_powers(Count n) {
  require(n >= 1, "only positive numbers have prime factors, not ", n);
  std::vector<PrimePower> powers;
  const auto divide_out = [&](Count prime) {
    if (n % prime != 0) return;
    int exponent = 0;
    for (; n % prime == 0; n /= prime) ++exponent;
    powers.push_back({prime, exponent});
  };
  divide_out(2);
  divide_out(3);
  // Every other prime is one below or one above a multiple of 6.
  for (Count candidate = 5; candidate <= n / candidate; candidate += 6) {
    divide_out(candidate);
    divide_out(candidate + 2);
  }
  if (n > 1) powers.push_back({n, 1});
  return powers;
}

Counts divisors(Count n) {
  Counts all{1};
  for (const auto& [prime, exponent] : prime_powers(n)) {
    const std::size_t without = all.size();
    Count power = 1;
    for (int e = 0; e < exponent; ++e) {
      power *= prime;
      for (std::size_t i = 0; i < without; ++i) all.push_back(all[i] * power);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace halocline
