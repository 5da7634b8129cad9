// SPDX-License-Identifier: BSD-3-Clause
// How a message gets from one process to another: the one place that decides it.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"
#include "plan/prices/device_prices.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halocline::plan {

/// By MPI; through a channel in memory that the processes of a node share, written by the one and read by the
/// other; straight from the blocks of the one to those of the other; or the same by the kernel, which reads
/// memory that is not shared.
enum class Transport : std::uint8_t { message, channel, straight, read };

/// What two processes are to each other.
struct Nearness {
  bool share_memory = false;     ///< They are on one node and may use it.
  bool see_each_other = false;   ///< Each can read the other's blocks where they lie.
  bool read_each_other = false;  ///< The kernel can, for each.
};

/// For all that one process has for another, in so many runs where it lies. Long messages are copied once
/// instead of twice where that can be; for short ones it pays more that the sender need not wait for the
/// receiver, and short runs are packed by who has them in its caches. It is the sender who knows its runs: it
/// chooses, and the receiver is told. @pre runs > 0
[[nodiscard]] Transport choose_transport(const Nearness& nearness, Count bytes, Count runs = 1);

/// How bytes leave a device: through memory of the host, as those of any other field; or, by its kernel,
/// straight to where they belong: those that stay in the process, or those for all processes of the node,
/// into a buffer on the device of the other, which unpacks it, or into its fields.
enum class DeviceWay : std::uint8_t { staged, own, buffered, straight };

/// What memory of each other the processes of a node can write to: none; what the library allocates; or the
/// fields themselves.
enum class DeviceReach : std::uint8_t { none, buffers, fields };

/// What all processes of a halo say alike.
struct DeviceNearness {
  bool alike = false;  ///< All have the same fields on devices.
  bool may = false;    ///< Processes of a node may write into each other's memory.
  DeviceReach reach = DeviceReach::none;
  /// All fields lie on devices, MPI takes addresses of devices, and nobody asks for messages of another kind
  /// than one from each process to each.
  bool mpi_takes_them = false;
  Count bytes = 0;      ///< That a process has for others of its node, at most.
  bool linked = false;  ///< Some of those are on another device.
};

struct DeviceChoice {
  DeviceWay way = DeviceWay::staged;
  bool messages_on_device = false;  ///< What messages carry is packed into memory of the device.

  /// A sentence for people.
  [[nodiscard]] std::string to_text() const;
};

/// A kernel that writes straight costs a launch, one that writes into buffers two; memory of the host costs
/// two, copies of all bytes between device and host, which an MPI that takes addresses of devices saves, and
/// a message on the node. Straight, or into buffers, unless prices say that the host is clearly faster, as
/// where GPUs reach each other slowly. Sizes of messages must be known alike, so that a process that has
/// other fields on its device than the others stages all.
[[nodiscard]] DeviceChoice choose_device_way(const DeviceNearness& nearness, const LevelCosts& prices = {});

/// Is an exchange that was started on a stream left to it, or does the host drive it behind what the stream
/// has? Streams of processes that share a device get in each other's way where they wait for each other: two
/// take 1.3 times as long as their hosts, which are free meanwhile, three 1.5 times, eight five times
/// (docs/gpu.md). @param sharing processes on one device of which one exchanges with all others, at most: the
/// same on all processes, so that no stream of one waits for the host of another
[[nodiscard]] bool streams_drive(Count sharing);

/// Which messages of a device are packed together, by one launch: numbers of those with so many bytes, in the
/// order in which they are sent. What the first launch has packed is sent while the next ones work; those
/// that receive do the same with what has come. Short messages are all with the first.
[[nodiscard]] std::vector<std::vector<std::size_t>> packed_together(std::span<const Count> bytes);

/// The parts in which a message goes through a channel, so that it is read while the rest is written, and out
/// of the cache.
struct Chunks {
  Count bytes;  ///< Of one, at most.
  Count slots;  ///< So many may be written and not yet read.
};
/// @pre bytes > 0
[[nodiscard]] Chunks choose_chunks(Count bytes);

/// Are the blocks of a message handed to MPI one by one, each from where it lies if that is one run? The
/// copies that put long blocks together take longer than more messages do. Both sides know the bytes of the
/// blocks.
[[nodiscard]] bool goes_block_by_block(std::span<const Count> blocks);

/// Does a message by MPI go from where its blocks lie, as a datatype, rather than through a buffer of ours?
/// MPI's own copies of long runs cost less than one more of ours, but for messages that are so long that they
/// are packed while others are under way. @pre runs > 0
[[nodiscard]] bool goes_in_place(Count bytes, Count runs);

/// So many bytes of messages to other nodes a process may have under way at once; one message it always may.
/// What the processes of a node have under way together, its link moves in a moment: more would stand in the
/// queues of a network, which lose what they cannot hold, and the sender finds out late. @pre
/// processes_of_node > 0
[[nodiscard]] Count choose_window(const schedule::LinearCost& between_nodes, Count processes_of_node);

}  // namespace halocline::plan
