// SPDX-License-Identifier: BSD-3-Clause
#include "base/integers.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"

#include <string>

namespace halocline {
namespace {

[[noreturn]] void refuse(const std::string& expression) {
  fail(Fault::invalid_argument, expression, " does not fit in 64 bits");
}

}  // namespace

Count checked_add(Count a, Count b) {
  Count result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse(concat(a, " + ", b));
  return result;
}

Count checked_subtract(Count a, Count b) {
  Count result = 0;
  if (__builtin_sub_overflow(a, b, &result)) refuse(concat(a, " - ", b));
  return result;
}

Count checked_multiply(Count a, Count b) {
  Count result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse(concat(a, " * ", b));
  return result;
}

Count checked_product(std::span<const Count> factors) {
  Count product = 1;
  for (const Count factor : factors)
    if (__builtin_mul_overflow(product, factor, &product)) refuse("the product " + join(factors, " * "));
  return product;
}

Count checked_sum(std::span<const Count> terms) {
  Count sum = 0;
  for (const Count term : terms)
    if (__builtin_add_overflow(sum, term, &sum)) refuse("the sum " + join(terms, " + "));
  return sum;
}

}  // namespace halocline
