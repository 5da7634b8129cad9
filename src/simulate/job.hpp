// SPDX-License-Identifier: BSD-3-Clause
// What one run of the simulator does: a placed grid on a cluster, exchanging with several schedules and
// sizes. How large each block is the simulation and the plan's prediction both have from here.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/plan/plan.hpp"
#include "plan/placement/network_contest.hpp"
#include "simulate/cluster.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halocline::simulate {

/// How cells get their nodes: "best", "strips", "best+z2_1" or "best+links".
struct PlaceName {
  std::string algorithm;  ///< A name of place::algorithms(), or "best".
  std::string mapping;  ///< A name of network::variants(): whole nodes change places on the network. Or none.

  /// Throws Error{invalid_argument} that names what is unknown and lists what there is.
  [[nodiscard]] static PlaceName parse(const std::string& text);
};

/// What is exchanged where there is a mesh.
struct MeshHalo {
  Mesh mesh;
  Counts halo;  ///< Width in each dimension.
  Count fields = 1;
  bool operator==(const MeshHalo&) const = default;
};

struct Job {
  Cluster cluster;
  Machine machine;  ///< Its nodes are the first of the cluster.
  Grid grid;
  Stencil stencil;
  std::string placement;               ///< What PlaceName reads.
  std::vector<std::string> schedules;  ///< Names of plan::schedule_names().
  /// Without a mesh of the block to each neighbour, times its weight; with one of a point of one field.
  Counts bytes;
  /// Shall every process have blocks of its own, whose contents are looked at? Where there is memory for it.
  bool checked = true;
  std::optional<MeshHalo> mesh = {};
  /// Do processes of a node share memory? Otherwise they send each other messages.
  bool shared = true;

  /// Reads the values in the order of job_words(). Throws Error{invalid_argument}, also if the parts do not
  /// fit each other, see check().
  [[nodiscard]] static Job parse(std::span<const char* const> words);

  /// Throws Error{invalid_argument} or Error{invalid_dimensions}, naming what does not fit: more nodes than
  /// the cluster has, more processes on a node than cores, another number of processes than cells, unknown
  /// names, sizes below 1, shares of the mesh narrower than its halo. Throws Error{unsupported} for a
  /// schedule that forwards blocks where shares differ, or that needs shared memory where there is none.
  void check() const;

  /// Those of plan::schedule_names() that this exchange can have.
  [[nodiscard]] std::vector<std::string> fitting_schedules() const;

  /// What the cluster asks for messages, to choose by and to predict with.
  [[nodiscard]] LevelCosts prices() const { return cluster.prices(shared, machine.nodes()); }

  /// The exchange with points of so many bytes as plans know it. Without a mesh a process owns one point:
  /// blocks in all directions are alike then but for their weights.
  [[nodiscard]] plan::Problem problem(Count value_bytes) const;

  /// Throws as plan::place_on_network().
  [[nodiscard]] plan::Candidate placed() const;
};

/// The sizes of all blocks of a job, one by one.
class BlockTable {
 public:
  /// With points of so many bytes. Throws as Job::check().
  BlockTable(const Job& job, Count value_bytes);

  /// Of the block that the process on a cell has for its neighbour of that number in the stencil.
  [[nodiscard]] Count bytes(Count cell, std::size_t neighbour) const;
  /// Is a neighbour's block as large in every process?
  [[nodiscard]] bool even() const { return decomposition_.even(); }
  /// For each neighbour the largest that any process has.
  [[nodiscard]] Counts largest() const;

 private:
  plan::Problem problem_;
  Decomposition decomposition_;
};

/// One schedule with one size.
struct Result {
  std::string schedule;
  Count bytes;     ///< One of Job::bytes.
  double seconds;  ///< From a common start until the last process had all its blocks.
  bool checked;    ///< Were all bytes what they had to be? Otherwise there was no memory to tell.

  /// "result direct 1024 3.2e-06 checked": what the program writes, and the one who started it reads. Throws
  /// Error{internal}.
  [[nodiscard]] static Result parse(const std::string& line);
  [[nodiscard]] std::string to_line() const;
};

/// The words of a Job's command line; `cluster` as Cluster::parse reads it.
[[nodiscard]] std::vector<std::string> job_words(const std::string& cluster, const Job& job);

}  // namespace halocline::simulate
