// SPDX-License-Identifier: BSD-3-Clause
// What the shape stage is asked: how many processes, in which groups, for which costs and under which limits.
#pragma once

#include "halocline/describe/mesh.hpp"
#include "shape/weights.hpp"

namespace halocline::shape {

/// What a grid must fit, and what it costs.
///
/// The cost of level l is the sum over the dimensions of weight_i * N_i, where N_i is the number of parts
/// that the levels 0 to l make of dimension i. With weights of a mesh it is the share of the mesh that the
/// groups of level l send to each side, all groups together. (The paper's c^(l) is what one group sends and
/// receives: 2 * mesh points / groups of level l times as much, a constant that changes no choice.)
///
/// The sum counts N_i cuts across dimension i. That is right for a periodic dimension and one too many for an
/// open one, which is another constant; only a periodic dimension in one part, which has no cut at all, would
/// change the order of grids: where `periodicity` names a periodic dimension, it costs nothing until it is
/// cut. Without `periodicity`, or if all is open, the cost is the paper's.
struct Problem {
  Counts levels;            ///< Groups in each group above, outermost first; just {p} for p equal processes.
  Weights weights;          ///< One for each dimension.
  Counts fixed;             ///< Extents the grid must have; 0 is free, and so are all if there is none.
  Counts limits;            ///< The most parts of each dimension; 0 is unlimited, and so are all if none.
  Periodicity periodicity;  ///< One flag a dimension, or none for all open.

  /// The problem of a mesh with halos of the given widths (1 each if none is given): weights halo / extent,
  /// the periodicity of the mesh, and limits that leave each part as wide as its halo and one point at least.
  /// Throws as Weights::of_mesh.
  [[nodiscard]] static Problem for_mesh(Counts levels, const Mesh& mesh, const Counts& halo = {});

  /// Throws Error{invalid_dimensions} or Error{invalid_argument} for no level or one below 1, more than
  /// 2^63 - 1 processes, lists of another dimension, negative entries, fixed extents past their limit or
  /// whose product does not divide the number of processes. Every function below calls it.
  void validate() const;
};

}  // namespace halocline::shape
