// SPDX-License-Identifier: BSD-3-Clause
// The whole plan of a halo exchange: grid, placement, schedule and packing, what they cost and why they were
// chosen, and what a program gets that asks MPI for its defaults.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/allocation.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/describe/traffic.hpp"
#include "halocline/place/placement.hpp"
#include "halocline/plan/option_types.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::plan {

/// What some processes send a neighbour beside the points of their cells: those with open borders there on
/// all sides that `beyond` names, -1 for the first and 1 for the last process along a dimension, 0 where it
/// does not matter. Ghost points, as many of them along those sides as the halo is wide, and the last points
/// of staggered fields.
struct BorderPoints {
  std::size_t neighbor;  ///< By its number in the stencil.
  Offset beyond;
  Count point_bytes;  ///< For each own point along the dimensions that neither this nor the offset has.

  bool operator==(const BorderPoints&) const = default;
};

/// A mesh with fields, shared out among the ranks of a machine, whose processes exchange halos along a
/// stencil. The process at an offset gets the halo in its direction: along a component that is not 0 as many
/// points as the halo is wide, along one that is 0 all that the sender owns; a weight multiplies that.
struct HALOCLINE_API Problem {
  Mesh mesh;
  Stencil stencil;
  Machine machine;
  Counts halo = {};   ///< Width in each dimension; 1 everywhere if there is none. 0: nothing goes that way.
  Counts fixed = {};  ///< Extents the grid must have; 0 is free, and so are all if there is none.
  Count fields = 1;   ///< Arrays that are exchanged together, in one message.
  Count value_bytes = 8;  ///< Of a point of one field.
  /// Where the nodes of the machine are on its network, if known.
  std::optional<Allocation> allocation = {};
  /// How many points the processes along each dimension of a fixed grid own; if there are none, as even as
  /// can be.
  std::vector<Counts> slabs = {};
  /// For each offset the bytes that a point of its message takes, if that is not the same for all: instead of
  /// its weight times all fields. 0: nothing goes there.
  Counts point_bytes = {};
  /// Where messages along open borders are longer: by ghost points that travel along, by staggered fields.
  std::vector<BorderPoints> border_points = {};
  /// What is done with blocks, if there is no mesh, see of_blocks().
  std::optional<Operation> blocks = {};

  /// Blocks of any contents on a given grid, as many bytes to each neighbour: a mesh with one point a
  /// process. Throws Error{invalid_argument} if there are not as many as offsets, or if they differ and are
  /// to be gathered.
  [[nodiscard]] static Problem of_blocks(const Grid& grid, const Stencil& offsets, const Counts& bytes,
                                         Operation operation, Machine machine);
  /// How the mesh is cut for a grid. Throws as Decomposition.
  [[nodiscard]] Decomposition cut(const Grid& grid) const;
};

/// The name of PlacementAlgorithm::best: whichever algorithm does best.
inline constexpr std::string_view best_placement = "best";

/// How the grid is chosen and placed.
struct GridOptions {
  PlacementAlgorithm algorithm = PlacementAlgorithm::best;
  std::size_t most_candidates = 32;
  /// Grids whose whole halo volume is up to this many times the least are looked at.
  double volume_slack = 1.25;
  /// For comparing placements, all candidates together. Counted in steps, not measured: all processes have to
  /// arrive at the same.
  double seconds = 0.5;
};

/// How nodes change places on a network.
struct NetworkOptions {
  NodeMapping variant = NodeMapping::z2_1;
  /// At most so many orders of the dimensions are tried; a 3-D grid has 36 on a 3-D torus, 720 on a 5-D one.
  Count most_rotations = 720;

  bool operator==(const NetworkOptions&) const = default;
};

struct Choices {
  GridOptions grid;
  ScheduleChoice schedule = ScheduleChoice::automatic;
  LevelCosts prices;
  NetworkOptions network;  ///< How nodes change places where the network is known.
  bool shared = true;      ///< May processes of a node share memory? Without it nobody speaks for a node.
};

/// What is sent, by how far it goes: to the process itself, to another of the node, to another node. What a
/// process keeps is copied; all blocks at offset zero count as one copy.
struct LevelTraffic {
  Traffic self, node, network;

  /// The share of all bytes that leaves its node, 0..1; 0 where nothing is sent.
  [[nodiscard]] double leaving_share() const {
    const auto leaving = static_cast<double>(network.bytes);
    const double all = static_cast<double>(self.bytes) + static_cast<double>(node.bytes) + leaving;
    return all > 0 ? leaving / all : 0;
  }

  LevelTraffic& operator+=(const LevelTraffic& other) {
    self += other.self;
    node += other.node;
    network += other.network;
    return *this;
  }
  bool operator==(const LevelTraffic&) const = default;
};

