// SPDX-License-Identifier: BSD-3-Clause
#include "plan/messages/node_tally.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "halocline/schedule/level_costs.hpp"
#include "schedule/by_node.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace halocline::plan {
namespace {

void raise(Traffic& most, const Traffic& other) {
  most.messages = std::max(most.messages, other.messages);
  most.bytes = std::max(most.bytes, other.bytes);
}

/// Adds what each of some processes sends.
void add(NodeTally& tally, const LevelTraffic& sent, Count processes) {
  tally.total += times(sent, processes);
  raise(tally.largest, sent);
}

/// The cells from `begin` to `end` read what goes through a link.
struct Readers {
  std::size_t link;
  Count begin, end;
};

/// Makes each reader occur once.
void merge(std::vector<Readers>& readers) {
  std::sort(readers.begin(), readers.end(), [](const Readers& a, const Readers& b) {
    return std::tie(a.link, a.begin) < std::tie(b.link, b.begin);
  });
  std::size_t kept = 0;
  for (const Readers& some : readers)
    if (kept > 0 && readers[kept - 1].link == some.link && some.begin <= readers[kept - 1].end)
      readers[kept - 1].end = std::max(readers[kept - 1].end, some.end);
    else
      readers[kept++] = some;
  readers.resize(kept);
}

/// Finds the links of a node, in the order in which they are met.
class LinkSearch {
 public:
  LinkSearch(const NodeMessages& sent, const Joined& joined) : sent_(sent), joined_(joined) {}

  /// What each of so many processes sends.
  template <class Messages>
  void add(const Messages& messages, Count cells) {
    ++stretch_;
    messages([&](Count peer, Count bytes) {
      const int to = sent_.node_of(peer);
      if (to == sent_.node() || (!joined_.gathered && bytes > joined_.longest)) return;
      const auto [found, is_new] = number_.try_emplace(to, links_.size());
      if (is_new) links_.push_back({to}), last_stretch_.push_back(0);
      NodeLink& link = links_[found->second];
      const bool new_writers = std::exchange(last_stretch_[found->second], stretch_) != stretch_;
      link.traffic += Traffic{cells, joined_.gathered && !new_writers ? 0 : checked_multiply(bytes, cells)};
      link.writers += new_writers ? cells : 0;
      if (joined_.longest != any_length) readers_.push_back({found->second, peer, peer + cells});
    });
    if (readers_.size() < enough_readers_) return;
    merge(readers_);
    enough_readers_ = std::max(enough_readers_, 2 * readers_.size());
  }

  std::vector<NodeLink> found() {
    merge(readers_);
    for (const Readers& some : readers_) links_[some.link].readers += some.end - some.begin;
    if (joined_.longest != any_length)
      std::erase_if(links_, [](const NodeLink& link) {
        return !schedule::pays_by_node(link.traffic.messages, link.writers, link.readers);
      });
    std::sort(links_.begin(), links_.end(), [](const NodeLink& a, const NodeLink& b) { return a.to < b.to; });
    return std::move(links_);
  }

 private:
  const NodeMessages& sent_;
  Joined joined_;
  std::vector<NodeLink> links_;
  std::unordered_map<int, std::size_t> number_;  ///< By the node they lead to.
  std::vector<std::size_t> last_stretch_;        ///< For each link the last that wrote.
  std::size_t stretch_ = 0;
  std::vector<Readers> readers_;
  std::size_t enough_readers_ = std::size_t{1} << 16;  ///< To merge them.
};

}  // namespace

LevelTraffic times(const LevelTraffic& traffic, Count count) {
  const auto scaled = [&](const Traffic& one) {
    return Traffic{checked_multiply(one.messages, count), checked_multiply(one.bytes, count)};
  };
  return {scaled(traffic.self), scaled(traffic.node), scaled(traffic.network)};
}

void raise(LevelTraffic& most, const LevelTraffic& other) {
  raise(most.self, other.self);
  raise(most.node, other.node);
  raise(most.network, other.network);
}

NodeMessages::NodeMessages(const NodeCells& cells, const View& view, const MessagesOfCell& messages,
                           Count node)
    : cells_(cells), view_(view), messages_(messages), node_(node) {
  constexpr Count most_remembered = Count{1} << 14;
  Count size = 0;
  for (const std::uint32_t first : cells.runs(node)) size += cells.length(first);
  remembered_ = size <= most_remembered;
  if (!remembered_) return;
  cells.for_each_stretch(node, view, [&](Count cell, Count count) {
    messages(cell, [&](Count peer, Count bytes) { found_.push_back({peer, bytes}); });
    stretches_.push_back({cell, count, found_.size()});
  });
}

NodeTally tally_of_node(const NodeMessages& sent) {
  NodeTally tally;
  sent.for_each_stretch([&](Count cell, Count count, const auto& messages) {
    LevelTraffic traffic;
    messages([&](Count peer, Count bytes) {
      const bool stays = sent.node_of(peer) == sent.node();
      (peer == cell ? traffic.self : stays ? traffic.node : traffic.network) += Traffic{1, bytes};
    });
    add(tally, traffic, count);
  });
  return tally;
}

std::vector<NodeLink> links_of_node(const NodeMessages& sent, const Joined& joined) {
  LinkSearch search(sent, joined);
  sent.for_each_stretch([&](Count, Count count, const auto& messages) { search.add(messages, count); });
  return search.found();
}

NodeTally tally_by_node(const NodeMessages& sent, const Joined& joined) {
  const std::vector<NodeLink> links = links_of_node(sent, joined);
  std::vector<std::size_t> last_stretch(links.size(), 0);  // to have reached what a link leads to
  std::size_t stretch = 0;
  const auto link_to = [&](int to) {
    const auto link = std::lower_bound(links.begin(), links.end(), to,
                                       [](const NodeLink& a, int number) { return a.to < number; });
    return link == links.end() || link->to != to ? links.size() : to_index(link - links.begin());
  };
  NodeTally tally;
  sent.for_each_stretch([&](Count cell, Count count, const auto& messages) {
    ++stretch;
    LevelTraffic traffic;
    messages([&](Count peer, Count bytes) {
      const int to = sent.node_of(peer);
      if (to == sent.node()) {
        (peer == cell ? traffic.self : traffic.node) += Traffic{1, bytes};
        return;
      }
      const bool short_enough = joined.gathered || bytes <= joined.longest;
      const std::size_t link = short_enough ? link_to(to) : links.size();
      if (link == links.size()) {
        traffic.network += Traffic{1, bytes};
        return;
      }
      const bool there = std::exchange(last_stretch[link], stretch) == stretch;
      traffic.network += Traffic{0, joined.gathered && there ? 0 : bytes};
    });
    add(tally, traffic, count);
  });
  for (const NodeLink& link : links) tally.together += schedule::node_messages(link.traffic.bytes);
  return tally;
}

}  // namespace halocline::plan
