// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/host.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "mpi/discovery/host_topology.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace halocline::mpi {
namespace {

constexpr std::size_t bits_per_word = 64;
constexpr std::array<hwloc_obj_type_t, 4> level_types{HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE,
                                                      HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE};
static_assert(level_types.size() == host_levels.size());

/// The topology of this host, or null where hwloc cannot read it.
HostTopology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  HostTopology topology(raw);
  hwloc_topology_set_flags(raw, quietly);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

/// The same, read once: it takes milliseconds, and a process discovers many communicators. Again if hwloc is
/// told to show another host.
hwloc_topology_t known_topology() {
  struct Known {
    std::string shown;
    HostTopology topology;
  };
  thread_local std::optional<Known> known;
  std::string shown;
  for (const char* const variable : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE"})
    if (const char* const value = std::getenv(variable)) shown.append(value).append("\n");
  if (!known || known->shown != shown) known = Known{shown, load_topology()};
  return known->topology.get();
}

struct BitmapDeleter {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, BitmapDeleter>;

Bitmap to_bitmap(const CpuMask& mask) {
  Bitmap bitmap(hwloc_bitmap_alloc());
  for (std::size_t word = 0; word < mask.size(); ++word)
    for (std::size_t bit = 0; bit < bits_per_word; ++bit)
      if (mask[word] >> bit & 1)
        hwloc_bitmap_set(bitmap.get(), static_cast<unsigned>(word * bits_per_word + bit));
  return bitmap;
}

CpuMask to_mask(hwloc_const_bitmap_t bitmap) {
  CpuMask mask{};
  for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu)) {
    const auto index = to_index(cpu);
    if (index < mask.size() * bits_per_word)
      mask[index / bits_per_word] |= std::uint64_t{1} << index % bits_per_word;
  }
  return mask;
}

/// The number of the one object of `type` that holds all of `cpus`; -1 if there is none.
Count holder(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t cpus) {
  if (hwloc_bitmap_iszero(cpus)) return -1;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
    if (hwloc_bitmap_isincluded(cpus, object->cpuset)) return to_count(object->logical_index);
  return -1;
}

}  // namespace

CpuMask cpu_mask_of_this_process() {
  CpuMask mask{};
  cpu_set_t set[sizeof(CpuMask) / sizeof(cpu_set_t)];
  if (sched_getaffinity(0, sizeof set, set) != 0) return mask;
  for (std::size_t cpu = 0; cpu < mask.size() * bits_per_word; ++cpu)
    if (CPU_ISSET_S(cpu, sizeof set, set))
      mask[cpu / bits_per_word] |= std::uint64_t{1} << cpu % bits_per_word;
  return mask;
}

int kernel_number() {
  static const int number = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    file >> id;
    constexpr std::size_t positive = std::numeric_limits<int>::max();
    return id.empty() ? 0 : static_cast<int>(std::hash<std::string>{}(id)&positive);
  }();
  return number;
}

std::vector<HostLocation> locate(std::span<const CpuMask> masks) {
  std::vector<HostLocation> locations(masks.size(), HostLocation{});
  const bool alike = std::all_of(masks.begin(), masks.end(), [&](const CpuMask& m) { return m == masks[0]; });
  if (alike) return locations;
  const hwloc_topology_t topology = known_topology();
  if (topology == nullptr) return locations;
  for (std::size_t process = 0; process < masks.size(); ++process) {
    const Bitmap cpus = to_bitmap(masks[process]);
    for (std::size_t level = 0; level < level_types.size(); ++level)
      locations[process][level] = holder(topology, level_types[level], cpus.get());
  }
  for (std::size_t level = 0; level < level_types.size(); ++level)
    if (std::any_of(locations.begin(), locations.end(), [&](const HostLocation& l) { return l[level] < 0; }))
      for (HostLocation& location : locations) location[level] = 0;
  return locations;
}

std::vector<CpuMask> usable_cores() {
  std::vector<CpuMask> cores;
  const CpuMask mine = cpu_mask_of_this_process();
  const hwloc_topology_t topology = known_topology();
  if (topology == nullptr) return {mine};
  for (hwloc_obj_t core = nullptr;
       (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr;) {
    const CpuMask mask = to_mask(core->cpuset);
    bool usable = false;
    for (std::size_t word = 0; word < mask.size(); ++word) usable = usable || (mask[word] & mine[word]) != 0;
    if (usable) cores.push_back(mask);
  }
  if (cores.empty()) cores.push_back(mine);
  return cores;
}

}  // namespace halocline::mpi
