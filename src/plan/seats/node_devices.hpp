// SPDX-License-Identifier: BSD-3-Clause
// What hangs on a node: which GPU and which NIC is nearest to which cores.
#pragma once

#include "halocline/base/count.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::plan {

enum class DeviceKind { gpu, nic };
[[nodiscard]] const char* name_of(DeviceKind kind);

/// A GPU or a NIC of a node.
struct Device {
  std::vector<std::string>
      names;  ///< What it is called, the best one first: "cuda0", "card1", "0000:3b:00.0"
  DeviceKind kind;
  std::string variable;  ///< What lets a process see this GPU alone: CUDA_VISIBLE_DEVICES, ...
  Count number;          ///< What that variable calls it, if devices are numbered by their place on the bus.
  Counts span;  ///< For each core, of how many cores is the smallest part that has it and the device?

  [[nodiscard]] const std::string& name() const { return names.front(); }
  bool operator==(const Device&) const = default;
};

/// Cores of a node in parts of one kind.
struct CoreLevel {
  std::string name;  ///< "package", "numa" or "l3"
  Counts part_of;    ///< For each core the number of its part.
  bool operator==(const CoreLevel&) const = default;
};

/// A node as far as seats of ranks depend on it. Cores are numbered from 0 on, as launchers do.
struct NodeDevices {
  std::vector<Counts> processors;  ///< For each core the numbers that the system has for its processors.
  std::vector<CoreLevel> levels;   ///< Outermost first.
  std::vector<Device> devices;     ///< GPUs, then NICs, each as they are on the bus.

  [[nodiscard]] Count cores() const { return static_cast<Count>(processors.size()); }
  [[nodiscard]] bool has(DeviceKind kind) const;
  bool operator==(const NodeDevices&) const = default;
};

/// How far a device is from these cores: the sum of their spans.
[[nodiscard]] Count span_of(const Device& device, std::span<const Count> cores);

/// Those of a kind than which none is nearer to these cores; several if they are equally near.
[[nodiscard]] std::vector<std::string> nearest(const NodeDevices& node, DeviceKind kind,
                                               std::span<const Count> cores);

/// The node without the devices of other names; of a kind of which none is named all stay. Throws
/// Error{invalid_argument} that names the first one there is not, and those there are.
[[nodiscard]] NodeDevices only(NodeDevices node, const std::vector<std::string>& names);

/// "0-7,12": numbers in ascending order.
[[nodiscard]] std::string ranges_text(std::span<const Count> numbers);

}  // namespace halocline::plan
