// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/calls/exchange_cache.hpp"

#include "exchange/neighborhood/neighborhood_state.hpp"

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

const ExchangeCache::Entry* ExchangeCache::agreed(const Neighborhood& neighborhood, Entries::iterator found) {
  constexpr Count nothing = -1;
  const Count number = found == entries_.end() ? nothing : found->number;
  std::array<Count, 2> least{number, ~number};
  state_of(neighborhood)->context->find_least(least);
  if (number == nothing || least[0] != number || least[1] != ~number) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return &entries_.front();
}

void ExchangeCache::keep(Entry entry) {
  entries_.push_front(std::move(entry));
  if (entries_.size() > most_entries) entries_.pop_back();  // if under way it lives on in its request
}

std::shared_ptr<Exchange> ExchangeCache::get(const Neighborhood& neighborhood, Operation operation,
                                             const ReadEnds& read) {
  auto found = entries_.end();
  std::optional<Ends> ends;
  std::optional<Choice> choice;
  try {
    ends = read();
    choice = wanted({});
    found = std::ranges::find_if(entries_, [&](const Entry& entry) {
      return entry.operation == operation && entry.exchange && !entry.exchange->active() &&
             entry.wanted.to_text() == choice->to_text() && same_blocks(entry.ends.send, ends->send) &&
             same_blocks(entry.ends.receive, ends->receive);
    });
  } catch (const std::exception&) {
    ends.reset();  // create() comes across it again, and all are told
    found = entries_.end();
  }
  if (const Entry* const entry = agreed(neighborhood, found)) return entry->exchange;
  auto made =
      std::make_shared<Exchange>(create(neighborhood, operation, [&] { return ends ? *ends : read(); }));
  if (ends) keep({operation, std::move(*ends), *choice, made, nullptr, next_number_});
  ++next_number_;
  return made;
}

std::shared_ptr<StagedExchange> ExchangeCache::staged(const Neighborhood& neighborhood, Operation operation,
                                                      Counts sizes) {
  auto found = entries_.end();
  std::optional<Choice> choice;
  try {
    choice = wanted({});
    found = std::ranges::find_if(entries_, [&](const Entry& entry) {
      return entry.staged && entry.staged->is_for(operation, sizes) &&
             entry.wanted.to_text() == choice->to_text();
    });
  } catch (const std::exception&) {  // create() comes across it again, and all are told
    found = entries_.end();
  }
  if (const Entry* const entry = agreed(neighborhood, found)) return entry->staged;
  auto made = std::make_shared<StagedExchange>(neighborhood, operation, std::move(sizes));
  if (choice) keep({operation, {}, *choice, nullptr, made, next_number_});
  ++next_number_;
  return made;
}

void ExchangeCache::call(const Neighborhood& neighborhood, Operation operation, const CallerBlocks* callers,
                         const ReadEnds& read) {
  if (current_) {
    const bool fits = callers != nullptr && current_->fits(operation, *callers);
    if (current_->run(fits ? callers : nullptr)) return;
  }
  if (auto sizes = callers != nullptr ? small_sizes(*callers) : std::nullopt) {
    current_ = staged(neighborhood, operation, std::move(*sizes));
    (void)current_->run(callers);  // all have agreed
    return;
  }
  const auto exchange = get(neighborhood, operation, read);
  current_.reset();  // as on all processes
  exchange->start();
  exchange->wait();
}

}  // namespace halocline::exchange
