// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace halocline::ordered {

/// A function of MPI that the program finds somewhere else before it finds it here; null if there is none.
/// What is there would see the launcher's numbers, and the program those of the order.
[[nodiscard]] const char* function_found_elsewhere();

}  // namespace halocline::ordered
