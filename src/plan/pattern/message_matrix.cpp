// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/message_matrix.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace halocline::plan {
namespace {

constexpr Count most_ranks = 0x7fffffff;

void check_entry(const MessageMatrix::Entry& entry, Count ranks) {
  for (const Rank rank : {entry.source, entry.target})
    require(0 <= rank && rank < ranks, "rank ", rank, " is not from 0 to ", ranks - 1);
  require(entry.bytes >= 0, entry.bytes, " bytes from rank ", entry.source, " to rank ", entry.target);
  require(entry.messages >= 0, entry.messages, " messages from rank ", entry.source, " to rank ",
          entry.target);
}

}  // namespace

MessageMatrix::MessageMatrix(Count ranks, std::vector<Entry> entries) {
  require(1 <= ranks && ranks <= most_ranks, ranks, " ranks: there can be 1 to ", most_ranks);
  for (const Entry& entry : entries) check_entry(entry, ranks);
  std::erase_if(entries, [](const Entry& entry) { return entry.source == entry.target || entry.bytes == 0; });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.source, a.target) < std::tie(b.source, b.target);
  });
  starts_.assign(to_size(ranks) + 1, 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [source, target, bytes, messages] = entries[i];
    sum_ = checked_add(sum_, bytes);
    if (i > 0 && entries[i - 1].source == source && entries[i - 1].target == target) {
      bytes_.back() += bytes;
      messages_.back() = checked_add(messages_.back(), messages);
      continue;
    }
    targets_.push_back(static_cast<std::uint32_t>(target));
    bytes_.push_back(bytes);
    messages_.push_back(messages);
    ++starts_[to_index(source) + 1];
  }
  for (std::size_t rank = 1; rank < starts_.size(); ++rank) starts_[rank] += starts_[rank - 1];
}

MessageMatrix MessageMatrix::of(const trace::Trace& trace) {
  std::vector<Entry> entries;
  entries.reserve(trace.flows().size());
  for (const trace::Flow& flow : trace.flows())
    if (flow.source != trace::outside && flow.target != trace::outside)
      entries.push_back({flow.source, flow.target, flow.volume.bytes, flow.volume.messages});
  return {trace.ranks(), std::move(entries)};
}

MessageMatrix MessageMatrix::one_of_each() const {
  std::vector<Entry> entries;
  entries.reserve(targets_.size());
  for (std::size_t source = 0; source + 1 < starts_.size(); ++source)
    for (std::size_t i = starts_[source]; i < starts_[source + 1]; ++i)
      entries.push_back({to_count(source), to_count(targets_[i]),
                         divide_up(bytes_[i], std::max(messages_[i], Count{1})), 1});
  return {ranks(), std::move(entries)};
}

}  // namespace halocline::plan
