// SPDX-License-Identifier: BSD-3-Clause
// Carts whose arguments have to be read from somewhere first, which may fail on one rank alone.
#pragma once

#include "halocline/mpi/cart.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace halocline::mpi {

/// The arguments of the constructors of Cart.
struct GridRequest {
  Grid grid;
  Stencil stencil;
};
struct MeshRequest {
  Mesh mesh;
  Stencil stencil;
  Counts halo, fixed;
  /// The points of the first dimension lie side by side. Among equally good grids the first dimensions are
  /// cut most, which is right where that is the last one: otherwise the grid is chosen with the dimensions
  /// turned round.
  bool fortran = false;
  std::optional<Decomposition> cut = {};  ///< For all of `fixed`; none: as even as it can be.

  /// Does it matter?
  [[nodiscard]] bool turned() const { return fortran && std::count(fixed.begin(), fixed.end(), 0) > 1; }
};
using ReadGrid = std::function<GridRequest()>;
using ReadMesh = std::function<MeshRequest()>;

/// As the constructors of Cart, with one agreement on all that can go wrong: what `read` throws on any rank
/// is thrown on all. Once the processes of `comm` are known that is one reduction, and then what
/// create_cart() costs. Collective.
[[nodiscard]] Cart placed_cart(MPI_Comm comm, const ReadGrid& read, const CartOptions& options);
[[nodiscard]] Cart placed_cart(MPI_Comm comm, const ReadMesh& read, const CartOptions& options);

}  // namespace halocline::mpi
