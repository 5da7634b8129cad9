// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/gather.hpp"

#include "base/numbers.hpp"
#include "preload/trace/mpi_functions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

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

bool send(const void* data, std::size_t bytes, int target, MPI_Comm comm) {
  return HALOCLINE_PMPI(Send)(data, to_int(bytes), byte_type(), target, tag, comm) == MPI_SUCCESS;
}
bool receive(void* data, std::size_t bytes, int source, MPI_Comm comm) {
  return HALOCLINE_PMPI(Recv)(data, to_int(bytes), byte_type(), source, tag, comm, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

using Length = std::uint64_t;

bool send_all(const std::string& data, int target, MPI_Comm comm) {
  const Length length = data.size();
  bool good = send(&length, sizeof length, target, comm);
  for (std::size_t begin = 0; good && begin < data.size(); begin += most_at_once)
    good = send(data.data() + begin, std::min(most_at_once, data.size() - begin), target, comm);
  return good;
}
/// Behind what is there.
bool receive_all(std::string& data, int source, MPI_Comm comm) {
  Length length = 0;
  bool good = receive(&length, sizeof length, source, comm);
  const std::size_t start = data.size();
  if (good) data.resize(start + length);
  for (std::size_t begin = start; good && begin < data.size(); begin += most_at_once)
    good = receive(data.data() + begin, std::min(most_at_once, data.size() - begin), source, comm);
  return good;
}

void append(std::string& packed, const std::string& text) {
  const Length length = text.size();
  packed.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
}

/// Texts that were appended one after the other.
bool take_all(std::string_view packed, const Taker& taker) {
  while (!packed.empty()) {
    Length length = 0;
    if (packed.size() < sizeof length) return false;
    std::memcpy(&length, packed.data(), sizeof length);
    packed.remove_prefix(sizeof length);
    if (packed.size() < length || !taker.take(packed.substr(0, length))) return false;
    packed.remove_prefix(length);
  }
  return true;
}

/// Below rank r are the ranks behind it up to the next one with fewer zeros at its end; each of its children
/// has a run of them.
struct Tree {
  int rank;
  int ranks;

  [[nodiscard]] int parent() const { return rank & (rank - 1); }
  /// In the order of their ranks.
  template <class Visit>
  void for_each_child(const Visit& visit) const {
    for (int step = 1; step < ranks - rank && (rank & step) == 0; step *= 2) {
      visit(rank + step);
      if (step > ranks / 2) break;  // the next one could leave an int
    }
  }
};

/// All children are listened to, whatever goes wrong: nobody must wait.
bool take_from_children(const Tree& tree, const std::string& own, const Taker& taker, MPI_Comm comm) {
  bool good = taker.take(own);
  tree.for_each_child([&](int child) {
    std::string packed;
    const bool came = receive_all(packed, child, comm);
    good = came && good && take_all(packed, taker);
  });
  return good && taker.finish();
}

bool hand_on(const Tree& tree, const std::string& own, MPI_Comm comm) {
  std::string packed;
  append(packed, own);
  bool good = true;
  tree.for_each_child([&](int child) { good = receive_all(packed, child, comm) && good; });
  return send_all(packed, tree.parent(), comm) && good;
}

}  // namespace

bool gather(const std::string& own, const Taker& taker) {
  Tree tree{0, 0};
  HALOCLINE_PMPI(Comm_rank)(world(), &tree.rank);
  HALOCLINE_PMPI(Comm_size)(world(), &tree.ranks);
  const OwnComm comm;
  if (!comm.good()) return false;
  const bool good =
      tree.rank == 0 ? take_from_children(tree, own, taker, comm.get()) : hand_on(tree, own, comm.get());
  int all_good = good ? 1 : 0;
  if (HALOCLINE_PMPI(Bcast)(&all_good, sizeof all_good, byte_type(), 0, comm.get()) != MPI_SUCCESS)
    return false;
  return good && all_good != 0;
}

}  // namespace halocline::recorder
