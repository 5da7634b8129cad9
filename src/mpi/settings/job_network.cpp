// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/settings/job_network.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "describe/named_allocation.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "network/mapping_problem.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace halocline::mpi {
namespace {

struct KnownNetwork {
  JobNetworkWords words;
  std::shared_ptr<const JobNetwork> network;
};

void fill_from_environment(std::string& word, const char* variable) {
  const char* const value = std::getenv(variable);
  if (word.empty() && value != nullptr) word = value;
}

JobNetworkWords with_environment(JobNetworkWords words) {
  fill_from_environment(words.network, settings::network.variable);
  fill_from_environment(words.allocation, settings::allocation.variable);
  fill_from_environment(words.mapping, settings::mapping.variable);
  if (words.network == "none") words.network.clear();
  if (words.mapping.empty()) words.mapping = "z2_1";
  return words;
}

/// The name of the host of each node, in the machine's order; on rank 0 only. Collective.
std::vector<std::string> host_names(MPI_Comm comm, const Discovery& discovery) {
  struct Record {
    Count node;
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> host;
  };
  const Count node = discovery.machine.node_of(discovery.position);
  const bool first_of_node = discovery.position == discovery.machine.node_sizes().start(node);
  const bool root = rank(comm) == 0;
  // One process a node speaks, and rank 0 listens, whether it is one of them or not.
  const Comm speakers = split(comm, first_of_node || root ? 0 : MPI_UNDEFINED, rank(comm));
  if (!speakers) return {};
  Record mine{first_of_node ? node : -1, {}};
  int length = 0;
  HALOCLINE_MPI(Get_processor_name, mine.host.data(), &length);
  std::vector<Record> all(root ? to_size(size(speakers.get())) : 0);
  const int bytes = sizeof(Record);
  HALOCLINE_MPI(Gather, &mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, speakers.get());
  std::vector<std::string> names(root ? to_size(discovery.machine.nodes()) : 0);
  for (const Record& record : all)
    if (record.node >= 0) names[to_index(record.node)] = record.host.data();
  return names;
}

Allocation allocation_of(const Network& network, const std::string& path,
                         const std::vector<std::string>& hosts) {
  if (path.empty()) {
    require(to_size(network.nodes()) == hosts.size(), "the network ", network.to_text(), " has ",
            network.nodes(), " nodes, the job ", hosts.size(),
            "; it takes an allocation that says which of them they are");
    return Allocation::whole(network);
  }
  std::ifstream file(path);
  require(file.good(), "the allocation ", path, " cannot be read");
  try {
    return NamedAllocation::read(file, network).of_job(hosts);
  } catch (const Error& error) {
    fail(error.fault(), path, ": ", error.what());
  }
}

Counts broadcast(MPI_Comm comm, Counts nodes, Count count) {
  nodes.resize(to_size(count));
  HALOCLINE_MPI(Bcast, nodes.data(), to_int(count), MPI_INT64_T, 0, comm);
  return nodes;
}

std::shared_ptr<const JobNetwork> described_network(MPI_Comm comm, const Discovery& discovery,
                                                    const JobNetworkWords& given) {
  JobNetworkWords words = rank(comm) == 0 ? with_environment(given) : JobNetworkWords();
  words.network = mpi::broadcast(comm, words.network);
  if (words.network.empty()) return nullptr;
  words.mapping = mpi::broadcast(comm, words.mapping);
  const std::vector<std::string> hosts = host_names(comm, discovery);
  Counts nodes = agreed(comm, [&] {
    (void)network::variant(words.mapping);
    const Network network = Network::parse(words.network);
    return rank(comm) == 0 ? allocation_of(network, words.allocation, hosts).nodes() : Counts();
  });
  nodes = broadcast(comm, std::move(nodes), discovery.machine.nodes());
  return std::make_shared<const JobNetwork>(
      JobNetwork{Allocation(Network::parse(words.network), std::move(nodes)), words.mapping});
}

}  // namespace

JobNetworkWords network_words(JobNetworkWords given, MPI_Info info) {
  const auto fill = [&](std::string& word, const char* key) {
    if (!word.empty()) return;
    if (auto value = info_value(info, key)) word = std::move(*value);
  };
  fill(given.network, settings::network.key);
  fill(given.allocation, settings::allocation.key);
  fill(given.mapping, settings::mapping.key);
  return given;
}

bool is_network_known(MPI_Comm comm, const JobNetworkWords& words) {
  const auto known = CommCache<KnownNetwork>::find(comm);
  return known && known->words == words;
}

std::shared_ptr<const JobNetwork> job_network(MPI_Comm comm, const Discovery& discovery,
                                              const JobNetworkWords& words) {
  if (const auto known = CommCache<KnownNetwork>::find(comm); known && known->words == words)
    return known->network;
  auto network = described_network(comm, discovery, words);
  CommCache<KnownNetwork>::keep(comm, std::make_shared<const KnownNetwork>(KnownNetwork{words, network}));
  return network;
}

}  // namespace halocline::mpi
