// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms.hpp"

#include "base/find_by_name.hpp"
#include "schedule/basis/basis.hpp"
#include "schedule/direct.hpp"
#include "schedule/torus/torus.hpp"

#include <array>

namespace halocline::schedule {
namespace {

Schedule fewest_rounds(const Stencil& stencil, Operation operation) { return basis(stencil, operation); }

constexpr std::array all_algorithms{
    Algorithm{"direct", "one message to each neighbour", direct},
    Algorithm{"torus", "Traeff et al. 2016, Algorithm 1 and section 3.2", torus},
    Algorithm{"torus-direct", "Traeff et al. 2016, section 5", torus_direct},
    Algorithm{"basis", "minimal additive bases, Traeff et al. 2016, section 5", fewest_rounds},
};

}  // namespace

std::span<const Algorithm> algorithms() { return all_algorithms; }

const Algorithm& algorithm(std::string_view name) { return find_by_name(all_algorithms, "schedule", name); }

}  // namespace halocline::schedule
