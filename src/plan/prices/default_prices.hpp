// SPDX-License-Identifier: BSD-3-Clause
// What messages cost on a machine that nobody has measured: round numbers by what can be seen of it.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace halocline::plan {

/// What a host tells of its way to others.
struct NetworkFacts {
  std::string kind = "tcp";          ///< "cxi", "hfi1", "infiniband", or "tcp" where there is none of them.
  double link_bytes_per_second = 0;  ///< Of TCP; 0 is not known.
};

/// What is known of a machine without measuring.
struct MachineFacts {
  NetworkFacts network;
  Count processes = 1;                   ///< That share processors.
  Count processors = 0;                  ///< That they share; 0 is not known.
  std::vector<std::string> levels = {};  ///< Besides the node, that can have prices; none has one by default.
};

/// The prices of a network that bypasses the system (cxi, hfi1, infiniband) or of TCP, and of memory. Where
/// there are more processes than processors, messages wait for theirs: alpha and latency grow by that factor.
[[nodiscard]] LevelCosts default_prices(const MachineFacts& facts);

/// By the devices that Linux lists below `root`; the fastest link of hardware that tells its speed. Does not
/// throw.
[[nodiscard]] NetworkFacts look_at_network(const std::filesystem::path& root = "/");

/// "unknown" if the system does not tell.
[[nodiscard]] std::string host_name();

}  // namespace halocline::plan
