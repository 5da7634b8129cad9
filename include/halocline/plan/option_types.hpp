// SPDX-License-Identifier: BSD-3-Clause
// What may be asked for wherever something is placed or sent: by plans, communicators and exchanges alike.
// How nodes are mapped to a network is halocline::NodeMapping.
#pragma once

#include "halocline/base/cxx20.hpp"
#include "halocline/describe/network.hpp"

namespace halocline {

/// How processes are placed; `best` tries several and takes the cheapest. Names as docs/placement.md has
/// them: "kd-tree", "optimal-strips", ...
enum class PlacementAlgorithm {
  best,
  blocked,
  random,
  nodecart,
  hyperplane,
  kd_tree,
  strips,
  optimal_strips
};

/// How blocks get from node to node: one message to each process; one to each node, through shared memory; by
/// node what is short and on its own what is longer than a few KiB; or a schedule that
/// combines messages. `automatic` is the one that should be fastest. As words: "auto", "torus-direct", ...
enum class ScheduleChoice { automatic, direct, node, mixed, torus, torus_direct, basis };

}  // namespace halocline
