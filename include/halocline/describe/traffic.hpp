// SPDX-License-Identifier: BSD-3-Clause
// How much is sent.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"

namespace halocline {

/// Messages and the sum of their weights, which are bytes if the weights of the stencil are.
struct HALOCLINE_API Traffic {
  Count messages = 0;
  Count bytes = 0;

  /// Throws Error{invalid_argument} if a sum leaves 64 bits.
  Traffic& operator+=(const Traffic& other) {
    Traffic sum;
    if (__builtin_add_overflow(messages, other.messages, &sum.messages) ||
        __builtin_add_overflow(bytes, other.bytes, &sum.bytes)) [[unlikely]]
      refuse_sum(*this, other);
    return *this = sum;
  }
  bool operator==(const Traffic&) const = default;

  /// The sum of two that leaves 64 bits: throws the error that says so.
  [[noreturn]] static void refuse_sum(const Traffic& one, const Traffic& other);
};

}  // namespace halocline
