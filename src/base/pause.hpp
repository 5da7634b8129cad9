// SPDX-License-Identifier: BSD-3-Clause
// What a thread does that looks at the same place again and again until another one has written there.
#pragma once

namespace halocline {

/// Leaves the core's parts to whoever shares them, for some cycles.
inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace halocline
