// SPDX-License-Identifier: BSD-3-Clause
// Whether a process has opened libraries since somebody looked: a driver may be among them.
#pragma once

#include <cstdint>

namespace halocline::accelerate {

/// Another number whenever a library was opened. Costs a load as long as none was since this code was, about
/// 0.1 us afterwards. Any thread may ask.
[[nodiscard]] std::uint64_t libraries_opened() noexcept;

}  // namespace halocline::accelerate
