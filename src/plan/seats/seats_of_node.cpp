// SPDX-License-Identifier: BSD-3-Clause
// Parts of a node lie within each other or apart, so taking the nearest pair of a GPU and a seat that is
// left, again and again, serves as many seats as can be served within each part before any leaves it.

#include "plan/seats/seats_of_node.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace halocline::plan {
namespace {

Counts block_of(Count block, Count cores_per_rank) {
  Counts cores(to_index(cores_per_rank));
  std::iota(cores.begin(), cores.end(), block * cores_per_rank);
  return cores;
}

Counts devices_of(const NodeDevices& node, DeviceKind kind) {
  Counts numbers;
  for (std::size_t i = 0; i < node.devices.size(); ++i)
    if (node.devices[i].kind == kind) numbers.push_back(to_count(i));
  return numbers;
}

Count nearest_nic(const NodeDevices& node, std::span<const Count> cores) {
  Count least = std::numeric_limits<Count>::max();
  for (const Count nic : devices_of(node, DeviceKind::nic))
    least = std::min(least, span_of(node.devices[to_index(nic)], cores));
  return least;
}

void check(const NodeDevices& node, Count ranks, Count cores_per_rank, NearWhat near) {
  require(cores_per_rank <= node.cores() / ranks, ranks, " ranks of ", cores_per_rank, " cores on a node of ",
          node.cores(), " cores");
  for (const auto& [is_asked, kind, words] :
       {std::tuple(near.gpu, DeviceKind::gpu, "GPU"), {near.nic, DeviceKind::nic, "NIC"}})
    require(!is_asked || node.has(kind), "hwloc knows no ", words, " of this node");
}

/// A seat that a GPU may have.
struct Offer {
  Count span;
  Count gpu;
  Count block;
};

/// For each block of cores its GPU, or no_gpu if nobody sits there.
Counts dealt_to_gpus(const NodeDevices& node, Count ranks, Count cores_per_rank) {
  const Counts gpus = devices_of(node, DeviceKind::gpu);
  const Count blocks = node.cores() / cores_per_rank, share = ranks / count_of(gpus);
  std::vector<Offer> offers;
  for (const Count gpu : gpus)
    for (Count block = 0; block < blocks; ++block)
      offers.push_back({span_of(node.devices[to_index(gpu)], block_of(block, cores_per_rank)), gpu, block});
  std::stable_sort(offers.begin(), offers.end(),
                   [](const Offer& a, const Offer& b) { return a.span < b.span; });
  Counts gpu_of(to_index(blocks), no_gpu), taken(node.devices.size(), 0);
  Count one_more = ranks % count_of(gpus);  // so many GPUs have one more than their share
  for (const auto& [span, gpu, block] : offers) {
    Count& seats = taken[to_index(gpu)];
    if (gpu_of[to_index(block)] != no_gpu || seats > share || (seats == share && one_more == 0)) continue;
    if (seats == share) --one_more;
    ++seats;
    gpu_of[to_index(block)] = gpu;
  }
  return gpu_of;
}

}  // namespace

NearWhat near_what(const std::string& text) {
  const bool both = text == "gpu,nic" || text == "nic,gpu";
  require(both || text == "gpu" || text == "nic", "it is none of gpu, nic and gpu,nic");
  return {both || text == "gpu", both || text == "nic"};
}

std::vector<Seat> default_seats(const NodeDevices& node, Count ranks, Count cores_per_rank, NearWhat near) {
  check(node, ranks, cores_per_rank, near);
  const Counts gpus = near.gpu ? devices_of(node, DeviceKind::gpu) : Counts{no_gpu};
  std::vector<Seat> seats;
  for (Count rank = 0; rank < ranks; ++rank) {
    Counts cores = block_of(rank, cores_per_rank);
    const Count nic_span = near.nic ? nearest_nic(node, cores) : 0;
    seats.push_back({std::move(cores), gpus[to_index(rank % count_of(gpus))], nic_span});
  }
  return seats;
}

std::vector<Seat> seats_of_node(const NodeDevices& node, Count ranks, Count cores_per_rank, NearWhat near) {
  check(node, ranks, cores_per_rank, near);
  const Count blocks = node.cores() / cores_per_rank;
  Counts gpu_of(to_index(blocks), no_gpu);
  if (near.gpu) gpu_of = dealt_to_gpus(node, ranks, cores_per_rank);
  std::vector<Seat> seats;
  Count spread = 0;  // seats so far if they are spread evenly
  for (Count block = 0; block < blocks; ++block) {
    const bool is_spread_here = spread < ranks && spread * blocks / ranks == block;
    if (is_spread_here) ++spread;
    if (near.gpu ? gpu_of[to_index(block)] == no_gpu : !is_spread_here) continue;
    Counts cores = block_of(block, cores_per_rank);
    const Count nic_span = near.nic ? nearest_nic(node, cores) : 0;
    seats.push_back({std::move(cores), gpu_of[to_index(block)], nic_span});
  }
  return seats;
}

}  // namespace halocline::plan
