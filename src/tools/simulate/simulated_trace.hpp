// SPDX-License-Identifier: BSD-3-Clause
// halocline simulate --trace: the messages of a program that was traced, with its ranks in their order and in
// the suggested one.
#pragma once

#include "tools/common/command.hpp"
#include "tools/simulate/simulated_machine.hpp"

#include <string>

namespace halocline::tools {

/// Simulates a message on each pair of ranks that sent any, twice. Throws Error{invalid_argument} that names
/// what does not fit.
[[nodiscard]] Answer simulate_trace(const std::string& path, const SimulatedMachine& machine,
                                    const Machine& nodes);

}  // namespace halocline::tools
