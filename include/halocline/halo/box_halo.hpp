// SPDX-License-Identifier: BSD-3-Clause
// The halo exchange of processes that own several boxes, of any sizes.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/exchange/statistics.hpp"
#include "halocline/halo/accumulate.hpp"
#include "halocline/halo/field_view.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/box_traffic.hpp"

#include <memory>
#include <vector>

namespace halocline {

/// What all processes say that they own of a mesh, process after process. Collective. Throws the same Error
/// on every rank: as Boxes, and invalid_argument if they name different meshes.
[[nodiscard]] HALOCLINE_API Boxes gathered_boxes(MPI_Comm comm, const Mesh& mesh,
                                                 const std::vector<Box>& own);

/// Exchanges the halos of any number of fields on any number of boxes at once. All that a process has for
/// another is one message, or goes through memory of the node; what stays in a process is copied. Halos may
/// be as wide as you like: what they show is found by geometry, whoever owns it, or told by connections.
/// Ghost points that show nothing (beyond an open border, where nobody owns anything, in a direction that was
/// not asked for) are not touched. Starts are as those of a Halo.
///
/// An empty one, made of nothing or moved from, throws Error{invalid_argument} whatever else it is asked for
/// than empty(); it can be assigned to and destroyed.
class HALOCLINE_API BoxHalo {
 public:
  /// `fields[f][i]`: field f on the i-th box that this process owns; empty if it owns none. A field has the
  /// same widths and an element of as many bytes on all boxes. Their memory is that of the views, which must
  /// outlive this. Of the options those count that say directions and those of `exchange` that say shared
  /// memory, statistics and the engine that packs.
  ///
  /// Collective over `comm`. Throws the same Error on every rank: invalid_argument if processes give
  /// different boxes, directions or numbers of fields, if there are no fields, fewer or more views of one
  /// than boxes, one of nothing or at a null pointer, elements that differ in size, or a box of a rank that
  /// there is not; invalid_dimensions if a view has other points than its box, or widths differ; unsupported
  /// with Borders::carry, Addresses::any or described sides, whether by the options or by keys of
  /// `exchange.info`, or a view that is staggered or lies on a device.
  BoxHalo(MPI_Comm comm, const Boxes& boxes, const std::vector<std::vector<FieldView>>& fields,
          const HaloOptions& options = {});

  /// A halo of nothing, until another is assigned to it. Local.
  BoxHalo() noexcept;
  /// Is it one of nothing, or was it moved from?
  [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }

  BoxHalo(BoxHalo&& other) noexcept;
  BoxHalo& operator=(BoxHalo&& other) noexcept;
  /// Completes what was started; local otherwise.
  ~BoxHalo();

  /// Throws Error{invalid_argument} from one start on until wait() has returned or test() was true. Local.
  void start();
  /// Goes on; true if nothing is under way (any more).
  bool test();
  void wait();
  void exchange() {
    start();
    wait();
  }
  [[nodiscard]] bool active() const;

  /// The adjoint of the exchange, as Halo::accumulate(): each owner gets what all boxes have in their halos
  /// for its points, and combines it with what it has. It begins with its own value; the halos follow in the
  /// order of the boxes. So the result has the same bits whoever owns which box. Halos stay as they are;
  /// ghost points that show nothing go nowhere. `replace` takes the last value in that order and goes for any
  /// elements.
  ///
  /// The first call is collective; those after it are as start() is, but `how` must be the same on all
  /// processes. Throws as start() does, the same on every rank the first time; the same on every rank
  /// Error{invalid_type} if numbers are not known, differ between boxes, or are complex and to be compared;
  /// and, the first time, invalid_argument also if `how` differs.
  void accumulate(Accumulate how = Accumulate::sum) {
    start_accumulate(how);
    wait();
  }
  /// Its beginning, to be completed by wait(), or test() until it is true: then own points change, not
  /// before, so they may be used and changed meanwhile. Halos must not be changed.
  void start_accumulate(Accumulate how = Accumulate::sum);

  /// As Halo::verify(): fills the fields, exchanges, looks at every point and puts the old values back.
  /// Collective. Throws the same Error on every rank: internal that names the first wrong point,
  /// invalid_argument if it is under way on one, or its communicator was freed.
  void verify();

  [[nodiscard]] const Boxes& boxes() const;
  /// What one exchange moves in all processes together. Local.
  [[nodiscard]] plan::BoxTraffic traffic() const;
  /// What all exchanges have taken on this process; sums are not counted.
  [[nodiscard]] ExchangeStatistics statistics() const;

 private:
  struct State;
  [[nodiscard]] State& state() const;

  std::unique_ptr<State> state_;
};

}  // namespace halocline
