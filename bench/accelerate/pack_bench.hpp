// What one kernel takes to pack all regions of some fields, beside a plain copy of as many bytes.
#pragma once

#include "accelerate/device.hpp"
#include "halocline/base/count.hpp"

namespace halocline::bench {

/// Prints a line for each size; false if a byte is wrong. Collective; rank 0 alone measures.
[[nodiscard]] bool compare_packing(accelerate::Device& device, const Counts& sizes, Count fields,
                                   int repeats);

}  // namespace halocline::bench
