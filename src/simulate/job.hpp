// What one run of the simulator does: a placed grid on a cluster, exchanging with several schedules and
// sizes.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/plan/network_contest.hpp"
#include "simulate/cluster.hpp"

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

struct Job {
  Cluster cluster;
  Machine machine;  ///< Its nodes are the first of the cluster.
  Grid grid;
  Stencil stencil;
  std::string placement;               ///< What PlaceName reads.
  std::vector<std::string> schedules;  ///< Names of schedule::algorithms().
  Counts bytes;                        ///< Of the block to each neighbour.
  /// Shall every process have blocks of its own, whose contents are looked at? Where there is memory for it.
  bool checked = true;

  /// Reads the values in the order of job_words(). Throws Error{invalid_argument}, also if the parts do not
  /// fit each other, see check().
  [[nodiscard]] static Job parse(std::span<const char* const> words);

  /// Throws Error{invalid_argument} or Error{invalid_dimensions}, naming what does not fit: more nodes than
  /// the cluster has, more processes on a node than cores, another number of processes than cells, unknown
  /// names, sizes below 1.
  void check() const;

  /// Throws as plan::place_on_network().
  [[nodiscard]] plan::Candidate placed() const;
};

/// One schedule with one size.
struct Result {
  std::string schedule;
  Count bytes;
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
