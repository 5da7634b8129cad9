// SPDX-License-Identifier: BSD-3-Clause
// An exchange of small blocks between any buffers, without an agreement for each call.
//
// Its blocks lie in memory of its own and are copied from and to the caller's buffers: which those are, and
// of which datatypes, is then nobody else's business. Only operation and sizes must be those it was made for,
// which is so on all processes or on none, because sizes must be alike on all. That they are is not taken for
// granted: while the blocks are on their way, all processes vote on it.
#pragma once

#include "exchange/calls/ballot.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/create.hpp"
#include "mpi/datatypes/compiled_type.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::exchange {

/// A block of a call, in the caller's memory.
struct CallerBlock {
  const mpi::CompiledType* type;
  std::byte* base;  ///< What is sent is only read.
  Count count;

  [[nodiscard]] Count bytes() const { return type->bytes(count); }
};

/// The blocks of a call; one alone to send for allgather.
struct CallerBlocks {
  std::vector<CallerBlock> send, receive;
};

/// The bytes of each block, if they are sent as they are received and few enough to be copied once more.
/// Nothing otherwise. Depends on what must be alike on all processes alone.
[[nodiscard]] std::optional<Counts> small_sizes(const CallerBlocks& callers);

class StagedExchange {
 public:
  /// For blocks of these sizes. Throws as create(). Collective.
  StagedExchange(const Neighborhood& neighborhood, Operation operation, Counts sizes);
  StagedExchange(const StagedExchange&) = delete;
  StagedExchange& operator=(const StagedExchange&) = delete;
  ~StagedExchange() = default;

  /// Is it for this operation on blocks of these sizes?
  [[nodiscard]] bool is_for(Operation operation, const Counts& sizes) const;
  /// Can it do this call?
  [[nodiscard]] bool fits(Operation operation, const CallerBlocks& callers) const;

  /// Does the call, if it is one that fits on all processes: true then, on all of them. Otherwise false on
  /// all, and nothing was changed. Null for a call that does not fit. Collective.
  [[nodiscard]] bool run(const CallerBlocks* callers);

 private:
  [[nodiscard]] Ends ends();
  void put_out(const CallerBlocks& callers);
  void take_in(const CallerBlocks& callers);

  std::shared_ptr<NeighborhoodState> neighborhood_;
  Operation operation_;
  Counts sizes_;
  std::vector<std::size_t> starts_;  ///< Of the blocks, in the memory of either side.
  std::vector<std::byte> out_, in_;
  std::optional<Exchange> exchange_;
  std::optional<Ballot> fits_everywhere_;
};

}  // namespace halocline::exchange
