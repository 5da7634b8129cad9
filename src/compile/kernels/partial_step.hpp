// SPDX-License-Identifier: BSD-3-Clause
// A part of what a step packs or unpacks.
#pragma once

#include "compile/kernels/block_copy.hpp"
#include "compile/kernels/step.hpp"

namespace halocline::compile {

/// Bytes [first, last) of the stream of the step; wire points to the first of them. What is whole goes
/// through the kernel. @pre 0 <= first <= last <= step.bytes
template <class Direction>
void copy_part(const Step& step, typename Direction::Memory base, typename Direction::Wire wire, Count first,
               Count last);

extern template void copy_part<ToWire>(const Step&, const std::byte*, std::byte*, Count, Count);
extern template void copy_part<FromWire>(const Step&, std::byte*, const std::byte*, Count, Count);

}  // namespace halocline::compile
