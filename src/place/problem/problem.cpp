// SPDX-License-Identifier: BSD-3-Clause
#include "place/problem/problem.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

namespace halocline::place {

Problem::Problem(Grid grid, Stencil stencil, Machine machine, std::uint64_t seed)
    : grid_(std::move(grid)), stencil_(std::move(stencil)), machine_(std::move(machine)), seed_(seed) {
  if (stencil_.dimensions() != grid_.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", stencil_.dimensions(), " dimensions, the grid ",
         grid_.to_text(), " has ", grid_.dimensions());
  if (machine_.ranks() != grid_.size())
    fail(Fault::invalid_dimensions, "the nodes hold ", machine_.ranks(), " processes, the grid ",
         grid_.to_text(), " has ", grid_.size(), " cells");
}

}  // namespace halocline::place
