// SPDX-License-Identifier: BSD-3-Clause
// The simulated answer to exchange/progress/mpi_waiting.hpp: a process that waits lets simulated time go on
// by waiting.

#include "exchange/progress/mpi_waiting.hpp"
#include "base/numbers.hpp"
#include "simulate/bell.hpp"
#include "simulate/overheads.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <limits>
#include <optional>

namespace halocline::exchange {

void start_all(std::span<MPI_Request> requests, std::span<const char> sends) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (sends[i]) spend_on_send();
    HALOCLINE_MPI(Start, &requests[i]);
  }
}

int ask(std::span<MPI_Request> requests, std::span<int> completed) {
  const std::optional<int> one = simulate::Bell::of_process().completed(requests);
  if (!one) return 0;
  completed.front() = *one;
  return 1;
}

int await(std::span<MPI_Request> requests, std::span<int> completed) {
  int one = MPI_UNDEFINED;
  HALOCLINE_MPI(Waitany, to_int(requests.size()), requests.data(), &one, MPI_STATUS_IGNORE);
  if (one == MPI_UNDEFINED) return 0;
  completed.front() = one;
  return 1;
}

/// Receiving takes simulated time, message by message as they come.
bool await_all(std::span<MPI_Request> /*requests*/) { return false; }

void spend_on_send() { simgrid::s4u::this_actor::sleep_for(simulate::overheads().send_seconds); }
void spend_on_receive() { simgrid::s4u::this_actor::sleep_for(simulate::overheads().receive_seconds); }

/// Who waits takes no time from others.
bool waits_politely() { return true; }

bool rest() {
  simulate::Bell::of_process().rest();
  return true;
}

/// Packing takes no simulated time, so that nothing is gained by pieces.
Count longest_whole_message() { return std::numeric_limits<Count>::max(); }

/// At once: in the background SimGrid sends messages from each process to each.
MPI_Request start_least(std::span<Count> numbers, MPI_Comm comm) {
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, numbers.data(), to_int(numbers.size()), MPI_INT64_T, MPI_MIN, comm);
  return MPI_REQUEST_NULL;
}

bool ask(MPI_Request& request) {
  HALOCLINE_MPI(Wait, &request, MPI_STATUS_IGNORE);
  return true;
}

}  // namespace halocline::exchange
