#pragma once

#include "compile/step.hpp"

namespace halocline::compile {

#ifdef HALOCLINE_WIDE_KERNELS
/// As strided_kernel, by AVX2, for blocks of 64, 128, ... 512 bytes; nothing for others. (With other sizes
/// pieces of 32 bytes overlap, or cross cache lines more often.) @pre the processor has AVX2
[[nodiscard]] Kernel wide_kernel(Count block);
#endif

}  // namespace halocline::compile
