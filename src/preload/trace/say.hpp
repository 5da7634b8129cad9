// SPDX-License-Identifier: BSD-3-Clause
// What the recorder tells the user: one line each.
#pragma once

#include <cstdio>
#include <string>

namespace halocline::recorder {

inline void say(const std::string& what) {
  (void)std::fprintf(stderr, "halocline trace: %s\n", what.c_str());
}

}  // namespace halocline::recorder
