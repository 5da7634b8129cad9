// SPDX-License-Identifier: BSD-3-Clause
// What the fields of a halo are exchanged on.
#pragma once

#include "halo/points/filling.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/exchange/exchange.hpp"

#include <vector>

namespace halocline::halo {

using Orders = std::vector<std::vector<std::size_t>>;  ///< For each field its dimensions, slowest first.

struct Ground {
  MPI_Comm comm;
  const Decomposition& decomposition;
  Cell cell;
  const Filling& filling;
  const ExchangeOptions& options;
};

/// Of those parts of a field.
[[nodiscard]] Count bytes_of(const FieldView& field, const Filling::Parts& parts);
/// What a process sends of a field along an offset.
[[nodiscard]] Count bytes_sent(const FieldView& field, const Ground& ground, const Cell& cell,
                               const Offset& offset);

}  // namespace halocline::halo
