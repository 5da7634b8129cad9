// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/transport_choice.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "plan/transport/sizes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace halocline::plan {
namespace {

constexpr Count kibibyte = 1024;
constexpr Count least_straight = 32 * kibibyte, least_straight_run = 128;
constexpr Count least_read = 64 * kibibyte, least_read_run = 4 * kibibyte;
constexpr Count largest_chunk = 64 * kibibyte;
constexpr Count most_slots = 16;
constexpr Count long_block = 16 * kibibyte, longest_block = Count{1} << 30;  // MPI counts in 31 bits
constexpr Count long_run = 32 * kibibyte;
constexpr double queued_seconds = 0.05;
constexpr Count most_streams = 2;
constexpr double clearly_faster = 0.95;

double seconds_of(const schedule::LinearCost& cost, Count bytes) {
  return cost.round_seconds + cost.byte_seconds * to_double(bytes) + cost.latency_seconds;
}

}  // namespace

Transport choose_transport(const Nearness& nearness, Count bytes, Count runs) {
  if (!nearness.share_memory) return Transport::message;
  const auto is = [&](Count least, Count least_run) { return bytes >= least && bytes / runs >= least_run; };
  if (nearness.see_each_other && is(least_straight, least_straight_run)) return Transport::straight;
  if (nearness.read_each_other && is(least_read, least_read_run)) return Transport::read;
  return Transport::channel;
}

DeviceChoice choose_device_way(const DeviceNearness& nearness, const LevelCosts& prices) {
  if (!nearness.alike) return {};
  const bool from_device = nearness.mpi_takes_them;
  if (!nearness.may || nearness.reach == DeviceReach::none) return {DeviceWay::own, from_device};
  const bool straight = nearness.reach == DeviceReach::fields;
  const DevicePrices of_device = device_prices(prices);
  const schedule::LinearCost& to_others = nearness.linked ? of_device.linked : of_device.straight;
  const double unpacked = straight ? 0 : seconds_of(of_device.straight, nearness.bytes);
  const double near = seconds_of(to_others, nearness.bytes) + unpacked;
  const double staged =
      seconds_of(of_device.staged, nearness.bytes) + seconds_of(prices.on_node, nearness.bytes);
  if (staged < clearly_faster * near) return {DeviceWay::own, from_device};
  return {straight ? DeviceWay::straight : DeviceWay::buffered, from_device};
}

std::string DeviceChoice::to_text() const {
  const std::string messages =
      messages_on_device ? "messages from memory of the device" : "messages through memory of the host";
  const std::string begin = "Fields on devices go ";
  switch (way) {
    case DeviceWay::straight:
      return begin + "straight to processes of the node, else in " + messages + ".";
    case DeviceWay::buffered:
      return begin + "to processes of the node through buffers on their devices, else in " + messages + ".";
    default:
      return begin + "in " + messages + ".";
  }
}

bool streams_drive(Count sharing) { return sharing <= most_streams; }

std::vector<std::vector<std::size_t>> packed_together(std::span<const Count> bytes) {
  if (bytes.empty()) return {};
  const Count all = std::accumulate(bytes.begin(), bytes.end(), Count{0});
  const Count enough = std::max(least_packed_alone, divide_up(all, most_packing_launches));
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t message) { return bytes[message] < least_packed_alone; });
  std::vector<std::vector<std::size_t>> launches(1);
  Count of_launch = 0, left = all;
  for (const std::size_t message : order) {
    if (of_launch >= enough && left >= least_packed_alone) {
      launches.emplace_back();
      of_launch = 0;
    }
    launches.back().push_back(message);
    of_launch += bytes[message];
    left -= bytes[message];
  }
  return launches;
}

Chunks choose_chunks(Count bytes) {
  const Count chunk = std::min(bytes, largest_chunk);
  return {chunk, std::min(2 * divide_up(bytes, chunk), most_slots)};
}

bool goes_block_by_block(std::span<const Count> blocks) {
  return blocks.size() > 1 && std::all_of(blocks.begin(), blocks.end(), [](Count bytes) {
           return bytes >= long_block && bytes <= longest_block;
         });
}

bool goes_in_place(Count bytes, Count runs) {
  return bytes <= longest_eager_message && bytes >= long_run * runs;
}

Count choose_window(const schedule::LinearCost& between_nodes, Count processes_of_node) {
  constexpr Count unlimited = std::numeric_limits<Count>::max();
  if (between_nodes.byte_seconds <= 0) return unlimited;
  const double bytes = queued_seconds / between_nodes.byte_seconds / to_double(processes_of_node);
  return bytes < to_double(unlimited) ? static_cast<Count>(bytes) : unlimited;
}

}  // namespace halocline::plan
