// SPDX-License-Identifier: BSD-3-Clause
// How programs exchange halos without Halocline: the ways it is measured against.
#pragma once

#include "exchange/neighborhood/peers.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "mpi/handles/handle.hpp"

#include <vector>

namespace halocline::tools {

/// Fields of doubles in three dimensions, each an array in the order of C with a halo of the same width all
/// around, exchanged along the given directions on a periodic grid.
struct HaloProblem {
  MPI_Comm cart;
  Grid grid;
  Stencil offsets;
  Counts extents;  ///< Own points.
  Count width;
  std::vector<double*> arrays;

  /// A box of points: from `first` on, in the array with its halo.
  struct PointBox {
    Counts first, count;
  };
  /// What goes to the process at an offset, and what comes from the one at minus that.
  [[nodiscard]] PointBox sent(const Offset& offset) const;
  [[nodiscard]] PointBox received(const Offset& offset) const;
  [[nodiscard]] static Count points(const PointBox& part) {
    return part.count[0] * part.count[1] * part.count[2];
  }
};

/// The datatypes of all neighbours: a subarray of each field, all in one, at absolute addresses.
struct HaloTypes {
  explicit HaloTypes(const HaloProblem& problem);
  std::vector<mpi::Datatype> sent, received;
};

/// MPI_Neighbor_alltoallw on a distributed graph.
class NeighborHalo {
 public:
  explicit NeighborHalo(const HaloProblem& problem);
  void run();
  /// MPI_Ineighbor_alltoallw.
  void start();
  [[nodiscard]] bool test();
  void wait();

 private:
  HaloTypes types_;
  mpi::Comm graph_;
  std::vector<MPI_Datatype> sent_, received_;
  std::vector<int> counts_;
  std::vector<MPI_Aint> displacements_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// One MPI_Irecv and MPI_Isend of a datatype for each neighbour.
class DatatypeHalo {
 public:
  explicit DatatypeHalo(const HaloProblem& problem);
  void run();

 private:
  HaloProblem problem_;
  exchange::Neighbours neighbours_;
  HaloTypes types_;
  std::vector<MPI_Request> requests_;
};

/// Packed by loops over rows: one message for each neighbour as most programs do, or one for each distinct
/// process, and from place to place for what stays here. Or all of it backwards: what lies in the halo is
/// added to its owner.
class HandPackedHalo {
 public:
  enum class MessageTo { each_neighbour, each_process };
  enum class Moves { own_points, sums };
  HandPackedHalo(const HaloProblem& problem, MessageTo messages, Moves moves = Moves::own_points);
  void run();

 private:
  struct PeerBuffers {
    exchange::Peer blocks;
    std::vector<double> out, in;
  };
  template <class Put>
  void finish(const Put& put);

  HaloProblem problem_;
  Moves moves_;
  std::vector<HaloProblem::PointBox> sent_, received_;
  std::vector<int> own_;
  std::vector<PeerBuffers> peers_;
  std::vector<MPI_Request> requests_;
};

}  // namespace halocline::tools
