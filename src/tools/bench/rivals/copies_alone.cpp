// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/copies_alone.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/foreign_read.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>

namespace halocline::tools {
namespace {

/// Where the block of a neighbour lies in what its sender sends.
std::size_t offset_of(const RivalProblem& problem, std::size_t neighbour) {
  return to_size(problem.sent(neighbour) - problem.send);
}

void copy_from(const SeenBuffer& seen, const RivalProblem& problem) {
  for (std::size_t i = 0; i < problem.neighbours.sources.size(); ++i) {
    const Rank source = problem.neighbours.sources[i];
    if (source < 0) continue;
    std::memcpy(problem.received(i), seen.of(source) + offset_of(problem, i), to_size(problem.block_bytes));
  }
}

std::size_t sent_bytes(const RivalProblem& problem) {
  const std::size_t blocks =
      problem.operation == Operation::allgather ? 1 : problem.neighbours.targets.size();
  return blocks * to_size(problem.block_bytes);
}

Count address(const std::byte* place) { return static_cast<Count>(reinterpret_cast<std::uintptr_t>(place)); }

}  // namespace

SeenBuffer::SeenBuffer(MPI_Comm comm, std::size_t bytes, const std::string& way)
    : all_(to_size(mpi::size(comm))) {
  mpi::Comm node;
  HALOCLINE_MPI(Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node.put());
  int least = mpi::size(node.get());
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  require(least == mpi::size(comm), "--ways ", way,
          ": it needs memory that all processes share, but they are on several nodes");
  void* mine = nullptr;
  HALOCLINE_MPI(Win_allocate_shared, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm, &mine, &window_);
  for (std::size_t rank = 0; rank < all_.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    HALOCLINE_MPI(Win_shared_query, window_, to_int(rank), &size, &unit, static_cast<void*>(&all_[rank]));
  }
}

SeenBuffer::~SeenBuffer() { PMPI_Win_free(&window_); }

void CopiesOnce::run() {
  copy_from(*seen_, problem_);
  HALOCLINE_MPI(Barrier, problem_.cart);
}

CopiesTwice::CopiesTwice(const RivalProblem& problem)
    : problem_(problem), sent_bytes_(sent_bytes(problem)), seen_(problem.cart, sent_bytes_, "copy-twice") {}

void CopiesTwice::run() {
  std::memcpy(seen_.of(problem_.rank), problem_.send, sent_bytes_);
  copy_from(seen_, problem_);
  HALOCLINE_MPI(Barrier, problem_.cart);
}

CopiesByKernel::CopiesByKernel(const RivalProblem& problem) : comm_(problem.cart) {
  struct SentFrom {
    Count process, address;
  };
  std::vector<SentFrom> senders(to_size(mpi::size(comm_)));
  senders[to_index(problem.rank)] = {exchange::this_process(), address(problem.send)};
  HALOCLINE_MPI(Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, senders.data(), sizeof(SentFrom), MPI_BYTE,
                comm_);
  constexpr std::size_t most_places = 1024;  // of one call
  std::map<Rank, std::size_t> place;
  for (std::size_t i = 0; i < problem.neighbours.sources.size(); ++i) {
    const Rank rank = problem.neighbours.sources[i];
    if (rank < 0) continue;
    const SentFrom& sender = senders[to_index(rank)];
    const auto [found, is_new] = place.try_emplace(rank);
    if (is_new || sources_[found->second].to.size() == most_places) {
      found->second = sources_.size();
      sources_.push_back({sender.process, {}, {}});
    }
    Source& source = sources_[found->second];
    source.from.push_back({sender.address + to_count(offset_of(problem, i)), problem.block_bytes});
    source.to.push_back({address(problem.received(i)), problem.block_bytes});
  }
  int all_read = read_all() ? 1 : 0;
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, &all_read, 1, MPI_INT, MPI_MIN, comm_);
  require(all_read == 1,
          "--ways copy-by-kernel: a process cannot read the memory of another, as on several nodes "
          "or where the system forbids it");
}

bool CopiesByKernel::read_all() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const Source& source) {
    const Count bytes = count_of(source.to) * source.to.front().bytes;
    return exchange::foreign_read(source.process, source.from, source.to) == bytes;
  });
}

void CopiesByKernel::run() {
  (void)read_all();  // it could
  HALOCLINE_MPI(Barrier, comm_);
}

}  // namespace halocline::tools
