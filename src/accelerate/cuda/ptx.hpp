// SPDX-License-Identifier: BSD-3-Clause
// The transfer kernel as the driver of a GPU wants it.
#pragma once

namespace halocline::accelerate {

/// Its text; empty if the build had no compiler for it.
[[nodiscard]] const char* transfer_ptx();

}  // namespace halocline::accelerate
