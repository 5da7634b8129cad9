// SPDX-License-Identifier: BSD-3-Clause
// What the processes of one node send, counted by stretches of cells that send alike.
#pragma once

#include "halocline/plan/plan.hpp"
#include "plan/messages/node_cells.hpp"
#include "schedule/by_node.hpp"

#include <limits>

namespace halocline::plan {

constexpr Count any_length = std::numeric_limits<Count>::max();

/// Calls message for each message that the process on a cell sends.
using MessagesOfCell = std::function<void(Count cell, const MessageWalk::Message& message)>;

/// Messages of all processes, and at which cells one has to look to know those of a process.
struct Sending {
  MessagesOfCell messages;
  std::vector<Offset> looks_at;
};

/// Of one node.
struct NodeTally {
  LevelTraffic total, largest;  ///< Of its processes together, and the most of one, each number on its own.
  Count together = 0;           ///< Messages that carry what several processes send.
};

/// What so many processes send, or nodes, that send alike.
[[nodiscard]] LevelTraffic times(const LevelTraffic& traffic, Count count);
/// Makes each number the larger of the two.
void raise(LevelTraffic& most, const LevelTraffic& other);

/// Each message by itself. @pre `view` holds all that the messages look at
[[nodiscard]] NodeTally tally_of_node(const NodeCells& cells, const View& view,
                                      const MessagesOfCell& messages, Count node);

/// What one node has for another.
struct NodeLink {
  Count to;
  Traffic traffic = {};
  Count writers = 0, readers = 0;  ///< Processes; readers are counted where lengths are limited.
};

/// Which messages between nodes go together: those up to `longest` bytes; unless that is any_length, only
/// from nodes to nodes that gain by it (schedule::pays_by_node). What is gathered goes to a node once,
/// however long it is.
struct Joined {
  Count longest = any_length;
  bool gathered = false;
};

/// What a node has for others, in the order of their numbers.
[[nodiscard]] std::vector<NodeLink> links_of_node(const NodeCells& cells, const View& view,
                                                  const MessagesOfCell& messages, Count node,
                                                  const Joined& joined);

/// One voice a node for what goes together.
[[nodiscard]] NodeTally tally_by_node(const NodeCells& cells, const View& view,
                                      const MessagesOfCell& messages, Count node, const Joined& joined);

}  // namespace halocline::plan
