// Graphs for the tests of place/graph: grids, random ones, and what they cost by the plainest of loops.
#pragma once

#include "place/graph/map_graph.hpp"
#include "place/graph/message_graph.hpp"

#include "../worlds.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace halocline::place {

/// Every rank sends to its neighbours on a grid of `rows` x `columns`, numbered row by row.
inline std::vector<Message> grid_messages(Count rows, Count columns, Count bytes = 1) {
  std::vector<Message> messages;
  for (Count y = 0; y < rows; ++y)
    for (Count x = 0; x < columns; ++x) {
      if (x + 1 < columns) messages.push_back({y * columns + x, y * columns + x + 1, bytes});
      if (y + 1 < rows) messages.push_back({y * columns + x, (y + 1) * columns + x, bytes});
    }
  return messages;
}

/// The same messages between ranks with other numbers.
inline std::vector<Message> renumbered(std::vector<Message> messages, Count ranks, std::uint64_t seed) {
  std::vector<Rank> numbers(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<Rank>(i);
  std::mt19937_64 random(seed);
  std::shuffle(numbers.begin(), numbers.end(), random);
  for (Message& message : messages) {
    message.source = numbers[static_cast<std::size_t>(message.source)];
    message.target = numbers[static_cast<std::size_t>(message.target)];
  }
  return messages;
}

inline std::vector<Message> random_messages(Count ranks, std::size_t number, Count most_bytes,
                                            std::mt19937_64& random) {
  const auto below = [&](Count end) {
    return static_cast<Count>(random() % static_cast<std::uint64_t>(end));
  };
  std::vector<Message> messages;
  for (std::size_t i = 0; i < number; ++i)
    messages.push_back({below(ranks), below(ranks), below(most_bytes + 1)});
  return messages;
}

/// Bytes between different groups.
inline Count crossing(const std::vector<Message>& messages, const Runs& groups,
                      const std::vector<Rank>& seats) {
  Count sum = 0;
  for (const Message& message : messages) {
    const auto group_of = [&](Rank rank) { return groups.find(seats[static_cast<std::size_t>(rank)]); };
    if (group_of(message.source) != group_of(message.target)) sum += message.bytes;
  }
  return sum;
}

inline std::vector<Rank> seats_in_order(Count ranks) {
  std::vector<Rank> seats(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < seats.size(); ++i) seats[i] = static_cast<Rank>(i);
  return seats;
}

inline Count mapped_crossing(const std::vector<Message>& messages, const Machine& machine) {
  const MessageGraph graph(machine.ranks(), messages);
  return map_graph(graph, machine, {.effort = 0.3}).cost.node().crossing;
}

}  // namespace halocline::place
