// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/device_report.hpp"

#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/machine.hpp"
#include "mpi/discovery/near_devices.hpp"
#include "mpi/discovery/node_topology.hpp"
#include "plan/seats/seats_of_node.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halocline::tools {
namespace {

constexpr const char* no_devices = "hwloc knows no GPU and no NIC here";

/// Those of which none is farther from the device than any other.
Counts nearest_cores(const plan::Device& device) {
  const Count least = *std::min_element(device.span.begin(), device.span.end());
  Counts cores;
  for (std::size_t core = 0; core < device.span.size(); ++core)
    if (device.span[core] == least) cores.push_back(to_count(core));
  return cores;
}

/// A group for each GPU, in the order of their cores; all cores of the node have one.
Machine cores_by_gpu(const plan::NodeDevices& node) {
  const std::vector<plan::Seat> seats =
      plan::seats_of_node(node, node.cores(), 1, {.gpu = true, .nic = false});
  Counts sizes(node.devices.size());
  for (const plan::Seat& seat : seats) ++sizes[to_index(seat.gpu)];
  std::erase(sizes, 0);
  return Machine({{"node", Runs::of(1, 1)}, {"gpu", Runs::of(1, count_of(sizes))}, {"core", Runs(sizes)}});
}

void add_note(Answer& answer, const std::string& note) {
  answer.text += "\n" + note + "\n";
  answer.json["devices_note"] = note;
}

}  // namespace

void add_devices_of_host(Answer& answer) {
  answer.json["devices"] = nlohmann::ordered_json::array();
  plan::NodeDevices node;
  try {
    node = mpi::node_topology();
  } catch (const Error& error) {
    return add_note(answer, error.what());
  }
  if (node.devices.empty()) return add_note(answer, no_devices);
  Table table({Column::left("device", 14, "name"), Column::left("kind", 6, "kind"),
               Column::left("nearest cores", 0, "cores", "  ")});
  for (const plan::Device& device : node.devices)
    table.add({device.name(), plan::name_of(device.kind), plan::ranges_text(nearest_cores(device))});
  answer.text += "\n" + table.to_text();
  answer.json["devices"] = table.to_json();
  if (!node.has(plan::DeviceKind::gpu)) return;
  const std::string text = cores_by_gpu(node).to_text();
  answer.text += fmt::format("\nwith its cores dealt to the GPUs: HALOCLINE_MACHINE=\"{}\"\n", text);
  answer.json["machine_by_gpu"] = text;
}

void add_devices_of_job(Answer& answer) {
  const std::vector<mpi::NearDevices> all = mpi::near_devices(MPI_COMM_WORLD);
  Table table({Column::left("ranks", 14, "ranks"), Column::right("node", 6, "node"),
               Column::left("nearest GPU", 24, "gpu", "  "), Column::left("nearest NIC", 0, "nic")});
  bool any = false;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last + 1 < all.size() && all[last + 1] == all[first]) ++last;
    const std::string ranks =
        first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
    const auto& [node, gpus, nics] = all[first];
    const auto words = [](const std::string& names) { return Entry(names.empty() ? "-" : names, names); };
    table.add({ranks, node, words(gpus), words(nics)});
    any = any || !gpus.empty() || !nics.empty();
    first = last + 1;
  }
  answer.json["devices"] = any ? table.to_json() : nlohmann::ordered_json::array();
  if (!any) return add_note(answer, no_devices);
  answer.text += "\n" + table.to_text();
}

}  // namespace halocline::tools
