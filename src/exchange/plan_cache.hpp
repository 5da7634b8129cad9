// The last exchanges of the one-call forms, which are often called again with the same arguments.
#pragma once

#include "exchange/choice.hpp"
#include "exchange/create.hpp"

#include <list>
#include <memory>

namespace halocline::exchange {

/// Keeps a few exchanges with all they have (requests, shared memory) until others take their places.
///
/// A process alone cannot know whether the others call with the arguments of the last time, so they agree on
/// that: exchanges have numbers, the same on all processes, and one reduction tells whether all found the
/// same one.
class PlanCache {
 public:
  /// An exchange that is not under way, new or used before. Throws as create(). Collective.
  [[nodiscard]] std::shared_ptr<Exchange> get(const Neighborhood& neighborhood, Operation operation,
                                              const ReadEnds& read);

 private:
  struct Plan {
    Operation operation;
    Ends ends;
    Choice wanted;
    std::shared_ptr<Exchange> exchange;
    Count number;
  };
  using Plans = std::list<Plan>;
  static constexpr std::size_t most_plans = 8;

  [[nodiscard]] Plans::iterator find(Operation operation, const Ends& ends, const Choice& wanted);

  Plans plans_;  ///< The last one used is the first.
  Count next_number_ = 0;
};

}  // namespace halocline::exchange
