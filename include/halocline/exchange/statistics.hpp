// SPDX-License-Identifier: BSD-3-Clause
// What an exchange has sent, and where its time went.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/traffic.hpp"

#include <string>

namespace halocline {

/// Of one process, over all starts that are complete. Messages and bytes are always counted, times only where
/// they are asked for, since clocks cost time themselves.
struct HALOCLINE_API ExchangeStatistics {
  Count exchanges = 0;
  Traffic self = {};     ///< What stays in the process.
  Traffic node = {};     ///< What goes to other processes of its node.
  Traffic network = {};  ///< What goes to other nodes.

  bool timed = false;           ///< Were times taken?
  double pack_seconds = 0;      ///< Packing, unpacking and copying.
  double late_seconds = 0;      ///< In wait, for neighbours that had not started yet.
  double transfer_seconds = 0;  ///< In wait, once all neighbours had started; copying there is not counted.

  /// A few lines for people.
  [[nodiscard]] std::string to_text() const;
};

}  // namespace halocline
