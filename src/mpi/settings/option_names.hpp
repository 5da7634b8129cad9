// SPDX-License-Identifier: BSD-3-Clause
// The options of C++ that are types, and their names in info keys, variables and tables.
#pragma once

#include "halocline/mpi/cart.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace halocline::mpi {

/// Throw Error{invalid_argument} for what there is not.
[[nodiscard]] std::string name_of(PlacementAlgorithm algorithm);
[[nodiscard]] PlacementAlgorithm algorithm_named(std::string_view name);

/// The empty name if there is none. Throw as above.
[[nodiscard]] std::string name_of(std::optional<NodeMapping> mapping);
[[nodiscard]] std::optional<NodeMapping> mapping_named(std::string_view name);

}  // namespace halocline::mpi
