// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/calls/staged_exchange.hpp"

#include "base/numbers.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/planned.hpp"
#include "halocline/base/error.hpp"
#include "plan/transport/sizes.hpp"

namespace halocline::exchange {

std::optional<Counts> small_sizes(const CallerBlocks& callers) {
  const bool gathered = callers.send.size() != callers.receive.size();
  Counts sizes;
  Count sum = 0;
  for (std::size_t i = 0; i < callers.receive.size(); ++i) {
    const Count bytes = callers.receive[i].bytes();
    if (bytes != callers.send[gathered ? 0 : i].bytes() || bytes > plan::most_staged_bytes - sum)
      return std::nullopt;
    sizes.push_back(bytes);
    sum += bytes;
  }
  return sizes;
}

StagedExchange::StagedExchange(const Neighborhood& neighborhood, Operation operation, Counts sizes)
    : neighborhood_(state_of(neighborhood)), operation_(operation), sizes_(std::move(sizes)) {
  exchange_.emplace(create(neighborhood, operation, [this] { return ends(); }));
  fits_everywhere_.emplace(neighborhood_->context, may_share_memory(*exchange_));
}

Ends StagedExchange::ends() {
  std::size_t end = 0;
  starts_.clear();
  for (const Count bytes : sizes_) {
    starts_.push_back(end);
    end += to_size(bytes);
  }
  out_.resize(end);
  in_.resize(end);
  const Layout byte = Layout::named(Elementary::byte);
  Ends ends;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    ends.receive.push_back({in_.data() + starts_[i], byte, sizes_[i]});
    if (i == 0 || operation_ == Operation::alltoall)
      ends.send.push_back({out_.data() + starts_[i], byte, sizes_[i]});
  }
  // What plans and the user are told is what the program sends.
  ends.described = [this](const Machine& machine) {
    return blocks_problem(*neighborhood_, operation_, sizes_, machine);
  };
  return ends;
}

bool StagedExchange::is_for(Operation operation, const Counts& sizes) const {
  return operation == operation_ && sizes == sizes_;
}

bool StagedExchange::fits(Operation operation, const CallerBlocks& callers) const {
  if (operation != operation_) return false;
  for (std::size_t i = 0; i < callers.send.size(); ++i)
    if (callers.send[i].bytes() != sizes_[i]) return false;
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    if (callers.receive[i].bytes() != sizes_[i]) return false;
  return true;
}

void StagedExchange::put_out(const CallerBlocks& callers) {
  const bool gathered = operation_ == Operation::allgather;
  for (std::size_t i = 0; i < callers.send.size(); ++i)
    if (gathered || neighborhood_->neighbours.targets[i] >= 0)
      callers.send[i].type->pack(callers.send[i].base, callers.send[i].count, out_.data() + starts_[i]);
}

void StagedExchange::take_in(const CallerBlocks& callers) {
  for (std::size_t i = 0; i < callers.receive.size(); ++i)
    if (neighborhood_->neighbours.sources[i] >= 0)
      callers.receive[i].type->unpack(in_.data() + starts_[i], callers.receive[i].base,
                                      callers.receive[i].count);
}

bool StagedExchange::run(const CallerBlocks* callers) {
  fits_everywhere_->cast(callers != nullptr);
  if (callers != nullptr) put_out(*callers);
  exchange_->start();
  exchange_->wait();
  if (!fits_everywhere_->unanimous()) return false;
  take_in(*callers);
  return true;
}

}  // namespace halocline::exchange
