// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/levels/device_costs.hpp"

#include "accelerate/device/transfer.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "base/numbers.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/prices/device_prices.hpp"
#include "tools/bench/measuring/contest.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace halocline::tools {
namespace {

using accelerate::OwnMemory;
using accelerate::Transfer;

constexpr Count longest_copy = Count{8} << 20;

/// Kernels that copy between two memories, one for each number of bytes.
class CopyKernels {
 public:
  CopyKernels(accelerate::Device& device, const std::byte* from, const std::byte* to,
              const std::vector<BurstTime>& bursts) {
    const auto number = [](const std::byte* address) {
      return static_cast<Count>(accelerate::number_of(address));
    };
    for (const BurstTime& burst : bursts)
      if (!of_.contains(burst.bytes))
        of_.emplace(burst.bytes,
                    Transfer(device, {accelerate::Move{number(from), number(to), burst.bytes, {}}}));
  }
  void launch(const BurstTime& burst, accelerate::Stream stream) const {
    for (int i = 0; i < burst.messages; ++i) of_.at(burst.bytes).launch(stream);
  }

 private:
  std::map<Count, Transfer> of_;
};

/// Memory of the next process of the node on the same device, or on another one, opened here; null on all
/// processes if one of them has no such process, or cannot reach its memory. Collective.
std::shared_ptr<std::byte> next_memory(MPI_Comm comm, MPI_Comm node, accelerate::Device& device,
                                       std::byte* own, bool on_same) {
  constexpr Count untold = -1;  // then it is the same
  struct Note {
    Count exported = 0, place = untold;
    accelerate::MemoryHandle handle = {};
  };
  Note mine;
  if (const auto handle = device.exported({&device, own, longest_copy}))
    mine = {1, device.place().value_or(untold), *handle};
  std::vector<Note> all(to_size(mpi::size(node)));
  HALOCLINE_MPI(Allgather, &mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, node);
  const auto is_same = [&](const Note& other) {
    return other.place == mine.place || other.place == untold || mine.place == untold;
  };
  std::shared_ptr<std::byte> memory;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Note& next = all[(static_cast<std::size_t>(mpi::rank(node)) + i) % all.size()];
    if (is_same(next) != on_same) continue;
    if (next.exported == 1) memory = device.opened(next.handle);
    break;
  }
  int reached = memory ? 1 : 0, everywhere = 0;
  HALOCLINE_MPI(Allreduce, &reached, &everywhere, 1, MPI_INT, MPI_MIN, comm);
  return everywhere == 1 ? memory : nullptr;
}

/// The price of what `run` does for a burst. Collective.
template <class Run>
MeasuredPrice price_of_bursts(MPI_Comm comm, const char* level, Count processes, std::vector<BurstTime> times,
                              int repetitions, const Run& run) {
  std::vector<Competitor> competitors;
  competitors.reserve(times.size());
  for (const BurstTime& burst : times) competitors.push_back({"", [&run, burst] { run(burst); }});
  const ContestRules rules{.repetitions = repetitions, .runs = 1, .inner = 1, .prepare = {}};
  const std::vector<double> seconds = measure(comm, competitors, rules).front();
  for (std::size_t i = 0; i < times.size(); ++i) times[i].seconds = std::max(seconds[i], 1e-9);
  const std::vector<MessageTime> alone{{times.front().bytes, times.front().seconds}};
  const BurstPrice price = burst_price(times, 1, alone);
  return {{level, price.cost, {"", "", "", processes}, longest_copy},
          std::move(times),
          price.latency_of_bursts,
          doubt_about(price)};
}

}  // namespace

std::vector<MeasuredPrice> measure_device(MPI_Comm comm, accelerate::Device& device, int repetitions) {
  const mpi::Comm node = mpi::split_node(comm);
  int here = mpi::size(node.get()), processes = 0;
  HALOCLINE_MPI(Allreduce, &here, &processes, 1, MPI_INT, MPI_MAX, comm);
  struct Memories {
    OwnMemory own, filled, pinned;
  };
  const Memories memories = mpi::agreed(comm, [&] {
    return Memories{OwnMemory(device, OwnMemory::Kind::of_device, longest_copy),
                    OwnMemory(device, OwnMemory::Kind::of_device, longest_copy),
                    OwnMemory(device, OwnMemory::Kind::pinned, longest_copy)};
  });
  const accelerate::OwnStream stream(device);
  const std::vector<BurstTime> times = bursts(longest_copy);
  std::vector<MeasuredPrice> measured;
  const auto add = [&](const char* level, const auto& run) {
    measured.push_back(price_of_bursts(comm, level, processes, times, repetitions, run));
  };
  for (const bool on_same : {true, false}) {
    const auto next = next_memory(comm, node.get(), device, memories.filled.get(), on_same);
    if (!next) continue;
    const CopyKernels straight(device, memories.own.get(), next.get(), times);
    add(plan::device_levels[on_same ? 0 : 1], [&](const BurstTime& burst) {
      straight.launch(burst, stream.get());
      device.synchronize(stream.get());
    });
  }
  const CopyKernels there(device, memories.own.get(), memories.pinned.get(), times);
  const CopyKernels back(device, memories.pinned.get(), memories.own.get(), times);
  add(plan::device_levels[2], [&](const BurstTime& burst) {
    there.launch(burst, stream.get());
    device.synchronize(stream.get());
    back.launch(burst, stream.get());
    device.synchronize(stream.get());
  });
  HALOCLINE_MPI(Barrier, comm);  // before memory goes that others have opened
  return measured;
}

}  // namespace halocline::tools
