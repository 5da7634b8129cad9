// The engine auto: kernels first, generated code when it pays.
#pragma once

#include "halocline/compile/engines.hpp"

namespace halocline::compile {

/// Kernels, unless generated code is known to be faster for units of this kind (takeover.hpp) and its module
/// is there. Then the number of packs decides: if the unit tells it, at once; otherwise packs are counted,
/// and when there were as many as generated code needs to pay, it is made in the background and takes over.
[[nodiscard]] std::unique_ptr<const Code> adapt(const Unit& unit);

/// Starts with kernels and generates code in a thread of its own after `packs` packs and unpacks. Kernels
/// stay if no thread or no code is to be had. Whoever destroys it waits for the thread.
[[nodiscard]] std::unique_ptr<const Code> take_over_after(const Unit& unit, Count packs);

}  // namespace halocline::compile
