// SPDX-License-Identifier: BSD-3-Clause
// How far sums and bounds in floating point may be off.
#pragma once

namespace halocline::shape {

/// Bounds go through roots and logarithms: they prune only what is worse by more than this, relatively.
inline constexpr double bound_slack = 1e-9;
/// Stands in for the relative slack where a sum has lost all its digits to underflow.
inline constexpr double underflow_slack = 1e-290;

}  // namespace halocline::shape
