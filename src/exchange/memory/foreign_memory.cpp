// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/foreign_memory.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/foreign_read.hpp"
#include "exchange/memory/memory_news.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace halocline::exchange {
namespace {

/// What the kernel takes of each list, and of bytes, in one call.
constexpr std::size_t most_places = 1024;
constexpr Count most_bytes = Count{1} << 26;

/// By which others find out whether they read what they think they read.
struct Probe {
  Count process, address, word;
};

bool reads(const Probe& probe) {
  Count word = 0;
  const Segment from{probe.address, sizeof word}, to{to_count(&word), sizeof word};
  return foreign_read(probe.process, {&from, 1}, {&to, 1}) == Count{sizeof word} && word == probe.word;
}

}  // namespace

std::unique_ptr<ForeignMemory> ForeignMemory::open(MPI_Comm node) {
  // Numbers of processes are those of a namespace: another one may have a process of that number.
  const Count process = this_process();
  const Count word = to_count(&node) ^ (process << 20) ^ mpi::rank(node);
  const Probe mine{process, to_count(&word), word};
  std::vector<Probe> probes(to_size(mpi::size(node)));
  HALOCLINE_MPI(Allgather, &mine, sizeof mine, MPI_BYTE, probes.data(), sizeof mine, MPI_BYTE, node);
  int ok = std::all_of(probes.begin(), probes.end(), reads) ? 1 : 0, all_ok = 0;
  HALOCLINE_MPI(Allreduce, &ok, &all_ok, 1, MPI_INT, MPI_MIN, node);
  if (all_ok == 0) return nullptr;
  std::vector<long> processes;
  processes.reserve(probes.size());
  for (const Probe& probe : probes) processes.push_back(static_cast<long>(probe.process));
  return std::make_unique<ForeignMemory>(std::move(processes));
}

bool can_be_read(std::span<const Segment> places) {
  std::array<std::byte, most_places> seen;
  std::vector<Segment> from, to;  // the first and the last byte of each
  const auto can_read = [&] {
    const bool all = foreign_read(this_process(), from, to) == count_of(from);
    from.clear();
    to.clear();
    return all;
  };
  for (const Segment& place : places) {
    for (const Count at : {Count{0}, place.bytes - 1}) {
      to.push_back({to_count(&seen[from.size()]), 1});
      from.push_back({place.offset + at, 1});
    }
    if (from.size() == most_places && !can_read()) return false;
  }
  return can_read();
}

ForeignCopy::ForeignCopy(long process, std::span<const Segment> from, std::span<const Segment> to)
    : process_(process) {
  Count from_done = 0, to_done = 0;  // of the places at the front
  while (!from.empty() && !to.empty()) {
    const Count bytes = std::min(from.front().bytes - from_done, to.front().bytes - to_done);
    if (calls_.empty() || calls_.back().to.size() == most_places || calls_.back().bytes >= most_bytes)
      calls_.emplace_back();
    KernelCall& call = calls_.back();
    const Count taken = std::min(bytes, most_bytes - call.bytes);
    call.from.push_back({from.front().offset + from_done, taken});
    call.to.push_back({to.front().offset + to_done, taken});
    call.bytes += taken;
    bytes_ += taken;
    if ((from_done += taken) == from.front().bytes) from = from.subspan(1), from_done = 0;
    if ((to_done += taken) == to.front().bytes) to = to.subspan(1), to_done = 0;
  }
}

void ForeignCopy::copy() const {
  for (const KernelCall& call : calls_) {
    const Count copied = foreign_read(process_, call.from, call.to);
    spend_on_copy(call.bytes);
    if (copied != call.bytes)
      fail(Fault::internal, "only ", std::max(copied, Count{0}), " of ", call.bytes,
           " bytes could be read from process ", process_,
           " of this node; its buffers must stay until the exchange is complete");
  }
}

}  // namespace halocline::exchange
