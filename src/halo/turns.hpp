// SPDX-License-Identifier: BSD-3-Clause
// Which memories are exchanged together when every slot of a halo has one of several.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace halocline::halo {

/// The memories of one exchange, in rising order. Memories are numbered slot after slot.
using Turn = std::vector<std::size_t>;

struct Turns {
  std::vector<Turn> together;  ///< One memory of each slot. The first has the first memory of each.
  /// If not all ways to choose one memory for each slot are above: parts that make up any of them. Those of
  /// the slots that rotate are alone.
  std::vector<Turn> apart;
};

/// All ways, if they are no more than plan::most_exchanges_of_a_halo or one slot alone has several memories;
/// otherwise those in which all slots have their first memory, their second, and so on, and the parts. @pre
/// counts are positive
[[nodiscard]] Turns turns_of(std::span<const std::size_t> counts);

}  // namespace halocline::halo
