// SPDX-License-Identifier: BSD-3-Clause
#include "plan/seats/node_devices.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace halocline::plan {
namespace {

bool is_called(const Device& device, const std::string& name) {
  return std::find(device.names.begin(), device.names.end(), name) != device.names.end();
}

std::string all_names(const NodeDevices& node) {
  std::string text;
  for (const Device& device : node.devices) text += (text.empty() ? "" : ", ") + device.name();
  return text.empty() ? "none" : text;
}

}  // namespace

const char* name_of(DeviceKind kind) { return kind == DeviceKind::gpu ? "gpu" : "nic"; }

bool NodeDevices::has(DeviceKind kind) const {
  return std::any_of(devices.begin(), devices.end(), [&](const Device& d) { return d.kind == kind; });
}

Count span_of(const Device& device, std::span<const Count> cores) {
  Count sum = 0;
  for (const Count core : cores) sum += device.span[to_index(core)];
  return sum;
}

std::vector<std::string> nearest(const NodeDevices& node, DeviceKind kind, std::span<const Count> cores) {
  std::vector<std::string> names;
  Count least = std::numeric_limits<Count>::max();
  for (const Device& device : node.devices) {
    if (device.kind != kind) continue;
    const Count span = span_of(device, cores);
    if (span < least) names.clear();
    if (span <= least) names.push_back(device.name());
    least = std::min(least, span);
  }
  return names;
}

NodeDevices only(NodeDevices node, const std::vector<std::string>& names) {
  std::array<bool, 2> is_chosen{};
  for (const std::string& name : names) {
    const auto found = std::find_if(node.devices.begin(), node.devices.end(),
                                    [&](const Device& device) { return is_called(device, name); });
    require(found != node.devices.end(), "there is no device \"", name, "\"; there are: ", all_names(node));
    is_chosen[to_index(found->kind)] = true;
  }
  std::erase_if(node.devices, [&](const Device& device) {
    const bool is_named = std::any_of(names.begin(), names.end(),
                                      [&](const std::string& name) { return is_called(device, name); });
    return is_chosen[to_index(device.kind)] && !is_named;
  });
  return node;
}

std::string ranges_text(std::span<const Count> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) text += '-' + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace halocline::plan
