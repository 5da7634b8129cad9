// SPDX-License-Identifier: BSD-3-Clause
// The network between the nodes of a machine: mesh and torus (the setting of "Exploiting Geometric
// Partitioning in Task Mapping for Parallel Computers", sections 2 and 3), fat tree, dragonfly.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/lattice.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace halocline {

/// How nodes of the application are mapped to those of a network, see docs/network.md. The first three by
/// geometry, as the paper names them; `links` looks at the time of the fullest link.
enum class NodeMapping { z2_1, z2_2, z2_3, links };

/// A network of compute nodes, described by its parts. Everything that has levels lists the outermost first.
/// Bandwidths are positive, in any unit as long as it is one, and 1 where none is given.
///
/// A node's coordinates are its path from the outside in, and nodes are numbered row by row, the last
/// coordinate fastest: (x, y, ..., host) in a mesh or torus, without the host where a router has only one;
/// the child taken on each tier in a fat tree; (group, router, host) in a dragonfly.
class HALOCLINE_API Network {
 public:
  /// Bandwidths of the links along one dimension, repeated as often as it takes.
  using Pattern = std::vector<double>;

  /// Mesh or torus: routers in a box, each linked to the next along every dimension and, where that is
  /// periodic, the last to the first. Link i of a dimension leads from coordinate i to i + 1.
  struct Cartesian {
    Counts extents;
    Periodicity periodicity = {};          ///< None at all: every dimension is open.
    std::vector<Pattern> bandwidths = {};  ///< One pattern a dimension, or none at all.
    Count hosts = 1;                       ///< Compute nodes at each router.

    /// The bandwidth of a link. @pre the value belongs to a Network; 0 <= link
    [[nodiscard]] double bandwidth(std::size_t dimension, Count link) const {
      const Pattern& pattern = bandwidths[dimension];
      return pattern[static_cast<std::size_t>(link) % pattern.size()];
    }

    bool operator==(const Cartesian&) const = default;
  };

  /// A generalized fat tree. The children of the switches of the last tier are the compute nodes.
  struct FatTree {
    struct Tier {
      Count children;        ///< Below each switch of this tier.
      Count parents = 1;     ///< Switches of this tier above each child.
      Count links = 1;       ///< Side by side between a child and each of its parents.
      double bandwidth = 1;  ///< Of one link.
      bool operator==(const Tier&) const = default;
    };
    std::vector<Tier> tiers;

    bool operator==(const FatTree&) const = default;
  };

  /// Groups of routers. Within a group every two routers share a local link; between groups each router has
  /// the same number of global links. There may be up to routers x global_links + 1 groups; where there are
  /// fewer, several links join each two of them.
  struct Dragonfly {
    Count groups;
    Count routers;           ///< In each group.
    Count hosts;             ///< Compute nodes at each router.
    Count global_links = 0;  ///< At each router; 0 stands for the fewest that can join every two groups.
    double global_bandwidth = 1;
    double local_bandwidth = 1;
    double terminal_bandwidth = 1;  ///< Between a router and a host.

    bool operator==(const Dragonfly&) const = default;
  };

  using Topology = std::variant<Cartesian, FatTree, Dragonfly>;

  /// Fills in the defaults. Throws Error{invalid_dimensions} for no dimensions or tiers, a count below 1, or
  /// more than 2^63 - 1 nodes or links of a kind; Error{invalid_argument} for a bandwidth that is not
  /// positive and finite, an empty pattern, flags or patterns that do not match the dimensions in number, or
  /// global links that are too few or lead nowhere.
  explicit Network(Topology topology);

  /// All dimensions open, and all periodic.
  [[nodiscard]] static Network mesh(Counts extents, std::vector<Pattern> bandwidths = {}, Count hosts = 1);
  [[nodiscard]] static Network torus(Counts extents, std::vector<Pattern> bandwidths = {}, Count hosts = 1);

  /// Reads a kind and its extents, then words in any order, each of which may be left out:
  ///   mesh:64x64x64, torus:25x16x24      bandwidth:75,75/37.5,120/75 (a pattern a dimension) hosts:2;
  ///                                      for a mesh with some dimensions periodic also periodic:1,0,1
  ///   fat-tree:5x24 (children)           parents:12x1 links:1x1 bandwidth:12.5,12.5 (one a tier)
  ///   dragonfly:9x4x2 (groups, routers,  global:2 (links at each router)
  ///                    hosts)            bandwidth:4,5,10 (global, local, terminal)
  /// Throws Error{invalid_argument}, or as the constructor.
  [[nodiscard]] static Network parse(std::string_view text);
  /// What parse reads, without the words that say the default. No bandwidth loses a bit.
  [[nodiscard]] std::string to_text() const;

  /// Defaults are filled in: patterns and flags are there for each dimension.
  [[nodiscard]] const Topology& topology() const { return topology_; }

  /// The number of compute nodes, and of the values each coordinate can take.
  [[nodiscard]] Count nodes() const { return numbering_.size(); }
  [[nodiscard]] const Counts& extents() const { return numbering_.extents(); }

  /// The coordinates of a node, and the node at coordinates: inverse to each other.
  /// @pre 0 <= node < nodes(); each coordinate is in 0..extents()[d] - 1
  [[nodiscard]] Counts coordinates(Count node) const { return numbering_.cell(node); }
  [[nodiscard]] Count node(std::span<const Count> coordinates) const { return numbering_.index(coordinates); }

  bool operator==(const Network&) const = default;

 private:
  struct Numbering : Lattice {
    explicit Numbering(Counts extents) : Lattice("network", std::move(extents), {}) {}
    bool operator==(const Numbering&) const = default;
  };

  Topology topology_;
  Numbering numbering_;
};

}  // namespace halocline
