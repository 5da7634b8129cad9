// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/message_graph.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::place {
namespace {

struct Half {
  Rank to;
  Count bytes;
};

bool counts(const Message& message) { return message.source != message.target && message.bytes > 0; }

void check(Count ranks, const Message& message) {
  for (const Rank rank : {message.source, message.target})
    require(rank >= 0 && rank < ranks, "a message between rank ", message.source, " and rank ",
            message.target, " of ", ranks);
  require(message.bytes >= 0, "a message of ", message.bytes, " bytes from rank ", message.source,
          " to rank ", message.target);
}

/// Both halves of every message, row by row in no order; `starts` gets the rows.
std::vector<Half> by_rank(std::span<const Message> messages, std::vector<std::size_t>& starts) {
  for (const Message& message : messages) {
    if (!counts(message)) continue;
    ++starts[to_index(message.source) + 1];
    ++starts[to_index(message.target) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<Half> halves(starts.back());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (const Message& message : messages) {
    if (!counts(message)) continue;
    halves[next[to_index(message.source)]++] = {message.target, message.bytes};
    halves[next[to_index(message.target)]++] = {message.source, message.bytes};
  }
  return halves;
}

}  // namespace

MessageGraph::MessageGraph(Count ranks, std::span<const Message> messages) {
  require(ranks >= 0, "a graph of ", ranks, " ranks");
  for (const Message& message : messages) {
    check(ranks, message);
    if (counts(message)) bytes_ = checked_add(bytes_, message.bytes);
  }
  std::vector<std::size_t> rows(to_size(ranks) + 1, 0);
  std::vector<Half> halves = by_rank(messages, rows);
  neighbours_.reserve(halves.size());
  weights_.reserve(halves.size());
  starts_.assign(1, 0);
  for (std::size_t rank = 0; rank + 1 < rows.size(); ++rank) {
    const std::span row = std::span(halves).subspan(rows[rank], rows[rank + 1] - rows[rank]);
    std::sort(row.begin(), row.end(), [](const Half& a, const Half& b) { return a.to < b.to; });
    for (const Half& half : row) {
      if (neighbours_.size() > starts_.back() && neighbours_.back() == half.to) {
        weights_.back() += half.bytes;
      } else {
        neighbours_.push_back(half.to);
        weights_.push_back(half.bytes);
      }
    }
    starts_.push_back(neighbours_.size());
  }
}

Count MessageGraph::ranks() const { return count_of(starts_) - 1; }

Count MessageGraph::pairs() const { return count_of(neighbours_) / 2; }

std::span<const Rank> MessageGraph::neighbours(Rank rank) const {
  const std::size_t row = to_index(rank);
  return std::span(neighbours_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

std::span<const Count> MessageGraph::bytes_with_neighbours(Rank rank) const {
  const std::size_t row = to_index(rank);
  return std::span(weights_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

}  // namespace halocline::place
