// SPDX-License-Identifier: BSD-3-Clause
#include "place/algorithms.hpp"

#include "base/find_by_name.hpp"
#include "place/optimal_strips/optimal_strips.hpp"
#include "place/simple/blocked.hpp"
#include "place/simple/hyperplane.hpp"
#include "place/simple/kd_tree.hpp"
#include "place/simple/nodecart.hpp"
#include "place/simple/random.hpp"
#include "place/simple/strips.hpp"

#include <array>
#include <string>

namespace halocline::place {
namespace {

constexpr std::array all_algorithms{
    Algorithm{"blocked", "row by row, as MPI_Cart_create", blocked},
    Algorithm{"random", "a seeded permutation, as a yardstick", random},
    Algorithm{"nodecart", "Gropp, EuroMPI 2018", nodecart},
    Algorithm{"hyperplane", "Hunold et al., CLUSTER 2020, Algorithm 1", hyperplane},
    Algorithm{"kd-tree", "Hunold et al., CLUSTER 2020, Algorithm 2", kd_tree},
    Algorithm{"strips", "Hunold et al., CLUSTER 2020, Algorithm 3", strips},
    Algorithm{"optimal-strips", "strips of the best widths, by dynamic programming", optimal_strips},
};

}  // namespace

std::span<const Algorithm> algorithms() { return all_algorithms; }

const Algorithm& algorithm(std::string_view name) {
  return find_by_name(all_algorithms, "placement algorithm", name,
                      " and best");  // which is asked for elsewhere
}

}  // namespace halocline::place
