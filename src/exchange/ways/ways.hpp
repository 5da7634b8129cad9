// SPDX-License-Identifier: BSD-3-Clause
// Which block goes which way.
#pragma once

#include "exchange/ways/way.hpp"

namespace halocline::exchange {

/// Finds the ways of an exchange, allocates the memory that they share and fills `parts` with their flows.
/// False if there is not the shared memory that the choice asks for. Collective over the node whenever it has
/// several processes, local otherwise.
[[nodiscard]] bool put_together(const Site& site, MachineryParts& parts);

}  // namespace halocline::exchange