/// Where the time of an exchange goes, on the node that takes longest.
struct Seconds {
  double copies = 0;            ///< To the process itself, and into and out of what a node sends as one.
  double node_messages = 0;     ///< What messages on the node cost, however small.
  double node_bytes = 0;        ///< What their bytes add.
  double network_messages = 0;  ///< The same between nodes.
  double network_bytes = 0;
  double under_way = 0;  ///< What waits for a message waits while it is under way, once for each in a row.

  [[nodiscard]] double total() const {
    return copies + node_messages + node_bytes + network_messages + network_bytes + under_way;
  }
};

/// Exact numbers, and the time that follows from them by the linear model: a node takes as long as its
/// slowest process needs for copies, for messages and for bytes on the node, one after the other, and then
/// for all bytes that leave the node.
struct Prediction {
  LevelTraffic total;            ///< All processes.
  LevelTraffic largest_process;  ///< The most that one process sends, each number on its own.
  Count largest_node_bytes = 0;  ///< The most that leaves one node: J_max in bytes.
  Count bottleneck_node = 0;     ///< The first of those that take longest.
  LevelTraffic bottleneck;       ///< What its processes send.
  Seconds seconds;
};

/// A way to send, and what comes of it.
struct RatedSchedule {
  std::string name;
  Prediction prediction;
};

/// How the messages in one direction, and in all that have zeros at the same places, look in memory.
struct Packing {
  Offset direction;
  Count bytes;       ///< Of the largest message, all fields, without ghost points beyond borders.
  Count pieces;      ///< Contiguous ones, all fields.
  std::string form;  ///< Of one field, loops around blocks.
};

/// What became of a placement on the network: how far messages go, by bytes, and what the fullest link has to
/// carry where that is the aim.
struct OnNetwork {
  /// Less is better, the fullest link first.
  struct Score {
    double fullest_link;   ///< 0 unless that is the aim.
    double weighted_hops;  ///< Sum over all messages of bytes times links travelled.
    auto operator<=>(const Score&) const = default;
  };

  std::string network;  ///< As Network::to_text() writes it.
  std::string mapping;  ///< The name of NetworkOptions::variant.
  Score score, score_before;
};

/// The word in the place of an algorithm where ranks sit as they came.
inline constexpr std::string_view not_placed = "none";

/// A grid whose cells have their processes, and how that came about.
struct Seating {
  Grid grid;
  Placement placement;
  std::string algorithm;       ///< The algorithm, or not_placed.
  std::string wanted;          ///< What was asked for: an algorithm, or "best".
  std::size_t candidates = 0;  ///< Grids that were placed and compared; 0 if it was given.
  std::optional<OnNetwork> network = {};
  std::optional<Stencil> stencil = {};  ///< The weights by which it was placed.
};

struct Plan {
  Grid grid;
  Placement placement;
  std::string placed_by;  ///< As Seating::algorithm.
  std::string schedule;
  Prediction prediction;                 ///< Of that schedule.
  std::vector<RatedSchedule> schedules;  ///< All that were compared.
  std::vector<Packing> packing;          ///< At most 16 kinds of directions.
  std::vector<std::string> reasons;      ///< One sentence for each choice.
  std::optional<OnNetwork> network = {};
};

/// Chooses. Deterministic, no communication; O(p) time and memory, and O(k) for each process of those nodes
/// that do not look like others.
/// Throws Error{invalid_dimensions} if no grid fits; Error{invalid_argument} for a name that is none, prices
/// that are negative, no fields, no bytes, halos that leave nothing to send, or sums that leave 64 bits;
/// Error{unsupported} for a schedule that does not fit, for more than 2^27 ranks, and for more than
/// 2^27 moves times coordinates.
[[nodiscard]] HALOCLINE_API Plan make_plan(const Problem& problem, const Choices& choices = {});

/// The first part of it: grid, placement, and what the network makes of them.
[[nodiscard]] HALOCLINE_API Seating choose_seating(const Problem& problem, const Choices& choices = {});
/// The rest of it, for processes that have their cells, however they came by them.
[[nodiscard]] HALOCLINE_API Plan plan_for(const Problem& problem, const Seating& seating,
                                          const Choices& choices = {});

/// What MPI gives by default: the grid of MPI_Dims_create (extents as close to each other as possible, in
/// decreasing order, whatever the mesh), rank r on cell r row by row with nodes filled one after the other,
/// one message for each neighbour and direction. Throws Error{invalid_dimensions} if that grid has more
/// processes than the mesh has points along a dimension, otherwise as make_plan.
[[nodiscard]] HALOCLINE_API Plan default_plan(const Problem& problem, const LevelCosts& prices = {});

}  // namespace halocline::plan
