// What the nodes of a placed grid have for each other.
#pragma once

#include "plan/prediction.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace halocline::plan {

/// Calls for each message that the cells of a row of the grid send; rows are those of MessageWalk.
using RowOfMessages = std::function<void(Count row, const MessageWalk::Message& message)>;

/// One message to each process that gets something. @pre `placed` outlives it
[[nodiscard]] RowOfMessages direct_messages(const Placed& placed, Carried carried);

constexpr Count any_length = std::numeric_limits<Count>::max();

/// The messages between nodes that go together.
class NodeLinks {
 public:
  /// What one node has for another.
  struct Link {
    Count to;
    std::size_t number;  ///< In the order in which links were found.
    place::Traffic traffic = {};
  };

  /// Those up to `longest` bytes; unless that is any_length, only of nodes that gain by it
  /// (schedule::pays_by_node). What is gathered goes to a node once, however long it is. @pre `placed`
  /// outlives this object
  NodeLinks(const Placed& placed, Count longest);

  /// Is a message from a cell to one on another node among them?
  [[nodiscard]] bool contain(Count cell, Count peer, Count bytes) const;

  /// For each node its links, in the order of the nodes they lead to.
  [[nodiscard]] const std::vector<std::vector<Link>>& by_sender() const { return by_sender_; }

 private:
  [[nodiscard]] int node_of(Count cell) const { return nodes_[static_cast<std::size_t>(cell)]; }
  void number_processes();
  void add(Count cell, Count peer, Count bytes);
  /// Was it not there before?
  bool mark(std::size_t set, Count cell);
  [[nodiscard]] Count marked(std::size_t set) const;

  const NodeOfCell& nodes_;
  Count longest_;
  bool gathered_;
  /// To count processes, unless messages of any length go together and none is gathered: the number of each
  /// in its node, and for each link two sets of such numbers, of those that write and of those that read.
  std::vector<std::uint32_t> number_in_node_;
  std::size_t words_ = 0;             ///< Of one set.
  std::vector<std::uint64_t> marks_;  ///< A bit for each number.

  std::size_t found_ = 0;  ///< Links.
  std::vector<std::vector<Link>> by_sender_;
};

}  // namespace halocline::plan
