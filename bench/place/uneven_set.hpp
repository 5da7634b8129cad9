// Problems with uneven nodes and the least cost that anybody found for them, however long it took.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace halocline::bench {

struct UnevenInstance {
  std::string_view grid, nodes, stencil;
  std::int64_t best_known;  ///< J_sum
};

[[nodiscard]] std::span<const UnevenInstance> uneven_set();

}  // namespace halocline::bench
