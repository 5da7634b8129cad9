// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/mpi_waiting.hpp"

#include "base/numbers.hpp"
#include "plan/transport/sizes.hpp"

namespace halocline::exchange {

void start_all(std::span<MPI_Request> requests, std::span<const char> /*sends*/) {
  HALOCLINE_MPI(Startall, to_int(requests.size()), requests.data());
}

int ask(std::span<MPI_Request> requests, std::span<int> completed) {
  int count = 0;
  HALOCLINE_MPI(Testsome, to_int(requests.size()), requests.data(), &count, completed.data(),
                MPI_STATUSES_IGNORE);
  return count == MPI_UNDEFINED ? 0 : count;
}

int await(std::span<MPI_Request> requests, std::span<int> completed) {
  int count = 0;
  HALOCLINE_MPI(Waitsome, to_int(requests.size()), requests.data(), &count, completed.data(),
                MPI_STATUSES_IGNORE);
  return count == MPI_UNDEFINED ? 0 : count;
}

/// MPI looks at all requests each time it is asked for some.
bool await_all(std::span<MPI_Request> requests) {
  mpi::wait_all(requests);
  return true;
}

void spend_on_send() {}
void spend_on_receive() {}

bool waits_politely() {
#ifdef OPEN_MPI
  return true;
#else
  return false;  // it spins
#endif
}

bool rest() { return false; }

Count longest_whole_message() { return plan::longest_eager_message; }

MPI_Request start_least(std::span<Count> numbers, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  HALOCLINE_MPI(Iallreduce, MPI_IN_PLACE, numbers.data(), to_int(numbers.size()), MPI_INT64_T, MPI_MIN, comm,
                &request);
  return request;
}

bool ask(MPI_Request& request) {
  int complete = 0;
  HALOCLINE_MPI(Test, &request, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

}  // namespace halocline::exchange
