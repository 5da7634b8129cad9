// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compile/kernels/step.hpp"

namespace halocline::compile {

#ifdef HALOCLINE_WIDE_KERNELS
/// As strided_kernel, by AVX2, for blocks of 33 to 95 bytes, of 64, 128, ... 512 bytes and of 513 to 3072
/// bytes; nothing for others. @pre the processor has AVX2
[[nodiscard]] Kernel wide_kernel(Count block);
#endif

}  // namespace halocline::compile
