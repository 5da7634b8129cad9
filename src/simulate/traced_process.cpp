// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/traced_process.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/progress/mpi_waiting.hpp"
#include "mpi/handles/call.hpp"

#include <simgrid/s4u/Engine.hpp>

#include <algorithm>

namespace halocline::simulate {
namespace {

constexpr int tag = 0;

/// Receives wait in the front, sends behind them.
std::vector<MPI_Request> started(TracedStage& stage, std::size_t rank) {
  std::vector<MPI_Request> requests;
  for (const auto& [sender, bytes] : stage.incoming_of(rank))
    HALOCLINE_MPI(Irecv, stage.room(), bytes, MPI_BYTE, sender, tag, MPI_COMM_WORLD,
                  &requests.emplace_back(MPI_REQUEST_NULL));
  const auto targets = stage.messages().targets_of(rank);
  const auto bytes = stage.messages().bytes_of(rank);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    exchange::spend_on_send();
    HALOCLINE_MPI(Isend, stage.room(), to_int(bytes[i]), MPI_BYTE, to_int(targets[i]), tag, MPI_COMM_WORLD,
                  &requests.emplace_back(MPI_REQUEST_NULL));
  }
  return requests;
}

void finish(std::vector<MPI_Request>& requests, std::size_t receives) {
  int one = MPI_UNDEFINED;
  for (std::size_t left = requests.size(); left > 0; --left) {
    HALOCLINE_MPI(Waitany, to_int(requests.size()), requests.data(), &one, MPI_STATUS_IGNORE);
    if (to_index(one) < receives) exchange::spend_on_receive();
  }
}

}  // namespace

TracedStage::TracedStage(const TracedRound& round)
    : round_(round),
      incoming_(to_size(round.messages.ranks())),
      barrier_(simgrid::s4u::Barrier::create(static_cast<unsigned int>(round.machine.ranks()))) {
  Count longest = 1;
  round.messages.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    incoming_[target].push_back({to_int(source), to_int(bytes)});
    longest = std::max(longest, bytes);
  });
  room_.resize(to_size(longest));
}

void TracedStage::begin() {
  (void)barrier_->wait();
  start_ = simgrid::s4u::Engine::get_clock();
}

void TracedStage::arrive() { end_ = std::max(end_, simgrid::s4u::Engine::get_clock()); }

void run_traced_process(TracedStage& stage, Rank rank) {
  HALOCLINE_MPI(Init, nullptr, nullptr);
  stage.begin();
  std::vector<MPI_Request> requests = started(stage, to_index(rank));
  finish(requests, stage.incoming_of(to_index(rank)).size());
  stage.arrive();
  HALOCLINE_MPI(Finalize);
}

}  // namespace halocline::simulate
