// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/neighborhood/machine_prices.hpp"

#include "base/log.hpp"
#include "base/numbers.hpp"
#include "mpi/discovery/host.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/prices/device_prices.hpp"
#include "plan/prices/machine_prices.hpp"

#include <array>
#include <bit>
#include <numeric>

namespace halocline::exchange {
namespace {

/// The processors that at least one process of the node may use; on `root` only.
Count processors_of(MPI_Comm node, int root) {
  const mpi::CpuMask mine = mpi::cpu_mask_of_this_process();
  mpi::CpuMask all{};
  HALOCLINE_MPI(Reduce, mine.data(), all.data(), to_int(mine.size()), MPI_UINT64_T, MPI_BOR, root, node);
  return std::accumulate(all.begin(), all.end(), Count{0},
                         [](Count sum, std::uint64_t word) { return sum + std::popcount(word); });
}

/// Where a process looks for prices.
struct Question {
  std::optional<std::filesystem::path> path;
  bool described;
  Count processes, sharing, processors;
  std::vector<std::string> levels;
  bool operator==(const Question&) const = default;
};

struct KnownPrices {
  Question question;
  plan::MachinePrices found;
};

/// Those of the machine, and of devices as far as there is room.
std::vector<std::string> levels_with_prices(std::vector<std::string> levels) {
  for (const char* const level : plan::device_levels)
    if (levels.size() < LevelPrices::most) levels.emplace_back(level);
  return levels;
}

/// Kept on MPI_COMM_SELF for the next communicator. Others wait for this process, so nothing is thrown.
/// Local.
LevelCosts found_here(const PriceReader& reader, Count processors) try {
  using Cache = mpi::CommCache<KnownPrices>;
  const plan::PricePlace place = plan::price_place();
  const Question question{
      place.path, plan::machine_is_described(), reader.processes, reader.sharing, processors, reader.levels};
  const auto known = Cache::find(MPI_COMM_SELF);
  if (known && known->question == question) return known->found.costs;
  const plan::NetworkFacts network = plan::look_at_network();
  plan::MachinePrices found = plan::machine_prices(
      place, {plan::host_name(), mpi_name, plan::network_name(network), reader.processes},
      {network, reader.sharing, processors, levels_with_prices(reader.levels)});
  if (found.worth_saying)
    say_once(found.complaint);
  else if (!found.complaint.empty() && (!known || known->found.complaint != found.complaint))
    log_line(found.complaint);
  const LevelCosts costs = found.costs;
  Cache::keep(MPI_COMM_SELF, std::make_shared<const KnownPrices>(KnownPrices{question, std::move(found)}));
  return costs;
} catch (const std::exception&) {  // memory
  return plan::default_prices({{}, reader.sharing, processors});
}

}  // namespace

LevelCosts machine_prices(MPI_Comm comm, MPI_Comm node, const PriceReader& reader) {
  const Count processors = reader.is_here ? processors_of(node, reader.member) : 0;
  LevelCosts costs;
  if (mpi::rank(comm) == reader.rank) costs = found_here(reader, processors);
  static_assert(std::is_trivially_copyable_v<LevelCosts>);
  HALOCLINE_MPI(Bcast, &costs, sizeof costs, MPI_BYTE, reader.rank, comm);
  return costs;
}

}  // namespace halocline::exchange
