// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/near_devices.hpp"

#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/discovery/host.hpp"
#include "mpi/discovery/node_topology.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace halocline::mpi {
namespace {

/// What goes over the wire for one rank.
struct Record {
  int leader;  ///< The lowest rank of its node.
  std::array<char, 126> gpus;
  std::array<char, 126> nics;
};

template <std::size_t size>
void write(std::array<char, size>& field, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  if (text.size() >= size) text = text.substr(0, size - 4) + "...";
  field.fill('\0');
  std::copy(text.begin(), text.end(), field.begin());
}

/// The cores on which a process may run.
Counts cores_of(const plan::NodeDevices& node, const CpuMask& mask) {
  Counts cores;
  for (Count core = 0; core < node.cores(); ++core) {
    const Counts& processors = node.processors[to_index(core)];
    if (std::any_of(processors.begin(), processors.end(), [&](Count cpu) {
          return to_index(cpu) / 64 < mask.size() &&
                 (mask[to_index(cpu) / 64] >> to_index(cpu) % 64 & 1) != 0;
        }))
      cores.push_back(core);
  }
  return cores;
}

/// Of all ranks of a node, by its leader. What hwloc cannot read is as if there were nothing.
std::vector<Record> records_of(const std::vector<CpuMask>& masks, int leader) {
  std::optional<plan::NodeDevices> node;
  try {
    node = node_topology();
  } catch (const Error&) {
    node = plan::NodeDevices{};
  }
  std::vector<Record> records;
  for (const CpuMask& mask : masks) {
    const Counts cores = cores_of(*node, mask);
    Record record{leader, {}, {}};
    write(record.gpus, nearest(*node, plan::DeviceKind::gpu, cores));
    write(record.nics, nearest(*node, plan::DeviceKind::nic, cores));
    records.push_back(record);
  }
  return records;
}

}  // namespace

std::vector<NearDevices> near_devices(MPI_Comm comm) {
  const Comm node = split_node(comm);
  const bool leading = rank(node.get()) == 0;
  const CpuMask mine = cpu_mask_of_this_process();
  std::vector<CpuMask> masks(leading ? to_size(size(node.get())) : 0);
  HALOCLINE_MPI(Gather, mine.data(), to_int(sizeof mine), MPI_BYTE, masks.data(), to_int(sizeof mine),
                MPI_BYTE, 0, node.get());
  std::vector<Record> on_node;
  if (leading) on_node = records_of(masks, rank(comm));
  Record record{};
  constexpr int bytes = sizeof(Record);
  HALOCLINE_MPI(Scatter, on_node.data(), bytes, MPI_BYTE, &record, bytes, MPI_BYTE, 0, node.get());
  std::vector<Record> all(rank(comm) == 0 ? to_size(size(comm)) : 0);
  HALOCLINE_MPI(Gather, &record, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, comm);
  std::map<int, int> number_of;
  std::vector<NearDevices> devices;
  for (const Record& each : all) {
    const int number = number_of.try_emplace(each.leader, to_int(number_of.size())).first->second;
    devices.push_back({number, each.gpus.data(), each.nics.data()});
  }
  return devices;
}

}  // namespace halocline::mpi
