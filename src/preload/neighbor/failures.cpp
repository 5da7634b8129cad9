// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/failures.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "preload/neighbor/collective.hpp"

#include <algorithm>
#include <optional>

namespace halocline::preload {
namespace {

struct Failure {
  MPI_Request request;
  int code;
  std::shared_ptr<StreamedComm> comm;
};

/// Lives as long as the process: requests may be completed by whatever runs at its end.
std::vector<Failure>& failures() {
  static std::vector<Failure>& all = *new std::vector<Failure>;
  return all;
}

auto place_of(MPI_Request request) {
  return std::find_if(failures().begin(), failures().end(),
                      [&](const Failure& failure) { return failure.request == request; });
}

std::optional<Failure> take(MPI_Request request) {
  const auto found = place_of(request);
  if (found == failures().end()) return std::nullopt;
  Failure failure = std::move(*found);
  failures().erase(found);
  return failure;
}

/// After a call about `count` requests: `request_at(i)` has the status i.
template <class RequestAt>
int raised_in_statuses(int code, int count, const RequestAt& request_at, MPI_Status* statuses) {
  const bool is_raised = code != MPI_SUCCESS;  // MPI has called a handler already, which is enough
  if (failures().empty() || (is_raised && !tells_in_statuses(code))) return code;
  std::optional<Failure> first;
  for (int i = 0; i < count; ++i) {
    if (is_raised && statuses[i].MPI_ERROR == MPI_ERR_PENDING) continue;
    std::optional<Failure> failure = take(request_at(i));
    if (!failure) continue;
    // MPI sets this field only where it knows of an error.
    if (!is_raised && !first)
      for (int k = 0; k < count; ++k) statuses[k].MPI_ERROR = MPI_SUCCESS;
    statuses[i].MPI_ERROR = failure->code;
    if (!first) first = std::move(failure);
  }
  if (!first) return code;
  // The handler gets the error of the request, as the standard has it.
  if (!is_raised) first->comm->raise(first->code);
  return MPI_ERR_IN_STATUS;
}

}  // namespace

bool tells_in_statuses(int code) {
  int error_class = MPI_SUCCESS;
  PMPI_Error_class(code, &error_class);
  return error_class == MPI_ERR_IN_STATUS;
}

void add_failure(MPI_Request request, int code, std::shared_ptr<StreamedComm> comm) {
  drop_failure(request);
  failures().push_back({request, code, std::move(comm)});
}

void drop_failure(MPI_Request request) noexcept {
  if (const auto found = place_of(request); found != failures().end()) failures().erase(found);
}

Raising::Raising(int count, const MPI_Request* requests) {
  if (count > 0 && Collective::any()) before_.assign(requests, requests + count);
}

int Raising::one(int code, int index) const {
  if (!watches() || code != MPI_SUCCESS || failures().empty()) return code;
  const auto failure = take(before_[to_index(index)]);
  if (!failure) return code;
  failure->comm->raise(failure->code);
  return failure->code;
}

int Raising::all(int code, MPI_Status* statuses) const {
  if (!watches()) return code;
  const auto request_at = [&](int i) { return before_[to_index(i)]; };
  return raised_in_statuses(code, to_int(before_.size()), request_at, statuses);
}

int Raising::some(int code, int outcount, const int* indices, MPI_Status* statuses) const {
  if (!watches() || outcount == MPI_UNDEFINED) return code;
  const auto request_at = [&](int i) { return before_[to_index(indices[i])]; };
  return raised_in_statuses(code, outcount, request_at, statuses);
}

}  // namespace halocline::preload
