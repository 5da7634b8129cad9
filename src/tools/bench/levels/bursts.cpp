// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/levels/bursts.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/contest.hpp"

#include <algorithm>
#include <limits>

namespace halocline::tools {
namespace {

constexpr int burst_tag = 79;

/// Processes that send at once. Message j of the one at position p goes to the one at p + steps[j], in a
/// ring, so that each receives as many messages as it sends.
struct Senders {
  mpi::Comm all;   ///< Null if the process is none of them.
  mpi::Comm ring;  ///< Those among whom this one sends: a node, or all.
  std::vector<int> steps;
};

/// `most` processes of each node, or all it has, send to other nodes.
Senders between_nodes(MPI_Comm comm, const Discovery& here, Count most) {
  const Runs& nodes = here.machine.node_sizes();
  const Rank index = here.position - nodes.start(nodes.find(here.position));
  Senders senders;
  senders.all = mpi::split(comm, index < most ? 0 : MPI_UNDEFINED, to_int(here.position));
  if (!senders.all) return senders;
  HALOCLINE_MPI(Comm_dup, senders.all.get(), senders.ring.put());
  // A node is at most `most` positions long.
  const int first = to_int(most), last = mpi::size(senders.all.get()) - first;
  for (int step = first; step <= last; ++step) senders.steps.push_back(step);
  return senders;
}

Senders on_nodes(MPI_Comm comm, const Discovery& here) {
  const Runs& nodes = here.machine.node_sizes();
  const Count node = nodes.find(here.position);
  const bool alone = nodes[node] == 1;
  Senders senders;
  senders.all = mpi::split(comm, alone ? MPI_UNDEFINED : 0, to_int(here.position));
  senders.ring = mpi::split(comm, alone ? MPI_UNDEFINED : to_int(node), to_int(here.position));
  for (int step = 1; step < nodes[node]; ++step) senders.steps.push_back(step);
  return senders;
}

/// The processes of a group that send to each other, but not inside its parts.
struct SendingParts {
  Count members = 0;  ///< That send.
  Count largest = 0;  ///< Of a part.
};

/// Of a group of a level, if `most` processes of each node send.
SendingParts parts_of(const Machine& machine, std::size_t level, Count group, Count most) {
  const Runs& groups = machine.sizes(level);
  const Runs& inner = machine.sizes(level + 1);
  const Runs& nodes = machine.node_sizes();
  SendingParts parts;
  Count part = -1, of_part = 0;
  for (Rank rank = groups.start(group); rank < groups.start(group + 1); ++rank) {
    if (rank - nodes.start(nodes.find(rank)) >= most) continue;
    const Count its_part = inner.find(rank);
    of_part = its_part == part ? of_part + 1 : 1;
    part = its_part;
    ++parts.members;
    parts.largest = std::max(parts.largest, of_part);
  }
  return parts;
}

/// Can they send without any part that has more than half of them?
bool can_send(const SendingParts& parts) { return parts.members > 0 && parts.members >= 2 * parts.largest; }

bool some_can_send(const Machine& machine, std::size_t level, Count most) {
  for (Count group = 0; group < machine.sizes(level).size(); ++group)
    if (can_send(parts_of(machine, level, group, most))) return true;
  return false;
}

/// Processes whose innermost common group is of this level send to each other, `most` of a node.
Senders inside_groups(MPI_Comm comm, const Discovery& here, std::size_t level, Count most) {
  const Runs& nodes = here.machine.node_sizes();
  const Count group = here.machine.sizes(level).find(here.position);
  const SendingParts parts = parts_of(here.machine, level, group, most);
  const bool sends = can_send(parts) && here.position - nodes.start(nodes.find(here.position)) < most;
  const auto position = to_int(here.position);
  Senders senders;
  senders.all = mpi::split(comm, sends ? 0 : MPI_UNDEFINED, position);
  senders.ring = mpi::split(comm, sends ? to_int(group) : MPI_UNDEFINED, position);
  for (Count step = parts.largest; step <= parts.members - parts.largest; ++step)
    senders.steps.push_back(to_int(step));
  return senders;
}

/// Of the slowest process, on all senders.
class Bursts {
 public:
  Bursts(const Senders& senders, Count largest_bytes)
      : senders_(senders),
        me_(mpi::rank(senders.ring.get())),
        processes_(mpi::size(senders.ring.get())),
        sent_(to_size(largest_bytes)),
        received_(std::max<std::size_t>(sent_.size(), most_messages)) {}

