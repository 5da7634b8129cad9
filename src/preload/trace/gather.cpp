// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/gather.hpp"

#include "base/numbers.hpp"
#include "preload/trace/mpi_functions.hpp"

#include <algorithm>
#include <cstdint>

namespace halocline::recorder {
namespace {

constexpr int tag = 1;
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // MPI counts in int

/// A communicator that no message of the program can meet.
class OwnComm {
 public:
  OwnComm() {
    good_ = HALOCLINE_PMPI(Comm_dup)(world(), &comm_) == MPI_SUCCESS &&
            HALOCLINE_PMPI(Comm_set_errhandler)(comm_, errors_return()) == MPI_SUCCESS;
  }
  ~OwnComm() {
    if (good_) HALOCLINE_PMPI(Comm_free)(&comm_);
  }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = no_comm();
  bool good_;
};

bool send(const void* data, std::size_t bytes, MPI_Comm comm) {
  return HALOCLINE_PMPI(Send)(data, to_int(bytes), byte_type(), 0, tag, comm) == MPI_SUCCESS;
}
bool receive(void* data, std::size_t bytes, int source, MPI_Comm comm) {
  return HALOCLINE_PMPI(Recv)(data, to_int(bytes), byte_type(), source, tag, comm, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

bool send_text(const std::string& text, MPI_Comm comm) {
  const std::uint64_t length = text.size();
  bool good = send(&length, sizeof length, comm);
  for (std::size_t begin = 0; good && begin < text.size(); begin += most_at_once)
    good = send(text.data() + begin, std::min(most_at_once, text.size() - begin), comm);
  return good;
}
bool receive_text(std::string& text, int source, MPI_Comm comm) {
  std::uint64_t length = 0;
  bool good = receive(&length, sizeof length, source, comm);
  if (good) text.resize(length);
  for (std::size_t begin = 0; good && begin < text.size(); begin += most_at_once)
    good = receive(text.data() + begin, std::min(most_at_once, text.size() - begin), source, comm);
  return good;
}

}  // namespace

bool gather(const std::string& own, const std::function<bool(const std::vector<std::string>& texts)>& use) {
  int rank = 0;
  int ranks = 0;
  HALOCLINE_PMPI(Comm_rank)(world(), &rank);
  HALOCLINE_PMPI(Comm_size)(world(), &ranks);
  const OwnComm comm;
  if (!comm.good()) return false;
  int good = 1;
  if (rank == 0) {
    std::vector<std::string> texts(to_size(ranks));
    texts[0] = own;
    for (int source = 1; source < ranks; ++source)
      if (!receive_text(texts[to_size(source)], source, comm.get())) good = 0;
    if (good != 0 && !use(texts)) good = 0;
  } else if (!send_text(own, comm.get())) {
    good = 0;
  }
  int all_good = good;
  if (HALOCLINE_PMPI(Bcast)(&all_good, sizeof all_good, byte_type(), 0, comm.get()) != MPI_SUCCESS)
    return false;
  return good != 0 && all_good != 0;
}

}  // namespace halocline::recorder
