// SPDX-License-Identifier: BSD-3-Clause
// Sums of halos for interfaces that say in words of their own that a halo is under way.
#pragma once

#include "halocline/halo/halo.hpp"

#include <functional>

namespace halocline::halo {

/// As Halo::start_accumulate(); what it throws for a halo that is under way, `require_rest` throws.
/// Collective the first time.
void start_accumulate(const Halo& halo, Accumulate how, const std::function<void()>& require_rest);

}  // namespace halocline::halo
