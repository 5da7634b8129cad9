// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_side.hpp"

namespace halocline::exchange {

void DeviceSide::collect() const {
  if (gather.empty()) return;
  gather.launch(stream());
  device_.synchronize(stream());
}

bool DeviceSide::distribute() {
  if (scatter.empty()) return true;
  if (!distributing_) scatter.launch(stream());
  distributing_ = !device_.finished(stream());
  return !distributing_;
}

}  // namespace halocline::exchange
