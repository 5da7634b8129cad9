// SPDX-License-Identifier: BSD-3-Clause
// One run of halocline-simulated, the program that has SimGrid's MPI instead of the system's.
#pragma once

#include "simulate/job.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::tools {

/// The file. Throws Error{unsupported} that says what to install if it was not built.
[[nodiscard]] std::string simulated_program();

/// Runs it to its end. `told` is called with each result, `waiting` several times a second
/// with the percentage that is done. The program does not outlive this process, however that ends. Throws
/// Error{unsupported} with what the program complains of.
void run_simulated(const std::vector<std::string>& words,
                   const std::function<void(const simulate::Result&)>& told,
                   const std::function<void(int)>& waiting);

}  // namespace halocline::tools
