// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace halocline::trace {
namespace {

auto place_of(const Process& process) { return std::tuple(process.rank); }
auto place_of(const Flow& flow) { return std::tuple(flow.source, flow.target, flow.way); }
auto place_of(const Share& share) { return std::tuple(share.rank, share.kind); }
auto place_of(const Time& time) { return std::tuple(time.rank, time.kind); }

void add(Flow& sum, const Flow& more) { sum.volume += more.volume; }
void add(Share& sum, const Share& more) { sum.volume += more.volume; }
void add(Time& sum, const Time& more) {
  sum.calls = checked_add(sum.calls, more.calls);
  sum.seconds += more.seconds;
}
[[noreturn]] void add(Process& process, const Process& /*again*/) {
  fail(Fault::invalid_argument, "process ", process.rank, " comes twice");
}

template <class Entry>
void put_in_order(std::vector<Entry>& entries) {
  const auto before = [](const Entry& a, const Entry& b) { return place_of(a) < place_of(b); };
  // Parts come by rank and are in order, mostly; sorting takes as much memory again.
  if (!std::is_sorted(entries.begin(), entries.end(), before))
    std::stable_sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && place_of(entries[kept - 1]) == place_of(entries[i]))
      add(entries[kept - 1], entries[i]);
    else if (kept++ != i)
      entries[kept - 1] = std::move(entries[i]);
  }
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end());
}

void check_rank(Count rank, Count ranks) {
  require(rank >= 0 && rank < ranks, "rank ", rank, " is not from 0 to ", ranks - 1);
}
void check_end(Count rank, Count ranks) {
  if (rank != outside) check_rank(rank, ranks);
}
void check_number(Count number, const char* of_what) {
  require(number >= 0, number, " ", of_what, ": there cannot be fewer than 0");
}
void check_seconds(double seconds) {
  require(std::isfinite(seconds) && seconds >= 0, seconds, " seconds: they cannot be fewer than 0");
}

template <class Entry>
void take_over(std::vector<Entry>& all, const std::vector<Entry>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Volume& Volume::operator+=(const Volume& more) {
  messages = checked_add(messages, more.messages);
  bytes = checked_add(bytes, more.bytes);
  return *this;
}

Trace::Trace(Count ranks, std::vector<Process> processes, std::vector<Flow> flows, std::vector<Share> shares,
             std::vector<Time> times)
    : ranks_(ranks),
      processes_(std::move(processes)),
      flows_(std::move(flows)),
      shares_(std::move(shares)),
      times_(std::move(times)) {
  require(ranks >= 1, ranks, " ranks: a job has at least one");
  for (const Process& process : processes_) {
    check_rank(process.rank, ranks);
    check_seconds(process.seconds);
    require(!process.node.empty() && process.node.find_first_of(" \t\n\r") == std::string::npos, "node \"",
            process.node, "\" of process ", process.rank, ": a node has a name without blanks");
  }
  for (const Flow& flow : flows_) {
    check_end(flow.source, ranks);
    check_end(flow.target, ranks);
    require(flow.source != outside || flow.target != outside,
            "a flow from outside to outside is of no process of the job");
    check_number(flow.volume.messages, "messages");
    check_number(flow.volume.bytes, "bytes");
  }
  for (const Share& share : shares_) {
    check_rank(share.rank, ranks);
    check_number(share.volume.messages, "calls");
    check_number(share.volume.bytes, "bytes");
  }
  for (const Time& time : times_) {
    check_rank(time.rank, ranks);
    check_number(time.calls, "calls");
    check_seconds(time.seconds);
  }
  put_in_order(processes_);
  put_in_order(flows_);
  put_in_order(shares_);
  put_in_order(times_);
}

Trace sum(std::vector<Trace> parts) {
  require(!parts.empty(), "there is no part of a trace to add up");
  if (parts.size() == 1) return std::move(parts.front());
  std::vector<Process> processes;
  std::vector<Flow> flows;
  std::vector<Share> shares;
  std::vector<Time> times;
  const Count ranks = parts.front().ranks();
  std::size_t flow_count = 0;
  for (const Trace& part : parts) {
    require(part.ranks() == ranks, "parts of traces of ", ranks, " and of ", part.ranks(),
            " ranks are not of the same job");
    flow_count += part.flows().size();
  }
  flows.reserve(flow_count);  // the most by far
  for (Trace& part : parts) {
    const Trace taken = std::move(part);  // and gone: parts and sum need not be there together
    take_over(processes, taken.processes());
    take_over(flows, taken.flows());
    take_over(shares, taken.shares());
    take_over(times, taken.times());
  }
  return {ranks, std::move(processes), std::move(flows), std::move(shares), std::move(times)};
}

}  // namespace halocline::trace
