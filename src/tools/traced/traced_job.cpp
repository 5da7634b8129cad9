// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_job.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "tools/plan/job_machine.hpp"
#include "trace/trace_file.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace halocline::tools {
namespace {

TracedJob nodes_of_trace(const trace::Trace& trace) {
  const std::vector<Count> node_of = nodes_in_trace(trace);
  Counts sizes;
  std::vector<std::string> hosts;
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    if (node_of[rank] == count_of(sizes)) {
      sizes.push_back(0);
      hosts.push_back(trace.processes()[rank].node);
    }
    ++sizes[to_index(node_of[rank])];
  }
  return {Machine::of_nodes(Runs(sizes)), std::move(hosts), "trace", "those of the trace"};
}

TracedJob found_job(const trace::Trace& trace, std::optional<TracedJob> described) {
  if (described) return std::move(*described);
  if (std::optional<ScheduledNodes> job = scheduled_nodes())
    return {Machine::of_nodes(Runs(job->hosts.slots)), std::move(job->hosts.names), job->scheduler,
            concat("those of this job, by ", job->called)};
  return nodes_of_trace(trace);
}

}  // namespace

trace::Trace whole_trace(const std::string& path) {
  trace::Trace trace = trace::read(path);
  require(count_of(trace.processes()) == trace.ranks(), "--trace ", path, ": only ", trace.processes().size(),
          " of ", trace.ranks(), " ranks left parts, so what the others sent is missing");
  return trace;
}

std::vector<Count> nodes_in_trace(const trace::Trace& trace) {
  std::unordered_map<std::string_view, Count> numbers;
  std::vector<Count> node_of;
  node_of.reserve(trace.processes().size());
  for (const trace::Process& process : trace.processes())
    node_of.push_back(numbers.emplace(process.node, count_of(numbers)).first->second);
  return node_of;
}

TracedJob traced_job(const trace::Trace& trace, std::optional<TracedJob> described) {
  TracedJob job = found_job(trace, std::move(described));
  require(job.machine.ranks() == trace.ranks(), "--trace has ", trace.ranks(), " ranks, and the nodes ",
          job.machine.node_sizes().to_text(), " (", job.told_by, ") take ", job.machine.ranks());
  return job;
}

}  // namespace halocline::tools
