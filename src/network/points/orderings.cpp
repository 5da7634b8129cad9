// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/orderings.hpp"

#include "base/find_by_name.hpp"
#include "network/points/hilbert.hpp"
#include "network/points/reversing_orderings.hpp"

#include <array>
#include <string>

namespace halocline::network {
namespace {

constexpr std::array all_orderings{
    Ordering{"z", "Morton 1966: bits of the coordinates in turn", z_view, nullptr},
    Ordering{"gray", "Gray code: all coordinates flipped in the upper half", gray_view, nullptr},
    Ordering{"fz", "Deveci et al., flipped Z: the cut coordinate flipped in the upper half", fz_view,
             nullptr},
    Ordering{"mfz", "Deveci et al., modified flipped Z: the cut coordinate flipped in the lower half",
             mfz_view, nullptr, "fz"},
    Ordering{"hilbert", "Butz 1971, Hamilton 2006", hilbert_view, hilbert_dimension},
};

}  // namespace

std::span<const Ordering> orderings() { return all_orderings; }

const Ordering& ordering(std::string_view name) {
  return find_by_name(all_orderings, "ordering of parts", name);
}

OrderingPair ordering_pair(std::string_view name, std::size_t task_dimensions, std::size_t core_dimensions) {
  const Ordering& tasks = ordering(name);
  if (tasks.for_cores.empty()) return {&tasks, &tasks};
  const Ordering& cores = ordering(tasks.for_cores);
  const bool multiple = core_dimensions > task_dimensions && core_dimensions % task_dimensions == 0;
  return {multiple ? &tasks : &cores, &cores};
}

}  // namespace halocline::network
