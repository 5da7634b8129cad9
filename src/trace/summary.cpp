// SPDX-License-Identifier: BSD-3-Clause
#include "trace/summary.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace halocline::trace {
namespace {

/// Where processes run, as far as their parts are there.
class Nodes {
 public:
  explicit Nodes(const Trace& trace) {
    for (const Process& process : trace.processes()) node_of_.emplace(process.rank, process.node);
  }

  [[nodiscard]] std::optional<bool> differ(Count a, Count b) const {
    const auto node_a = node_of_.find(a), node_b = node_of_.find(b);
    if (node_a == node_of_.end() || node_b == node_of_.end()) return std::nullopt;
    return node_a->second != node_b->second;
  }

 private:
  std::unordered_map<Count, std::string_view> node_of_;
};

/// All ways from one process to another together: flows are in that order.
std::vector<Pair> pairs_of(const Trace& trace, const Nodes& nodes) {
  std::vector<Pair> pairs;
  for (const Flow& flow : trace.flows()) {
    if (pairs.empty() || pairs.back().source != flow.source || pairs.back().target != flow.target)
      pairs.push_back({flow.source, flow.target, {}, nodes.differ(flow.source, flow.target)});
    pairs.back().volume += flow.volume;
  }
  return pairs;
}

Volume& place_in(Summary& summary, const Pair& pair) {
  if (pair.source == pair.target) return summary.within_process;
  if (pair.source == outside || pair.target == outside) return summary.with_outside;
  if (!pair.between_nodes) return summary.unknown;
  return *pair.between_nodes ? summary.between_nodes : summary.within_nodes;
}

bool comes_first(const Pair& a, const Pair& b) {
  return std::tuple(b.volume.bytes, b.volume.messages, a.source, a.target) <
         std::tuple(a.volume.bytes, a.volume.messages, b.source, b.target);
}

}  // namespace

Summary summarize(const Trace& trace, std::size_t most_pairs) {
  Summary summary;
  std::unordered_set<std::string_view> nodes;
  for (const Process& process : trace.processes()) {
    nodes.insert(process.node);
    summary.seconds = std::max(summary.seconds, process.seconds);
  }
  summary.nodes = count_of(nodes);
  for (const Flow& flow : trace.flows()) summary.by_way[to_index(flow.way)] += flow.volume;
  for (const Share& share : trace.shares()) summary.collectives[to_index(share.kind)] += share.volume;
  for (const Time& time : trace.times()) {
    TimeSum& sum = summary.times[to_index(time.kind)];
    sum.calls = checked_add(sum.calls, time.calls);
    sum.seconds += time.seconds;
    sum.longest_seconds = std::max(sum.longest_seconds, time.seconds);
  }
  std::vector<Pair> pairs = pairs_of(trace, Nodes(trace));
  for (const Pair& pair : pairs) place_in(summary, pair) += pair.volume;
  std::erase_if(pairs, [](const Pair& pair) {
    return pair.source == pair.target || pair.source == outside || pair.target == outside;
  });
  summary.pairs = count_of(pairs);
  const std::size_t shown = std::min(most_pairs, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown), pairs.end(),
                    comes_first);
  pairs.resize(shown);
  summary.largest = std::move(pairs);
  return summary;
}

}  // namespace halocline::trace
