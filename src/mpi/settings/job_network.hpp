// SPDX-License-Identifier: BSD-3-Clause
// The network a job runs on, as its user describes it: MPI says nothing about it.
#pragma once

#include "halocline/describe/allocation.hpp"
#include "halocline/mpi/discover.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

namespace halocline::mpi {

/// What a caller says about the network. Where a word is empty, the environment of rank 0 decides.
struct JobNetworkWords {
  std::string network;     ///< A Network's text, or "none".
  std::string allocation;  ///< The path of a file that NamedAllocation reads.
  std::string mapping;     ///< A name of network::variants().

  [[nodiscard]] std::string text() const { return network + '\n' + allocation + '\n' + mapping; }
  bool operator==(const JobNetworkWords&) const = default;
};

/// The words given, and for those that are empty what the keys halocline_network, halocline_allocation and
/// halocline_mapping of `info` say. Local.
[[nodiscard]] JobNetworkWords network_words(JobNetworkWords given, MPI_Info info);

struct JobNetwork {
  Allocation allocation;  ///< The nodes of the communicator's machine, in its order.
  std::string mapping;
};

/// The network of the processes of `comm`; nothing if nobody describes one. Rank 0 reads the environment
/// (HALOCLINE_NETWORK, HALOCLINE_ALLOCATION, HALOCLINE_MAPPING) and the file. A file with names is matched
/// with the names of the hosts, one without has a line for each node in the machine's order, and without a
/// file the network has as many nodes as the machine.
///
/// Collective with the same words everywhere; local if it was asked with them before, on `comm` or what it
/// was duplicated from. Throws the same Error on every rank.
[[nodiscard]] std::shared_ptr<const JobNetwork> job_network(MPI_Comm comm, const Discovery& discovery,
                                                            const JobNetworkWords& words);

/// Is the answer remembered on `comm`? The same on all its processes if the words are. Local.
[[nodiscard]] bool is_network_known(MPI_Comm comm, const JobNetworkWords& words);

}  // namespace halocline::mpi
