// SPDX-License-Identifier: BSD-3-Clause
// The signals at which a process writes its part of a trace: those that launchers hand on to their ranks.
#pragma once

#include "base/find_by_name.hpp"

#include <array>
#include <csignal>
#include <string_view>

namespace halocline::trace {

struct PartSignal {
  std::string_view name;
  int number;
};
inline constexpr std::array<PartSignal, 2> part_signals{{{"USR1", SIGUSR1}, {"USR2", SIGUSR2}}};

/// Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] inline int part_signal(std::string_view name) {
  return find_by_name(part_signals, "signal at which parts are written", name).number;
}

}  // namespace halocline::trace
