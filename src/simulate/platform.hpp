// SPDX-License-Identifier: BSD-3-Clause
// A cluster as SimGrid knows it, built in memory: no platform files.
#pragma once

#include "simulate/cluster.hpp"

#include <simgrid/s4u.hpp>

#include <vector>

namespace halocline::simulate {

/// Builds all of the cluster. The hosts are its nodes, in the order of Network.
/// @pre a simgrid::s4u::Engine exists and has no platform yet
[[nodiscard]] std::vector<simgrid::s4u::Host*> build_platform(const Cluster& cluster);

}  // namespace halocline::simulate
