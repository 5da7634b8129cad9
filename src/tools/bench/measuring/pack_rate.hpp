// SPDX-License-Identifier: BSD-3-Clause
// How fast a packer packs on this machine, in memory that was just touched.
#pragma once

#include "halocline/compile/packer.hpp"

#include <optional>

namespace halocline::tools {

/// The median time of one pack, from about 20 ms of packing. None if the data or what lies between them
/// exceed 1 GiB. @pre the packer has bytes
[[nodiscard]] std::optional<double> pack_seconds(const compile::Packer& packer, const compile::Part& part);

}  // namespace halocline::tools
