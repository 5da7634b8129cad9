// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/bell.hpp"

#include "base/numbers.hpp"
#include "mpi/handles/call.hpp"
#include "mpi/handles/comm.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace halocline::simulate {
namespace {

constexpr int tag = 1;

std::unordered_map<const void*, std::vector<Bell*>>& listeners() {
  static std::unordered_map<const void*, std::vector<Bell*>> all;
  return all;
}

}  // namespace

Bell& Bell::of_process() {
  static std::unordered_map<aid_t, Bell> bells;
  return bells[simgrid::s4u::this_actor::get_pid()];
}

void Bell::put_up(MPI_Comm comm) {
  comm_ = comm;
  rank_ = mpi::rank(comm);
}

void Bell::listen(const void* place) {
  std::vector<Bell*>& all = listeners()[place];
  if (std::find(all.begin(), all.end(), this) == all.end()) all.push_back(this);
}

void Bell::ring_for(const void* place) {
  const auto found = listeners().find(place);
  if (found == listeners().end()) return;
  const std::vector<Bell*> all = std::move(found->second);
  listeners().erase(found);
  for (Bell* const bell : all) bell->ring();
}

void Bell::ring() {
  news_ = true;
  if (!resting_ || std::exchange(rung_, true)) return;
  MPI_Request& sent = of_process().rings_.emplace_back();
  HALOCLINE_MPI(Isend, nullptr, 0, MPI_BYTE, rank_, tag, comm_, &sent);
}

std::optional<int> Bell::block(std::span<MPI_Request> requests) {
  resting_ = true;  // others go on while the receive is posted, and may ring already
  if (heard_ == MPI_REQUEST_NULL)
    HALOCLINE_MPI(Irecv, nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, tag, comm_, &heard_);
  std::vector<MPI_Request> all(requests.begin(), requests.end());
  all.push_back(heard_);
  int one = MPI_UNDEFINED;
  HALOCLINE_MPI(Waitany, to_int(all.size()), all.data(), &one, MPI_STATUS_IGNORE);
  resting_ = false;
  std::copy(all.begin(), all.end() - 1, requests.begin());
  heard_ = all.back();
  news_ = false;
  if (to_size(one) < requests.size()) return one;
  rung_ = false;
  return std::nullopt;
}

std::optional<int> Bell::completed(std::span<MPI_Request> requests) {
  asked_ = true;
  if (std::exchange(tired_, false) && !news_) return block(requests);
  int one = MPI_UNDEFINED, found = 0;
  HALOCLINE_MPI(Testany, to_int(requests.size()), requests.data(), &one, &found, MPI_STATUS_IGNORE);
  return found != 0 && one != MPI_UNDEFINED ? std::optional(one) : std::nullopt;
}

void Bell::rest() {
  const bool news = std::exchange(news_, false), asked = std::exchange(asked_, false);
  if (news || asked) vain_looks_ = 0;
  if (news) return;
  // What it did when it looked may have been to send the first message: then it has requests from now on.
  tired_ = asked || vain_looks_++ == 0;
  if (tired_) return;
  vain_looks_ = 0;
  (void)block({});
}

void Bell::await_rings() {
  mpi::wait_all(rings_);
  rings_.clear();
}

void Bell::settle() {
  await_rings();
  news_ = asked_ = tired_ = false;
  vain_looks_ = 0;
}

void Bell::take_down() {
  if (heard_ == MPI_REQUEST_NULL) return;
  resting_ = true;
  ring();
  HALOCLINE_MPI(Wait, &heard_, MPI_STATUS_IGNORE);
  resting_ = false;
  await_rings();
}

}  // namespace halocline::simulate
