// An exchange of small blocks between any buffers, without an agreement for each call.
//
// Its blocks lie in memory of its own and are copied from and to the caller's buffers: which those are, and
// of which datatypes, is then nobody else's business. Only operation and sizes must be those it was made for,
// which is so on all processes or on none, because sizes must be alike on all. That they are is not taken for
// granted: each block carries one byte more, which says whether the call of its sender fits.
#pragma once

#include "exchange/create.hpp"
#include "mpi/compiled_type.hpp"

#include <cstddef>
#include <memory>
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

  /// What the neighbours of a process say.
  enum class Answer {
    done,      ///< Their calls fit as its own does: the data is where it belongs.
    another,   ///< Their calls do not fit, as its own does not. Nothing was changed.
    mistaken,  ///< Some fit and some do not, its own among them. Nothing was changed.
  };

  /// Does the call, or says to the neighbours that another exchange is needed if there are none. Every
  /// process of the neighbourhood has to do one or the other. @pre they fit
  [[nodiscard]] Answer run(const CallerBlocks* callers);

 private:
  [[nodiscard]] Ends ends();
  void put_out(const CallerBlocks& callers);
  void take_in(const CallerBlocks& callers);

  std::shared_ptr<Neighborhood::State> neighborhood_;
  Operation operation_;
  Counts sizes_;
  std::vector<std::size_t> starts_;  ///< Of the blocks, in the memory of either side.
  std::vector<std::byte> out_, in_;
  std::optional<Exchange> exchange_;
};

}  // namespace halocline::exchange
