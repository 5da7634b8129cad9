// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/start_signals.hpp"

#include <algorithm>

namespace halocline::exchange {

StartSignals::StartSignals(std::span<const int> to, std::span<const int> from, int tag, MPI_Comm comm,
                           Requests& requests)
    : requests_(requests) {
  for (const int rank : from)
    receives_.push_back(requests.add_receive(nullptr, 0, MPI_BYTE, rank, tag, comm));
  for (const int rank : to) sends_.push_back(requests.add_send(nullptr, 0, MPI_BYTE, rank, tag, comm));
}

void StartSignals::begin() {
  all_started_.reset();
  for (const std::size_t request : receives_) requests_.start(request);
  for (const std::size_t request : sends_) requests_.start(request);
}

bool StartSignals::advance() {
  const auto done = [&](std::size_t request) { return requests_.done(request); };
  if (!all_started_ && std::all_of(receives_.begin(), receives_.end(), done)) all_started_ = Clock::now();
  return all_started_ && std::all_of(sends_.begin(), sends_.end(), done);
}

}  // namespace halocline::exchange