  double seconds(const BurstTime& burst) {
    std::vector<MPI_Request> requests(2 * to_size(burst.messages));
    const int bytes = to_int(burst.bytes);
    HALOCLINE_MPI(Barrier, senders_.all.get());
    const double begin = wall_clock();
    for (int m = 0; m < burst.messages; ++m)
      HALOCLINE_MPI(Irecv, received_.data() + m * burst.bytes, bytes, MPI_BYTE,
                    (me_ + processes_ - step(m)) % processes_, burst_tag, senders_.ring.get(),
                    &requests[2 * to_index(m)]);
    for (int m = 0; m < burst.messages; ++m)
      HALOCLINE_MPI(Isend, sent_.data(), bytes, MPI_BYTE, (me_ + step(m)) % processes_, burst_tag,
                    senders_.ring.get(), &requests[2 * to_index(m) + 1]);
    mpi::wait_all(requests);
    const double mine = wall_clock() - begin;
    double slowest = 0;
    HALOCLINE_MPI(Allreduce, &mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, senders_.all.get());
    return slowest;
  }

 private:
  static constexpr std::size_t most_messages = 32;  // of a byte

  [[nodiscard]] int step(int message) const {
    return senders_.steps[to_index(message) % senders_.steps.size()];
  }

  const Senders& senders_;
  int me_, processes_;
  std::vector<std::byte> sent_, received_;
};

/// Medians, the bursts taking turns. Collective over the senders.
void measure(const Senders& senders, Count largest_bytes, int repetitions, std::vector<BurstTime>& times) {
  constexpr double budget_seconds = 2;
  constexpr int least = 5;
  Bursts bursts(senders, largest_bytes);
  std::vector<std::vector<double>> seconds(times.size());
  for (const BurstTime& time : times) (void)bursts.seconds(time);  // first use is never typical
  double round = 0;
  for (const BurstTime& time : times) round += bursts.seconds(time);
  // The same sum of the same times everywhere.
  const int number = static_cast<int>(
      std::clamp<double>(budget_seconds / std::max(round, 1e-9), std::min(least, repetitions), repetitions));
  for (int i = 0; i < number; ++i)
    for (std::size_t t = 0; t < times.size(); ++t) seconds[t].push_back(bursts.seconds(times[t]));
  for (std::size_t t = 0; t < times.size(); ++t) times[t].seconds = median(seconds[t]);
}

/// What the senders measure, on all processes; the others sleep meanwhile. Collective over `comm`.
std::vector<BurstTime> burst_times(MPI_Comm comm, const Senders& senders, Count largest_bytes,
                                   int repetitions) {
  std::vector<BurstTime> times = bursts(largest_bytes);
  if (senders.all) measure(senders, largest_bytes, repetitions, times);
  wait_asleep(comm);
  const int mine = senders.all ? mpi::rank(comm) : std::numeric_limits<int>::max();
  int teller = 0;
  HALOCLINE_MPI(Allreduce, &mine, &teller, 1, MPI_INT, MPI_MIN, comm);
  for (BurstTime& time : times) HALOCLINE_MPI(Bcast, &time.seconds, 1, MPI_DOUBLE, teller, comm);
  return times;
}

}  // namespace

std::vector<MeasuredPrice> measure_bursts(MPI_Comm comm, const Discovery& here,
                                          const std::vector<AloneTimes>& alone, int repetitions) {
  std::vector<MeasuredPrice> measured;
  const auto add = [&](const std::string& level, const Senders& senders, Count processes, Count ways_out,
                       const std::vector<MessageTime>& alone_times) {
    const Count largest = largest_burst_bytes(processes);
    std::vector<BurstTime> times = burst_times(comm, senders, largest, repetitions);
    const BurstPrice price = burst_price(times, ways_out, alone_times);
    measured.push_back({{level, price.cost, {"", "", "", processes}, largest},
                        std::move(times),
                        price.latency_of_bursts,
                        doubt_about(price)});
  };
  const Machine& machine = here.machine;
  const auto is_inside = [&](const AloneTimes& of) { return of.level >= to_int(machine.node_level()); };
  // The outermost level stands for the node, and for the network.
  const AloneTimes *on_node = nullptr, *between = nullptr;
  for (const AloneTimes& of : alone) (is_inside(of) ? on_node : between) = &of;
  const Count at_once = processes_at_once(machine.node_sizes());
  if (between != nullptr && at_once > 0) {
    add("network", between_nodes(comm, here, at_once), at_once, at_once, between->times);
    if (at_once > 1) add("network", between_nodes(comm, here, 1), 1, 1, between->times);
  }
  Count largest = 1;
  for (const Run& run : machine.node_sizes().runs()) largest = std::max(largest, run.value);
  if (on_node != nullptr && largest > 1) add("node", on_nodes(comm, here), largest, 1, on_node->times);
  for (const AloneTimes& of : alone) {
    if (&of == on_node || &of == between) continue;
    const auto level = to_size(of.level);
    const std::string& name = machine.levels()[level].name;
    if (name == "network") continue;  // it means another thing
    const Count most = is_inside(of) ? largest : std::max<Count>(at_once, 1);
    if (some_can_send(machine, level, most))
      add(name, inside_groups(comm, here, level, most), most, is_inside(of) ? 1 : most, of.times);
  }
  return measured;
}

}  // namespace halocline::tools
