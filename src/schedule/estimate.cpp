#include "halocline/schedule/estimate.hpp"

#include "halocline/base/error.hpp"
#include "halocline/schedule/cost.hpp"

#include <cmath>

namespace halocline::schedule {

void check(const LinearCost& cost) {
  constexpr double most_seconds = 1e100;
  for (const double price : {cost.round_seconds, cost.byte_seconds, cost.latency_seconds})
    require(price >= 0 && price <= most_seconds, "the price of ", price,
            " seconds is not a number from 0 to ", most_seconds);
}

double estimate_seconds(const Schedule& schedule, std::span<const Count> block_bytes,
                        const LinearCost& cost) {
  check(cost);
  return cost.round_seconds * static_cast<double>(schedule::cost(schedule).rounds) +
         cost.byte_seconds * static_cast<double>(message_bytes(schedule, block_bytes));
}

Estimate cheapest(std::span<const Schedule> candidates, std::span<const Count> block_bytes,
                  const LinearCost& cost) {
  require(!candidates.empty(), "no schedule to choose from");
  Estimate best{0, estimate_seconds(candidates.front(), block_bytes, cost)};
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const double seconds = estimate_seconds(candidates[i], block_bytes, cost);
    if (seconds < best.seconds) best = {i, seconds};
  }
  return best;
}

}  // namespace halocline::schedule
