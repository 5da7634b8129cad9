// SPDX-License-Identifier: BSD-3-Clause
#include "preload/types/whereabouts.hpp"

#include "accelerate/devices.hpp"
#include "compile/kernels/address.hpp"
#include "exchange/planning/device_messages.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

namespace halocline::preload {

Whereabouts whereabouts(const void* address, const Segment& place) noexcept {
  if (!accelerate::in_use()) return {nullptr, accelerate::in_use_by_others()};
  static std::mutex mutex;  // devices are made at their first address
  try {
    const std::scoped_lock lock(mutex);
    const std::byte* const first = compile::at(static_cast<const std::byte*>(address), place.offset);
    const auto memory = accelerate::what_is(first);
    if (!memory) return {};
    if (place.bytes > memory->bytes - (first - memory->base)) return {nullptr, true};
    return {memory->device, false};
  } catch (const std::exception&) {  // no kernel for it, or no memory
    return {nullptr, true};
  }
}

Segment reach_of(const Layout& layout, Count count) {
  const Count last = std::max(count - 1, Count{0}) * layout.extent();
  const Count first = layout.true_lb() + std::min(last, Count{0});
  return {first, layout.true_ub() + std::max(last, Count{0}) - first};
}

bool packs_into_devices() noexcept {
  static const bool does = [] {
    try {
      return exchange::wants_device_messages(MPI_INFO_NULL);
    } catch (const std::exception&) {
      return false;
    }
  }();
  return does;
}

}  // namespace halocline::preload
