// SPDX-License-Identifier: BSD-3-Clause
// The last exchanges of the one-call forms, which are often called again with the same arguments.
#pragma once

#include "exchange/calls/staged_exchange.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/planning/create.hpp"

#include <functional>
#include <list>
#include <memory>

namespace halocline::exchange {

/// Keeps a few exchanges with all they have (requests, shared memory) until others take their places.
///
/// A process alone cannot know whether the others call with the arguments of the last time, so they agree on
/// that: exchanges have numbers, the same on all processes, and one reduction tells whether all found the
/// same one.
///
/// Blocking calls of small blocks need it only when operation or sizes change. All processes know the same
/// staged exchange as the current one: it changes by agreement alone. Every blocking call begins with it, and
/// all vote on whether it fits. If it does on all processes, that was all. If one of them has other sizes,
/// or refuses its arguments, all agree as above; what is wrong then is found there, and said alike by all.
class ExchangeCache {
 public:
  /// An exchange that is not under way, new or used before. Throws as create(). Collective.
  [[nodiscard]] std::shared_ptr<Exchange> get(const Neighborhood& neighborhood, Operation operation,
                                              const ReadEnds& read);

  /// A whole call. `callers` are what `read` reads as well; null if that throws. Collective.
  void call(const Neighborhood& neighborhood, Operation operation, const CallerBlocks* callers,
            const ReadEnds& read);

  /// To read the next call into, so that it need not be allocated each time.
  [[nodiscard]] CallerBlocks& callers() { return callers_; }

 private:
  struct Entry {
    Operation operation;
    Ends ends;
    Choice wanted;
    std::shared_ptr<Exchange> exchange;
    std::shared_ptr<StagedExchange> staged;  ///< In place of it, and of its ends.
    Count number;
  };
  using Entries = std::list<Entry>;
  static constexpr std::size_t most_entries = 8;

  /// The entry that all processes have found, by its number among them, and which is the last one used from
  /// now on; none if they differ or have none. Collective.
  [[nodiscard]] const Entry* agreed(const Neighborhood& neighborhood, Entries::iterator found);
  void keep(Entry entry);
  [[nodiscard]] std::shared_ptr<StagedExchange> staged(const Neighborhood& neighborhood, Operation operation,
                                                       Counts sizes);

  Entries entries_;  ///< The last one used is the first.
  Count next_number_ = 0;
  std::shared_ptr<StagedExchange> current_;  ///< The same on all processes.
  CallerBlocks callers_;
};

}  // namespace halocline::exchange
