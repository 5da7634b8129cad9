// SPDX-License-Identifier: BSD-3-Clause
// The adjoint of an exchange of boxes: what halos show goes back to the boxes that own it, into memory beside
// the fields, and is combined there once all of it has come.
#pragma once

#include "exchange/streams/parts_exchange.hpp"
#include "halo/boxes/box_fields.hpp"
#include "halo/sums/adding.hpp"
#include "halocline/base/error.hpp"
#include "halocline/compile/packer.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo {

/// The same on all processes, but for the own boxes and their fields.
struct BoxGround {
  const Boxes& boxes;
  const Stencil& directions;
  const BoxViews& fields;
  const std::vector<SharedShape>& shapes;
};

class BoxSums {
 public:
  /// Collective. What it is given need not outlive it, but for what the fields lie in.
  BoxSums(MPI_Comm comm, const BoxGround& ground, const exchange::PartsExchange::Manner& manner);
  BoxSums(const BoxSums&) = delete;
  BoxSums& operator=(const BoxSums&) = delete;
  /// Completes what was started.
  ~BoxSums();

  /// Throws Error{invalid_type}, the same on every rank, if a field has elements that cannot be combined like
  /// that. Local. @pre it is not under way
  void start(Accumulate how);
  /// Goes on; true, and all is combined, if nothing is under way (any more).
  [[nodiscard]] bool test();
  void wait();

 private:
  /// What comes for one piece.
  struct Arrival {
    std::vector<Addends> addends;
    compile::Part own;                      ///< The points it is for.
    Count from;                             ///< In bytes, from the beginning of what comes.
    std::optional<compile::Packer> packer;  ///< That puts it there; made when it is asked for.
  };
  void find_refusals(MPI_Comm comm, const BoxGround& ground);
  void combine();

  static constexpr std::size_t ways = 3;                  ///< Those that combine numbers: all but replace.
  std::array<std::optional<Error>, ways> refusals_ = {};  ///< The same on all processes.
  std::vector<std::byte> arrived_;
  std::vector<Arrival> arrivals_;  ///< In the order of the boxes whose halos they come from.
  std::unique_ptr<exchange::PartsExchange> exchange_;
  std::optional<Accumulate> how_;  ///< None if nothing is under way.
};

}  // namespace halocline::halo
