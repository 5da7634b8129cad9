// SPDX-License-Identifier: BSD-3-Clause
// Discovery in three steps, each at the cost of what it looks at: ranks meet on their node, one leader a node
// sorts them and meets the other leaders, the first leader puts the tree together and tells everyone.

#include "halocline/mpi/discover.hpp"
#include "base/numbers.hpp"

#include "accelerate/cuda/own_gpu.hpp"
#include "base/fail.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"
#include "mpi/discovery/group_tree.hpp"
#include "mpi/discovery/host.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace halocline {
namespace {

using mpi::Comm;
using mpi::Path;

constexpr const char* variable = settings::machine.variable;
constexpr std::size_t host_depth = 1 + mpi::host_levels.size();  // GPUs, and what processors have
constexpr std::size_t inner_host_levels = host_depth - 1;        // cores only order the leaves

/// Where the ranks of one node are, before they are sorted.
struct NodeView {
  Comm comm;                             ///< The ranks of this node, by rank.
  int number;                            ///< Orders the nodes.
  Path above;                            ///< The groups that hold this node, if the machine has any.
  std::vector<Path> inside;              ///< On the leader only: the path of each rank below the node.
  std::vector<std::string> level_names;  ///< Of the whole machine.
  std::size_t node_level;
  bool drop_trivial_levels;

  [[nodiscard]] std::size_t inner_levels() const { return level_names.size() - node_level - 2; }
  [[nodiscard]] bool leading() const { return mpi::rank(comm.get()) == 0; }
};

/// What HALOCLINE_MACHINE says on rank 0, with at least one level below the nodes; nothing if it is not set.
std::optional<Machine> described_machine(MPI_Comm comm) {
  const char* const mine = std::getenv(variable);
  const std::string text = mpi::broadcast(comm, mine == nullptr ? "" : mine);
  if (text.empty()) return std::nullopt;
  try {
    Machine machine = Machine::parse(text);
    if (machine.node_level() + 1 < machine.levels().size()) return machine;
    std::vector<Machine::Level> levels = machine.levels();  // one rank a node: say so
    levels.push_back({"core", Runs::of(machine.nodes(), 1)});
    return Machine(std::move(levels));
  } catch (const Error& error) {
    fail(error.fault(), variable, "=\"", text, "\": ", error.what());
  }
}

int world_rank(MPI_Comm comm) {
  mpi::Group mine;
  mpi::Group world;
  HALOCLINE_MPI(Comm_group, comm, mine.put());
  HALOCLINE_MPI(Comm_group, MPI_COMM_WORLD, world.put());
  const int rank = mpi::rank(comm);
  int translated = MPI_UNDEFINED;
  HALOCLINE_MPI(Group_translate_ranks, mine.get(), 1, &rank, world.get(), &translated);
  return translated;
}

/// The records of all ranks of a node, one behind the other, on its leader.
template <class T>
std::vector<T> gather(MPI_Comm node, const std::vector<T>& record) {
  std::vector<T> all(mpi::rank(node) == 0 ? record.size() * to_size(mpi::size(node)) : 0);
  const int bytes = to_int(record.size() * sizeof(T));
  HALOCLINE_MPI(Gather, record.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, node);
  return all;
}

/// The core of this process, one of the world's. Local.
Rank described_core(MPI_Comm comm, const Machine& machine) {
  const int world_size = mpi::size(MPI_COMM_WORLD);
  if (machine.ranks() < world_size)
    fail(Fault::invalid_topology, variable, "=\"", machine.to_text(), "\" has ", machine.ranks(),
         " cores for ", world_size, " processes; it needs at least one for each");
  const Rank core = world_rank(comm);
  if (core < 0) fail(Fault::invalid_topology, variable, " places processes of MPI_COMM_WORLD only");
  return core;
}

NodeView described_node(MPI_Comm comm, const Machine& machine) {
  // Of processes of several worlds only some are refused.
  const Rank core = mpi::agreed(comm, [&] { return described_core(comm, machine); });
  NodeView node;
  node.node_level = machine.node_level();
  node.drop_trivial_levels = false;
  node.number = to_int(machine.node_of(core));
  Path path;
  for (std::size_t level = 0; level < machine.levels().size(); ++level) {
    node.level_names.push_back(machine.levels()[level].name);
    path.push_back(machine.sizes(level).find(core));
  }
  const auto node_component = path.begin() + to_count(node.node_level);
  node.above.assign(path.begin(), node_component);
  node.comm = mpi::split(comm, node.number, mpi::rank(comm));
  const Path mine(path.begin() + to_count(node.node_level) + 1, path.end());
  const std::vector<Count> all = gather(node.comm.get(), mine);
  for (auto it = all.begin(); it != all.end(); it += count_of(mine))
    node.inside.emplace_back(it, it + count_of(mine));
  return node;
}

/// Where a process of a node is.
struct ProcessSeat {
  mpi::CpuMask processors;
  Count gpu;  ///< -1 if nobody knows.
};

/// If a process has no GPU that is known, GPUs say nothing about anybody.
std::vector<Path> paths_of(const std::vector<ProcessSeat>& all) {
  std::vector<mpi::CpuMask> masks;
  masks.reserve(all.size());
  for (const ProcessSeat& one : all) masks.push_back(one.processors);
  const std::vector<mpi::HostLocation> locations = mpi::locate(masks);
  const bool by_gpu =
      std::all_of(all.begin(), all.end(), [](const ProcessSeat& one) { return one.gpu >= 0; });
  std::vector<Path> paths;
  paths.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    paths.push_back({by_gpu ? all[i].gpu : 0});
    paths.back().insert(paths.back().end(), locations[i].begin(), locations[i].end());
  }
  return paths;
}

