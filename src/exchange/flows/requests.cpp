// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/requests.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::exchange {

Requests::~Requests() {
  int finalized = 1;
  PMPI_Finalized(&finalized);
  if (finalized) return;
  for (MPI_Request& request : requests_) PMPI_Request_free(&request);
}

std::size_t Requests::add(MPI_Request request, bool sends) {
  requests_.push_back(request);
  sends_.push_back(static_cast<char>(sends));
  active_.push_back(0);
  completed_.push_back(0);
  return requests_.size() - 1;
}

std::size_t Requests::add_send(const void* buffer, int count, MPI_Datatype type, int rank, int tag,
                               MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  HALOCLINE_MPI(Send_init, buffer, count, type, rank, tag, comm, &request);
  return add(request, true);
}

std::size_t Requests::add_receive(void* buffer, int count, MPI_Datatype type, int rank, int tag,
                                  MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  HALOCLINE_MPI(Recv_init, buffer, count, type, rank, tag, comm, &request);
  return add(request, false);
}

void Requests::start(std::size_t request) {
  if (sends_[request]) spend_on_send();
  HALOCLINE_MPI(Start, &requests_[request]);
  active_[request] = 1;
  ++active_count_;
}

void Requests::start(std::size_t first, std::size_t end) {
  const std::size_t count = end - first;
  start_all(std::span(requests_).subspan(first, count), std::span(sends_).subspan(first, count));
  std::ranges::fill(std::span(active_).subspan(first, count), char{1});
  active_count_ += to_int(count);
}

bool Requests::done(std::size_t first, std::size_t end) const {
  return std::ranges::none_of(std::span(active_).subspan(first, end - first),
                              [](char active) { return active != 0; });
}

void Requests::wait_for_all() {
  if (!await_all(requests_)) return wait();
  int completed = 0;
  for (std::size_t request = 0; request < active_.size(); ++request)
    if (active_[request]) completed_[to_index(completed++)] = to_int(request);
  take(completed);
}

void Requests::take(int completed) {
  for (int i = 0; i < completed; ++i) {
    const auto request = to_size(completed_[to_index(i)]);
    active_[request] = 0;
    if (!sends_[request]) spend_on_receive();
  }
  active_count_ -= completed;
}

}  // namespace halocline::exchange
