// SPDX-License-Identifier: BSD-3-Clause
// The options of an exchange as words: those of MPI_Info, of the environment, and of tools. Words for the
// wire are in flows/wire.hpp, names of schedules in plan/options/option_names.hpp.
#pragma once

#include "halocline/exchange/exchange.hpp"

#include <string>

namespace halocline::exchange {

/// Each throws Error{invalid_argument} that names the words there are.
[[nodiscard]] SharedMemory parse_shared(const std::string& word);
/// Is there to be a thread of the library? Throws also Error{unsupported} where MPI takes no calls of one.
[[nodiscard]] bool parse_progress(const std::string& word);
[[nodiscard]] StatisticsChoice parse_statistics(const std::string& word);

}  // namespace halocline::exchange