std::vector<std::string> host_level_names() {
  std::vector<std::string> names{"node", "gpu"};
  names.insert(names.end(), mpi::host_levels.begin(), mpi::host_levels.end());
  return names;
}

NodeView discovered_node(MPI_Comm comm) {
  NodeView node;
  node.level_names = host_level_names();
  node.node_level = 0;
  node.drop_trivial_levels = true;
  node.comm = mpi::split_shared(comm);
  node.number = mpi::rank(comm);  // of the leader, which is the lowest: the others do not count
  const std::optional<int> slurms = mpi::alone_in_company(comm, node.comm.get());
  const auto votes = [&](Count /*gpu*/) { return mpi::Votes{slurms.has_value()}; };
  mpi::Votes of_all{};
  const Count gpu = mpi::agreed(
      comm, [] { return accelerate::own_gpu().value_or(-1); }, [](Count) { return std::uint64_t{0}; }, "",
      votes, &of_all);
  if (of_all[0]) node.comm = mpi::split_by_slurm(comm, *slurms, mpi::shared_folder());
  if (mpi::size(node.comm.get()) == 1)
    node.inside.emplace_back(host_depth, 0);
  else
    node.inside =
        paths_of(gather(node.comm.get(), std::vector{ProcessSeat{mpi::cpu_mask_of_this_process(), gpu}}));
  return node;
}

/// What one leader tells the first: the groups above its node, then for each level inside the children of
/// each group, every list behind its length.
Counts node_report(const NodeView& node, const mpi::GroupTree& inside) {
  Counts report = node.above;
  for (const Counts& children : inside.children) {
    report.push_back(count_of(children));
    report.insert(report.end(), children.begin(), children.end());
  }
  return report;
}

/// The reports of all nodes, one behind the other, on the first leader.
Counts gather_reports(MPI_Comm leaders, const Counts& report) {
  const int length = to_int(report.size());
  const std::vector<int> lengths = gather(leaders, std::vector{length});
  std::vector<int> starts;
  int end = 0;
  for (const int each : lengths) {
    starts.push_back(end);
    end += each;
  }
  Counts all(to_size(end));
  HALOCLINE_MPI(Gatherv, report.data(), length, MPI_INT64_T, all.data(), lengths.data(), starts.data(),
                MPI_INT64_T, 0, leaders);
  return all;
}

Machine assemble(const NodeView& node, std::size_t nodes, const Counts& reports) {
  std::vector<Runs> inner(node.inner_levels() + 1);
  std::vector<Path> above;
  auto next = reports.begin();
  for (std::size_t n = 0; n < nodes; ++n) {
    above.emplace_back(next, next + to_count(node.node_level));
    next += to_count(node.node_level);
    for (Runs& children : inner)
      for (Count left = *next++; left > 0; --left) children.append(*next++);
  }
  const mpi::GroupTree outer = mpi::group_by_path(above, node.node_level);

  std::vector<Machine::Level> levels;
  for (const Counts& children : outer.children)
    levels.push_back({node.level_names[levels.size()], Runs(children)});
  for (Runs& children : inner) levels.push_back({node.level_names[levels.size()], std::move(children)});
  return Machine(node.drop_trivial_levels ? mpi::without_trivial_levels(std::move(levels))
                                          : std::move(levels));
}

/// The position of each rank of the node when its first one is at `start`, told to each by the leader.
Rank scatter_positions(const NodeView& node, const mpi::GroupTree& inside, Rank start) {
  std::vector<Rank> positions(inside.order.size());
  for (std::size_t i = 0; i < positions.size(); ++i) positions[inside.order[i]] = start + to_count(i);
  Rank mine = 0;
  HALOCLINE_MPI(Scatter, positions.data(), 1, MPI_INT64_T, &mine, 1, MPI_INT64_T, 0, node.comm.get());
  return mine;
}

}  // namespace

Discovery discover(MPI_Comm comm) {
  const std::optional<Machine> described = described_machine(comm);
  const NodeView node = described ? described_node(comm, *described) : discovered_node(comm);
  const bool alone = mpi::size(node.comm.get()) == mpi::size(comm);  // all processes know it, or none does
  const Comm leaders = alone ? Comm() : mpi::split(comm, node.leading() ? 0 : MPI_UNDEFINED, node.number);

  mpi::GroupTree inside;
  Rank start = 0;
  std::string text;
  if (node.leading()) inside = mpi::group_by_path(node.inside, node.inner_levels());
  if (node.leading() && alone) {
    text = assemble(node, 1, node_report(node, inside)).to_text();
  } else if (node.leading()) {
    const auto node_size = count_of(node.inside);
    HALOCLINE_MPI(Exscan, &node_size, &start, 1, MPI_INT64_T, MPI_SUM, leaders.get());
    const Counts reports = gather_reports(leaders.get(), node_report(node, inside));
    if (mpi::rank(leaders.get()) == 0)
      text = assemble(node, to_size(mpi::size(leaders.get())), reports).to_text();
    text = mpi::broadcast(leaders.get(), text);
  }
  const Rank position = scatter_positions(node, inside, start);
  return {Machine::parse(mpi::broadcast(node.comm.get(), text)), position};
}

Machine this_host() {
  std::vector<ProcessSeat> cores;
  for (const mpi::CpuMask& core : mpi::usable_cores()) cores.push_back({core, -1});
  const mpi::GroupTree tree = mpi::group_by_path(paths_of(cores), inner_host_levels);
  const std::vector<std::string> names = host_level_names();
  std::vector<Machine::Level> levels{{names[0], Runs::of(1, 1)}};
  for (const Counts& children : tree.children) levels.push_back({names[levels.size()], Runs(children)});
  return Machine(mpi::without_trivial_levels(std::move(levels)));
}

}  // namespace halocline
