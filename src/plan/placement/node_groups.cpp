// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/node_groups.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "plan/placement/nodes_of_cells.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace halocline::plan {
namespace {

using Node = std::uint32_t;

Points centres_of(const place::Problem& problem, const std::vector<Node>& node_of_cell) {
  const Grid& grid = problem.grid();
  const Runs& sizes = problem.machine().node_sizes();
  const auto nodes = to_size(sizes.size());
  std::vector<std::vector<double>> columns(grid.dimensions(), std::vector<double>(nodes, 0));
  Cell cell(grid.dimensions(), 0);
  for (const Node node : node_of_cell) {
    for (std::size_t d = 0; d < cell.size(); ++d) columns[d][node] += to_double(cell[d]);
    for (std::size_t d = cell.size(); d-- > 0;) {
      if (++cell[d] < grid.extents()[d]) break;
      cell[d] = 0;
    }
  }
  for (auto& column : columns)
    for (std::size_t node = 0; node < nodes; ++node) column[node] /= to_double(sizes[to_count(node)]);
  return Points(std::move(columns));
}

/// Throws unless every message of the whole grid together fits in 64 bits; then no partial sum overflows.
void check_total(const place::Problem& problem) {
  (void)checked_multiply(checked_sum(problem.stencil().weights()), problem.grid().size());
}

/// What nodes send to each other. A node has few partners, and what comes next is mostly from nearby: short
/// lists are found faster than one large table.
class NodeLinks {
 public:
  explicit NodeLinks(Count nodes) : from_(to_size(nodes)) {}

  void add(Node from, Node to, Count weight) {
    std::vector<LinkTo>& links = from_[from];
    const auto link = std::lower_bound(links.begin(), links.end(), to,
                                       [](const LinkTo& a, Node node) { return a.to < node; });
    if (link != links.end() && link->to == to)
      link->weight += weight;
    else
      links.insert(link, {to, weight});
  }

  /// In one order, in which every process adds them up. Leaves nothing behind.
  std::vector<TaskMessage> take_messages() {
    std::vector<TaskMessage> messages;
    std::size_t count = 0;
    for (const std::vector<LinkTo>& links : from_) count += links.size();
    messages.reserve(count);
    for (std::size_t from = 0; from < from_.size(); ++from)
      for (const LinkTo& link : std::exchange(from_[from], {}))
        messages.push_back({to_count(from), link.to, to_double(link.weight)});
    return messages;
  }

 private:
  struct LinkTo {
    Node to;
    Count weight;
  };
  std::vector<std::vector<LinkTo>> from_;  ///< By number of the other node.
};

TaskMessages messages_of(const place::Problem& problem, const std::vector<Node>& node_of_cell) {
  check_total(problem);
  NodeLinks links(problem.machine().nodes());
  for (std::size_t n = 0; n < problem.stencil().size(); ++n) {
    const Count weight = problem.stencil().weights()[n];
    const Stencil offset({problem.stencil().offsets()[n]});
    TaskMessages::of_stencil(problem.grid(), offset).for_each_run([&](const TaskMessages::Run& run) {
      // Neighbouring cells mostly agree in their nodes: one look-up for all that do.
      Node last_from = 0, last_to = 0;
      Count together = 0;
      const auto add = [&] {
        if (together > 0) links.add(last_from, last_to, together * weight);
      };
      for (Count i = 0; i < run.length; ++i) {
        const Node from = node_of_cell[to_index(run.from + i)];
        const Node to = node_of_cell[to_index(run.to + i)];
        if (from == to) continue;
        if (from != last_from || to != last_to) {
          add();
          last_from = from, last_to = to, together = 0;
        }
        ++together;
      }
      add();
    });
  }
  return TaskMessages(problem.machine().nodes(), links.take_messages());
}

}  // namespace

NodeGroups node_groups(const place::Problem& problem, const Placement& placement) {
  const Count nodes = problem.machine().nodes();
  if (nodes > std::numeric_limits<std::int32_t>::max())
    fail(Fault::unsupported, nodes, " nodes are too many to be mapped onto a network; there may be ",
         std::numeric_limits<std::int32_t>::max());
  const std::vector<Node> node_of_cell = nodes_of_cells<Node>(problem.machine(), placement);
  return {centres_of(problem, node_of_cell), messages_of(problem, node_of_cell)};
}

Counts node_kinds(const Machine& machine) {
  const Runs& nodes = machine.node_sizes();
  std::map<Counts, Count> number_of;
  Counts kinds;
  kinds.reserve(to_size(nodes.size()));
  const auto describes = [&](std::size_t level) { return machine.sizes(level).size() < machine.ranks(); };
  for (Count node = 0; node < nodes.size(); ++node) {
    const Rank first = nodes.start(node);
    const Rank last = first + nodes[node] - 1;
    Counts inside{nodes[node]};
    for (std::size_t level = machine.node_level() + 1; level < machine.levels().size(); ++level) {
      if (!describes(level)) continue;
      const Runs& sizes = machine.sizes(level);
      for (Count group = sizes.find(first); group <= sizes.find(last); ++group)
        inside.push_back(sizes[group]);
      inside.push_back(0);  // the end of a level
    }
    kinds.push_back(number_of.emplace(std::move(inside), count_of(number_of)).first->second);
  }
  return kinds;
}

}  // namespace halocline::plan
