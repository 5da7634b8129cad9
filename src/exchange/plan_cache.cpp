#include "exchange/plan_cache.hpp"

#include "exchange/neighborhood_state.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

namespace halocline::exchange {
namespace {

bool same_blocks(const std::vector<Block>& a, const std::vector<Block>& b) {
  return std::ranges::equal(a, b, [](const Block& x, const Block& y) {
    return x.address == y.address && x.count == y.count && x.layout == y.layout;
  });
}

}  // namespace

PlanCache::Plans::iterator PlanCache::find(Operation operation, const Ends& ends, const Choice& wanted) {
  return std::ranges::find_if(plans_, [&](const Plan& plan) {
    return plan.operation == operation && !plan.exchange->active() &&
           plan.wanted.to_text() == wanted.to_text() && same_blocks(plan.ends.send, ends.send) &&
           same_blocks(plan.ends.receive, ends.receive);
  });
}

std::shared_ptr<Exchange> PlanCache::get(const Neighborhood& neighborhood, Operation operation,
                                         const ReadEnds& read) {
  constexpr Count nothing = -1;
  auto found = plans_.end();
  std::optional<Ends> ends;
  std::optional<Choice> choice;
  try {
    ends = read();
    choice = wanted({});
    found = find(operation, *ends, *choice);
  } catch (const std::exception&) {
    ends.reset();  // create() comes across it again, and all are told
    found = plans_.end();
  }
  const Count number = found == plans_.end() ? nothing : found->number;
  std::array<Count, 2> least{number, ~number};
  neighborhood.state()->context->find_least(least);
  if (number != nothing && least[0] == number && least[1] == ~number) {
    plans_.splice(plans_.begin(), plans_, found);
    return found->exchange;
  }
  auto made =
      std::make_shared<Exchange>(create(neighborhood, operation, [&] { return ends ? *ends : read(); }));
  if (ends) {
    plans_.push_front({operation, std::move(*ends), std::move(*choice), made, next_number_});
    if (plans_.size() > most_plans) plans_.pop_back();  // if under way it lives on in its request
  }
  ++next_number_;
  return made;
}

}  // namespace halocline::exchange
