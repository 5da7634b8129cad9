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
using MessagesOfCell = std::function<void(Count cell, const MessageWalk::OnMessage& message)>;

/// Messages of all processes, and at which cells one has to look to know those of a process.
struct Sending {
  MessagesOfCell messages;
  std::vector<Offset> looks_at;
};

/// What the processes of one node send. Unless it is a large one, its messages are found once and remembered.
class NodeMessages {
 public:
  /// @pre `view` holds all that the messages look at; what this is made of outlives it
  NodeMessages(const NodeCells& cells, const View& view, const MessagesOfCell& messages, Count node);

  [[nodiscard]] Count node() const { return node_; }
  [[nodiscard]] int node_of(Count cell) const { return cells_.node_of_cell()[to_index(cell)]; }

  /// Calls visit(cell, cells, messages) for stretches of cells that send alike; messages(message) calls
  /// message(peer, bytes) for each that the process on the first of them sends.
  template <class Visit>
  void for_each_stretch(const Visit& visit) const {
    if (!remembered_) {
      cells_.for_each_stretch(node_, view_, [&](Count cell, Count cells) {
        visit(cell, cells, [&](const auto& message) { messages_(cell, message); });
      });
      return;
    }
    std::size_t first = 0;
    for (const Stretch& stretch : stretches_) {
      visit(stretch.cell, stretch.cells, [&](const auto& message) {
        for (std::size_t i = first; i < stretch.end; ++i) message(found_[i].peer, found_[i].bytes);
      });
      first = stretch.end;
    }
  }

 private:
  struct SentMessage {
    Count peer, bytes;
  };
  struct Stretch {
    Count cell, cells;
    std::size_t end;  ///< Of its messages.
  };

  const NodeCells& cells_;
  const View& view_;
  const MessagesOfCell& messages_;
  Count node_;
  bool remembered_;
  std::vector<Stretch> stretches_;
  std::vector<SentMessage> found_;
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

/// Each message by itself.
[[nodiscard]] NodeTally tally_of_node(const NodeMessages& sent);

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
[[nodiscard]] std::vector<NodeLink> links_of_node(const NodeMessages& sent, const Joined& joined);

/// One voice a node for what goes together.
[[nodiscard]] NodeTally tally_by_node(const NodeMessages& sent, const Joined& joined);

}  // namespace halocline::plan
