// SPDX-License-Identifier: BSD-3-Clause
// The grid for a mesh on the processes of a communicator, which keeps the last one: programs ask again. Where
// many grids have to be placed to find the best, each process tries some of them.
#pragma once

#include "mpi/communicators/placed_cart.hpp"
#include "plan/placement/grid_contest.hpp"

#include <memory>
#include <optional>
#include <string>

namespace halocline::mpi {

/// All that a grid is chosen by on the processes of one communicator.
struct GridWish {
  std::string wanted;  ///< All but the stencil.
  Stencil stencil;     ///< Without the sizes of messages.

  GridWish(const MeshRequest& request, const std::string& algorithm);
  bool operator==(const GridWish&) const = default;
  [[nodiscard]] std::uint64_t fingerprint() const;
};

struct ChosenGrid {
  GridWish wish;
  Counts fixed;             ///< Extents that were given, or found with the dimensions turned round.
  plan::GridChoice choice;  ///< Without its cost.

  /// The last that all processes of `comm` came to, if it is what they wish for; else null.
  [[nodiscard]] static std::shared_ptr<const ChosenGrid> kept(MPI_Comm comm, const GridWish& wish);
  /// @pre all processes keep the same: by whether they have it they tell what comes next
  static void keep(MPI_Comm comm, std::shared_ptr<const ChosenGrid> chosen);
};

/// The search for the best grid on `machine`, that of the processes of a communicator. Each process makes
/// one, all share() what they found, and each has the result(), which is that of plan::choose_grid().
class GridSearch {
 public:
  /// Tries this process's share of the grids: all where that takes less than talking about it. Local. Throws
  /// as plan::choose_grid().
  GridSearch(MPI_Comm comm, const MeshRequest& request, const Machine& machine, const std::string& algorithm);

  [[nodiscard]] const GridWish& wish() const { return wish_; }
  /// Do others have to say what they found?
  [[nodiscard]] bool is_open() const { return open_; }
  /// Collective; one reduction, and as a rule one broadcast. @pre is_open(), on all processes and for the
  /// same wish
  void share(MPI_Comm comm);
  /// Local. @pre !is_open()
  [[nodiscard]] std::shared_ptr<const ChosenGrid> result() const;

 private:
  [[nodiscard]] plan::MeshProblem problem(const MeshRequest& request) const;
  [[nodiscard]] plan::GridContest contest();
  [[nodiscard]] plan::GridChoice told_by_finder(MPI_Comm comm) const;

  GridWish wish_;
  MeshRequest request_;
  Machine machine_;
  plan::GridOptions options_;
  bool turned_;
  plan::GridContest contest_;
  bool open_;
  plan::GridScores scores_;
  std::optional<plan::GridChoice> told_;  ///< By the process that placed the best.
};

/// What is best for the mesh alone, on that many processes. Local. Throws as shape::by_levels.
[[nodiscard]] Grid grid_by_mesh(const MeshRequest& request, Count processes);

}  // namespace halocline::mpi
