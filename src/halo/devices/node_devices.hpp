// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a node reach of each other's memory on devices: the fields, or buffers of the library
// where fields lie in memory that has no handles.
#pragma once

#include "exchange/memory/device_side.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/points/ground.hpp"
#include "plan/transport/transport_choice.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo {

/// Memory of the others at the addresses it has here.
struct MemoryOfNode {
  plan::DeviceReach reach = plan::DeviceReach::none;  ///< The same on all processes.
  Count most_bytes = 0;     ///< That a process has for others of its node; of all processes.
  bool on_streams = false;  ///< Streams of all processes can wait for each other.
  bool linked = false;      ///< Some peer is on another device; then one of some process.
  Count sharing = 1;        ///< Of this process and its peers, on its device; then the most of all processes.
  std::map<Rank, std::vector<std::optional<FieldView>>> fields;  ///< None for those of the host.
  std::map<Rank, std::byte*> buffers;  ///< Where another process expects what comes from here.
  /// With words if streams can wait for them, with a buffer if the others write there.
  std::unique_ptr<exchange::DeviceLoan> loan = std::make_unique<exchange::DeviceLoan>();
  std::map<Rank, std::uint64_t*> words;  ///< The same of the others.
};

/// Where in one buffer there is room for what each peer of the node sends, and the bytes of all.
struct Incoming {
  Counts places;
  Count bytes = 0;
};

/// Looks for fields first, for buffers where some process does not reach them. What cannot be had on one
/// process is reached by none. Collective.
/// @pre all processes have the same fields on devices, and a device
[[nodiscard]] MemoryOfNode reached_memory(const std::vector<FieldView>& fields, const DeviceFields& on_device,
                                          const Neighborhood& neighborhood, const Ground& ground,
                                          const Incoming& incoming);

/// By which the streams of those who fill each other's memory wait for each other. @pre reached.on_streams
[[nodiscard]] exchange::DeviceSide::Words words_of(const exchange::DeviceSide& side, MemoryOfNode& reached,
                                                   const exchange::Context& context);

}  // namespace halocline::halo
