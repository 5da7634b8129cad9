// SPDX-License-Identifier: BSD-3-Clause
// Allocations as files: where nodes are in the network and, if the file says so, what they are called.
#pragma once

#include "halocline/describe/allocation.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace halocline {

/// The nodes of a file, in its order. It may describe one job's nodes, or a whole machine by name.
struct NamedAllocation {
  Allocation allocation;
  std::vector<std::string> hosts;  ///< The name of each node, or none at all.

  /// Reads one node a line: its coordinates as Network::coordinates gives them (the host among them, where a
  /// router has several), behind its name if the nodes have names: "n17 3 0 5" or "3 0 5". A name has a
  /// letter. Blanks or commas separate; '#' opens a comment; empty lines do not count. Throws
  /// Error{invalid_argument} that names the line, or both lines of what is there twice; also if only some
  /// nodes have names, or if the stream fails.
  [[nodiscard]] static NamedAllocation read(std::istream& in, Network network);

  /// The nodes of these names, in this order. A name that is not there stands for what is before its first
  /// dot. Throws Error{invalid_argument} for one that is not there either, or a node that is asked for twice.
  [[nodiscard]] Allocation of_hosts(std::span<const std::string> names) const;

  /// The allocation of a job on `names.size()` nodes of these names: of_hosts() if the nodes of the file have
  /// names, otherwise the nodes as they are. Throws as of_hosts(), and Error{invalid_argument} unless a file
  /// without names has as many nodes.
  [[nodiscard]] Allocation of_job(std::span<const std::string> names) const;
};

}  // namespace halocline
