// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/node_topology.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "mpi/discovery/host_topology.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace halocline::mpi {
namespace {

using plan::Device;
using plan::DeviceKind;
using plan::NodeDevices;
using PciAttributes = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

HostTopology load_with_devices(const std::string& xml_file) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) fail(Fault::internal, "hwloc cannot be used");
  HostTopology topology(raw);
  hwloc_topology_set_flags(raw, quietly);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  require(xml_file.empty() || hwloc_topology_set_xml(raw, xml_file.c_str()) == 0, xml_file,
          ": hwloc cannot read it; it takes what lstopo --of xml writes");
  if (hwloc_topology_load(raw) != 0) {
    require(xml_file.empty(), xml_file, ": hwloc cannot read it; it takes what lstopo --of xml writes");
    fail(Fault::internal, "hwloc cannot read the topology of this host");
  }
  return topology;
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> all;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
    all.push_back(object);
  return all;
}

/// Where hwloc knows no cores, processors count as such.
std::vector<hwloc_obj_t> cores_of(hwloc_topology_t topology) {
  std::vector<hwloc_obj_t> cores = objects(topology, HWLOC_OBJ_CORE);
  return cores.empty() ? objects(topology, HWLOC_OBJ_PU) : cores;
}

Counts processors_of(hwloc_obj_t core) {
  Counts numbers;
  for (int cpu = hwloc_bitmap_first(core->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(core->cpuset, cpu))
    numbers.push_back(cpu);
  return numbers;
}

/// A level that divides the node. Cores that are in no part of it would make it say nothing.
std::optional<plan::CoreLevel> level_of(const char* name, const std::vector<hwloc_obj_t>& parts,
                                        const std::vector<hwloc_obj_t>& cores) {
  if (parts.size() < 2) return std::nullopt;
  plan::CoreLevel level{name, {}};
  for (const hwloc_obj_t core : cores) {
    const auto holder = std::find_if(parts.begin(), parts.end(), [&](hwloc_obj_t part) {
      return hwloc_bitmap_isincluded(core->cpuset, part->cpuset) != 0;
    });
    if (holder == parts.end()) return std::nullopt;
    level.part_of.push_back(holder - parts.begin());
  }
  return level;
}

/// How many cores has the smallest part of the node that holds a core and the place of a device?
Counts spans_from(hwloc_obj_t place, const std::vector<hwloc_obj_t>& cores) {
  const auto cores_in = [&](hwloc_obj_t part) {
    return to_count(std::count_if(cores.begin(), cores.end(), [&](hwloc_obj_t core) {
      return hwloc_bitmap_isincluded(core->cpuset, part->cpuset) != 0;
    }));
  };
  Counts spans(cores.size(), count_of(cores));
  std::vector<bool> is_known(cores.size());
  for (hwloc_obj_t part = place; part != nullptr; part = part->parent) {
    if (part->cpuset == nullptr) continue;
    const Count size = cores_in(part);
    for (std::size_t core = 0; core < cores.size(); ++core)
      if (!is_known[core] && hwloc_bitmap_isincluded(cores[core]->cpuset, part->cpuset) != 0) {
        spans[core] = size;
        is_known[core] = true;
      }
  }
  return spans;
}

struct Maker {
  unsigned vendor;
  const char* variable;
};
constexpr std::array makers{Maker{0x10de, "CUDA_VISIBLE_DEVICES"}, Maker{0x1002, "ROCR_VISIBLE_DEVICES"},
                            Maker{0x8086, "ZE_AFFINITY_MASK"}};

constexpr unsigned network_controller = 0x02, display_controller = 0x03, accelerator = 0x12;
constexpr unsigned vga = 0x0300;  // of Intel what a processor has for a screen

const Maker* maker_of(const PciAttributes& device) {
  const auto* const found = std::find_if(
      makers.begin(), makers.end(), [&](const Maker& maker) { return maker.vendor == device.vendor_id; });
  return found == makers.end() ? nullptr : found;
}

std::optional<DeviceKind> kind_of(const PciAttributes& device) {
  const unsigned family = device.class_id >> 8;
  if (family == network_controller) return DeviceKind::nic;
  const Maker* const maker = maker_of(device);
  if (maker == nullptr || (family != display_controller && family != accelerator)) return std::nullopt;
  const bool is_for_a_screen = device.vendor_id == 0x8086 && device.class_id == vga;
  return is_for_a_screen ? std::nullopt : std::optional(DeviceKind::gpu);
}

/// Programs speak of cuda0 rather than card1, and of mlx5_0 rather than ib0.
int rank_of_name(hwloc_obj_t object) {
  const std::string_view name = object->name == nullptr ? "" : object->name;
  if (object->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS) return 0;
  constexpr std::array<std::string_view, 6> known{"cuda", "rsmi", "ze", "nvml", "renderD", "card"};
  for (std::size_t i = 0; i < known.size(); ++i)
    if (name.starts_with(known[i])) return to_int(i);
  return to_int(known.size());
}

/// What the system calls it; its place on the bus at last.
std::vector<std::string> names_of(hwloc_obj_t device, bool& has_verbs) {
  std::vector<std::pair<int, std::string>> names;
  for (hwloc_obj_t child = device->io_first_child; child != nullptr; child = child->next_sibling) {
    if (child->type != HWLOC_OBJ_OS_DEVICE || child->name == nullptr) continue;
    names.emplace_back(rank_of_name(child), child->name);
    has_verbs = has_verbs || child->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> sorted;
  sorted.reserve(names.size() + 1);
  for (auto& [place, name] : names) sorted.push_back(std::move(name));
  const PciAttributes& pci = device->attr->pcidev;
  std::array<char, 32> address{};
  std::snprintf(address.data(), address.size(), "%04x:%02x:%02x.%01x", unsigned{pci.domain},
                unsigned{pci.bus}, unsigned{pci.dev}, unsigned{pci.func});
  sorted.emplace_back(address.data());
  return sorted;
}

std::vector<Device> devices_of(hwloc_topology_t topology, const std::vector<hwloc_obj_t>& cores) {
  std::vector<hwloc_obj_t> on_bus = objects(topology, HWLOC_OBJ_PCI_DEVICE);
  const auto address = [](hwloc_obj_t object) {
    const PciAttributes& pci = object->attr->pcidev;
    return std::tuple(pci.domain, pci.bus, pci.dev, pci.func);
  };
  std::stable_sort(on_bus.begin(), on_bus.end(),
                   [&](hwloc_obj_t a, hwloc_obj_t b) { return address(a) < address(b); });
  std::vector<Device> gpus, plain_nics, verbs_nics;
  std::map<std::string, Count> numbers;
  for (const hwloc_obj_t object : on_bus) {
    const PciAttributes& pci = object->attr->pcidev;
    const std::optional<DeviceKind> kind = kind_of(pci);
    if (!kind) continue;
    bool has_verbs = false;
    Device device{names_of(object, has_verbs), *kind, "", 0,
                  spans_from(hwloc_get_non_io_ancestor_obj(topology, object), cores)};
    if (*kind == DeviceKind::gpu) {
      device.variable = maker_of(pci)->variable;
      device.number = numbers[device.variable]++;
    }
    (*kind == DeviceKind::gpu ? gpus : has_verbs ? verbs_nics : plain_nics).push_back(std::move(device));
  }
  const std::vector<Device>& nics = verbs_nics.empty() ? plain_nics : verbs_nics;
  gpus.insert(gpus.end(), nics.begin(), nics.end());
  return gpus;
}

}  // namespace

NodeDevices node_topology(const std::string& xml_file) {
  const HostTopology topology = load_with_devices(xml_file);
  const std::vector<hwloc_obj_t> cores = cores_of(topology.get());
  NodeDevices node;
  for (const hwloc_obj_t core : cores) node.processors.push_back(processors_of(core));
  for (const auto& [name, type] :
       {std::pair("package", HWLOC_OBJ_PACKAGE), {"numa", HWLOC_OBJ_NUMANODE}, {"l3", HWLOC_OBJ_L3CACHE}})
    if (auto level = level_of(name, objects(topology.get(), type), cores)) {
      const bool is_new = node.levels.empty() || node.levels.back().part_of != level->part_of;
      if (is_new) node.levels.push_back(std::move(*level));
    }
  node.devices = devices_of(topology.get(), cores);
  return node;
}

}  // namespace halocline::mpi
