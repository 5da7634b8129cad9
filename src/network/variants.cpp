// SPDX-License-Identifier: BSD-3-Clause
#include "base/find_by_name.hpp"
#include "network/mapping_problem.hpp"

#include <array>

namespace halocline::network {

std::span<const Variant> variants() {
  static const std::array table{
      Variant{"z2_1", "Deveci et al., section 5.3: halves", {}, {}},
      Variant{"z2_2",
              "Deveci et al., section 5.3: largest primes, bandwidths",
              {.by_bandwidth = true},
              {.cuts = {.largest_prime = true}}},
      Variant{"z2_3",
              "Deveci et al., section 5.3: largest primes, bandwidths, boxes",
              {.by_bandwidth = true, .boxes = {2, 2, 8}},
              {.cuts = {.largest_prime = true}}},
      Variant{"links", "as z2_1, but the time of the fullest link counts", {}, {}, Aim::fullest_link},
  };
  return table;
}

const Variant& variant(std::string_view name) {
  return find_by_name(variants(), "variant of the mapping", name);
}

}  // namespace halocline::network
