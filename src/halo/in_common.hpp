// SPDX-License-Identifier: BSD-3-Clause
// What is true of the fields of all processes.
#pragma once

#include "exchange/neighborhood/context.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/devices/device_route.hpp"

#include <vector>

namespace halocline::halo {

struct InCommon {
  /// Can processes of a node copy straight from each other's fields? If all give the same fields of the
  /// library, which lie in memory that their nodes share: those are arranged as every process can work out,
  /// of elements that are the same everywhere. Anything else is packed and unpacked by each process as it
  /// lies there.
  bool seen;
  bool some_on_device;  ///< On some process.
  DeviceRoute::InCommon device;
};

/// Collective.
[[nodiscard]] InCommon in_common(const exchange::Context& context, const std::vector<FieldView>& fields,
                                 const DeviceFields& on_device, const ExchangeOptions& options);

}  // namespace halocline::halo
