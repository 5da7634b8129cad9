// SPDX-License-Identifier: BSD-3-Clause
// What messages and copies cost the processors.
#pragma once

namespace halocline::simulate {

struct Overheads {
  double send_seconds = 0;
  double receive_seconds = 0;
  double copied_byte_seconds = 0;
};

/// Of the cluster that this program simulates: set once, before its processes start.
[[nodiscard]] inline Overheads& overheads() {
  static Overheads all;
  return all;
}

}  // namespace halocline::simulate
