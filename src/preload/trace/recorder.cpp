// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/recorder.hpp"

#include <utility>

namespace halocline::recorder {

Recorder::Recorder(Count rank, Count ranks, std::string node, bool several_threads)
    : rank_(rank), ranks_(ranks), node_(std::move(node)), several_threads_(several_threads) {}

Partner* Recorder::partner(Count world_rank) {
  const Guard guard(*this);
  Partner*& found = partner_of_[world_rank];
  if (found == nullptr) found = &partners_.emplace_back(Partner{world_rank});
  return found;
}

void Recorder::count(const Access& access) {
  if (access.partner == nullptr) return;
  const auto add_to = [](Volume& volume, Count bytes) {
    if (bytes < 0) return;
    ++volume.messages;
    volume.bytes += bytes;
  };
  add_to(access.partner->sent[to_index(Way::one_sided)], access.put);
  add_to(access.partner->got[to_index(Way::one_sided)], access.got);
}

void Recorder::count(const Started& started) {
  const auto found = prepared_.find(started.request);  // receives are not there
  if (found != prepared_.end()) std::visit([this](const auto& deed) { this->count(deed); }, found->second);
}

trace::Trace Recorder::part() const {
  const Guard guard(*this);
  std::vector<trace::Flow> flows;
  const auto add_flow = [&](Count source, Count target, std::size_t way, const Volume& volume) {
    if (volume.messages > 0) flows.push_back({source, target, static_cast<Way>(way), volume});
  };
  for (const Partner& partner : partners_)
    for (std::size_t way = 0; way < partner.sent.size(); ++way) {
      add_flow(rank_, partner.rank, way, partner.sent[way]);
      add_flow(partner.rank, rank_, way, partner.got[way]);
    }
  std::vector<trace::Share> shares;
  for (std::size_t kind = 0; kind < shares_.size(); ++kind)
    if (shares_[kind].messages > 0) shares.push_back({rank_, static_cast<Collective>(kind), shares_[kind]});
  std::vector<trace::Time> times;
  for (std::size_t kind = 0; kind < spent_.size(); ++kind)
    if (spent_[kind].calls > 0)
      times.push_back({rank_, static_cast<Activity>(kind), spent_[kind].calls,
                       since_begin_.seconds_of(spent_[kind].ticks)});
  return {ranks_,
          {{rank_, since_begin_.seconds(), node_}},
          std::move(flows),
          std::move(shares),
          std::move(times)};
}

}  // namespace halocline::recorder
