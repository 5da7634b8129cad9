// SPDX-License-Identifier: BSD-3-Clause
// A benchmark on several nodes that there are not: network namespaces of this machine.
#pragma once

#include <string>

namespace halocline::tools {

/// Becomes halocline-cluster, which runs this very command line, without --cluster, on the nodes that
/// `wanted` names, such as 4x8@1000mbit, and takes them down again. Throws Error{invalid_argument} for other
/// texts and Error{unsupported} where that cannot be.
[[noreturn]] void run_on_cluster(const std::string& wanted);

}  // namespace halocline::tools
