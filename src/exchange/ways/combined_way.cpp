// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ways/combined_way.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/ways/direct_way.hpp"
#include "plan/options/option_names.hpp"

namespace halocline::exchange {
namespace {

/// Contiguous memory for each scratch slot.
std::vector<compile::Part> scratch_parts(const Blocks& blocks,
                                         std::span<const std::int32_t> neighbour_of_slot,
                                         std::unique_ptr<std::byte[]>& memory) {
  Count bytes = 0;
  for (const int neighbour : neighbour_of_slot) bytes += blocks.bytes_sent_to(neighbour);
  memory = std::make_unique_for_overwrite<std::byte[]>(to_size(bytes));
  std::vector<compile::Part> parts;
  Count place = to_count(memory.get());
  for (const int neighbour : neighbour_of_slot) {
    parts.push_back({Layout::named(Elementary::byte), blocks.bytes_sent_to(neighbour), place});
    place += blocks.bytes_sent_to(neighbour);
  }
  return parts;
}

int rank_or_nobody(Count cell) { return cell == LocalSchedule::nobody ? MPI_PROC_NULL : to_int(cell); }

/// What this process does. What stays on its node, or is its own, takes no part.
LocalSchedule local(const Site& site, const Schedule& schedule) {
  const NodeMap& nodes = site.context.nodes();
  const auto travels = [&](Count origin, Count target) {
    return site.choice.shared ? nodes[origin] != nodes[target] : origin != target;
  };
  return LocalSchedule(schedule, site.context.grid(), site.context.rank(), travels);
}

const Schedule& schedule_of(const Site& site) {
  return site.neighborhood.schedule(plan::name_of(site.choice.schedule), site.blocks.operation);
}

}  // namespace

CombinedRounds combined_rounds(const Blocks& blocks, const LocalSchedule& schedule, int first_tag) {
  CombinedRounds combined;
  const std::vector<compile::Part> scratch = scratch_parts(blocks, schedule.scratch(), combined.scratch);
  const auto memory = [&](const Slot& slot) -> const compile::Part& {
    switch (slot.buffer) {
      case Slot::Buffer::send:
        return blocks.sent_to(slot.index);
      case Slot::Buffer::receive:
        return blocks.received_from(slot.index);
      case Slot::Buffer::scratch:
        break;
    }
    return scratch[to_index(slot.index)];
  };
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const LocalSchedule::Round round = schedule.round(r);
    RoundPlan& plan = combined.plans.emplace_back();
    plan.tag = first_tag + round.number;
    plan.to = rank_or_nobody(round.to);
    plan.from = rank_or_nobody(round.from);
    for (const Slot& slot : round.sends) plan.sends.push_back(memory(slot));
    for (const Slot& slot : round.receives) plan.receives.push_back(memory(slot));
    for (const LocalSchedule::Copy& copy : round.copies)
      plan.copies.emplace_back(memory(copy.from), memory(copy.to));
    plan.after.assign(round.after.begin(), round.after.end());
  }
  return combined;
}

CombinedMessages::CombinedMessages(const Site& site)
    : Way(site),
      first_tag_(site.context.take_tags(to_int(schedule_of(site).rounds()))),
      schedule_(local(site, schedule_of(site))) {}

void CombinedMessages::add_senders(const Arenas& /*arenas*/, MachineryParts& parts) const {
  CombinedRounds combined = combined_rounds(blocks(), schedule_, first_tag_);
  parts.scratch = std::move(combined.scratch);
  add_rounds(site_, combined.plans, parts);
}

}  // namespace halocline::exchange
