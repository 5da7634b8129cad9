// SPDX-License-Identifier: BSD-3-Clause
#include "preload/order/seats.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "base/slurm_step.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/machine.hpp"
#include "preload/process/found_mpi.hpp"

#include <cstddef>
#include <optional>

namespace halocline::ordered {
namespace {

using found_mpi::byte_type;
using found_mpi::launched_world;
using found_mpi::no_comm;

/// A part of the world; gone when this is.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm comm) : comm_(comm) {
    if (comm_ == no_comm()) return;
    HALOCLINE_PMPI(Comm_rank)(comm_, &rank_);
    HALOCLINE_PMPI(Comm_size)(comm_, &size_);
  }
  ~OwnComm() {
    if (comm_ != no_comm()) HALOCLINE_PMPI(Comm_free)(&comm_);
  }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_empty() const { return comm_ == no_comm(); }

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 0;
};

/// Is it so on any rank?
bool is_anywhere(bool here) {
  int mine = here ? 1 : 0, most = 0;
  HALOCLINE_PMPI(Allreduce)
  (&mine, &most, 1, found_mpi::int_type(), found_mpi::max_op(), launched_world());
  return most != 0;
}

/// By MPI's word; by Slurm's if all are alone by MPI's and Slurm knows that some are not (docs/slurm.md).
MPI_Comm ranks_of_node(int ranks) {
  MPI_Comm node = no_comm();
  HALOCLINE_PMPI(Comm_split_type)
  (launched_world(), MPI_COMM_TYPE_SHARED, 0, found_mpi::no_info(), &node);
  int together = 0;
  HALOCLINE_PMPI(Comm_size)(node, &together);
  if (together == ranks) return node;  // all ranks know it, or none does
  const std::optional<int> slurms = together == 1 ? shared_node_of_slurm() : std::nullopt;
  if (is_anywhere(!slurms)) return node;
  HALOCLINE_PMPI(Comm_free)(&node);
  HALOCLINE_PMPI(Comm_split)(launched_world(), *slurms, 0, &node);
  return node;
}

/// The lowest rank of each node.
MPI_Comm leaders_of_nodes(const OwnComm& node) {
  MPI_Comm leaders = no_comm();
  HALOCLINE_PMPI(Comm_split)(launched_world(), node.rank() == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
  return leaders;
}

/// What one of them tells all others, or each of them hands in or gets.
constexpr int bytes = sizeof(Count);

/// The first position on this leader's node. `of_nodes` is filled on the first one.
Count start_of_node(const OwnComm& leaders, Count size, Counts& of_nodes) {
  const bool is_first = leaders.rank() == 0;
  Counts starts;
  if (is_first) {
    of_nodes.resize(to_size(leaders.size()));
    starts.resize(of_nodes.size());
  }
  HALOCLINE_PMPI(Gather)
  (&size, bytes, byte_type(), of_nodes.data(), bytes, byte_type(), 0, leaders.comm());
  for (std::size_t node = 1; node < starts.size(); ++node)
    starts[node] = starts[node - 1] + of_nodes[node - 1];
  Count start = 0;
  HALOCLINE_PMPI(Scatter)
  (starts.data(), bytes, byte_type(), &start, bytes, byte_type(), 0, leaders.comm());
  return start;
}

}  // namespace

Seat found_seat() {
  Seat seat{0, 0, 0, {}};
  HALOCLINE_PMPI(Comm_rank)(launched_world(), &seat.rank);
  HALOCLINE_PMPI(Comm_size)(launched_world(), &seat.ranks);
  const OwnComm node(ranks_of_node(seat.ranks));
  const OwnComm leaders(leaders_of_nodes(node));
  Count start = 0;
  if (!leaders.is_empty()) start = start_of_node(leaders, node.size(), seat.of_nodes);
  HALOCLINE_PMPI(Bcast)(&start, bytes, byte_type(), 0, node.comm());
  seat.position = start + node.rank();
  return seat;
}

Runs described_nodes(const std::string& machine, Count ranks) {
  try {
    Machine whole = Machine::parse(machine);
    if (whole.node_level() + 1 == whole.levels().size())
      whole = Machine::of_nodes(Runs::of(whole.nodes(), 1));
    if (whole.ranks() < ranks)
      fail(Fault::invalid_topology, "it has ", whole.ranks(), " cores for ", ranks, " processes");
    return whole.first(ranks).node_sizes();
  } catch (const Error& error) {
    fail(error.fault(), settings::machine.variable, "=\"", machine, "\": ", error.what());
  }
}

}  // namespace halocline::ordered
