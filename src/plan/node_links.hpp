// What the nodes of a placed grid have for each other.
#pragma once

#include "plan/prediction.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace halocline::plan {

/// One message to each process that gets something.
[[nodiscard]] Schedule direct_on(const Placed& placed);

constexpr Count any_length = std::numeric_limits<Count>::max();

/// The messages between nodes that go together.
class NodeLinks {
 public:
  using Ends = std::pair<Count, Count>;  ///< Two nodes.

  /// What one node has for another.
  struct Link {
    place::Traffic traffic;
    std::vector<std::uint32_t> writers, readers;  ///< Cells, some several times; not for any length.
  };

  /// Those up to `longest` bytes; unless that is any_length, only of nodes that gain by it
  /// (schedule::pays_by_node). @pre `placed` outlives this object
  NodeLinks(const Placed& placed, Count longest);

  /// Is a message from a cell to one on another node among them?
  [[nodiscard]] bool contain(Count cell, Count peer, Count bytes);

  [[nodiscard]] auto begin() const { return links_.begin(); }
  [[nodiscard]] auto end() const { return links_.end(); }

 private:
  [[nodiscard]] Ends ends_of(Count cell, Count peer) const;
  void add(Count cell, Count peer, Count bytes);

  const NodeOfCell& nodes_;
  Count longest_;
  std::map<Ends, Link> links_;
  std::map<Ends, Link>::iterator last_ = links_.end();  ///< Neighbouring cells often send to the same node.
};

}  // namespace halocline::plan
