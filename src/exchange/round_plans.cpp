#include "exchange/round_plans.hpp"

namespace halocline::exchange {
namespace {

/// Contiguous memory for each scratch slot.
std::vector<compile::Part> scratch_parts(const Blocks& blocks,
                                         std::span<const std::int32_t> neighbour_of_slot,
                                         std::unique_ptr<std::byte[]>& memory) {
  Count bytes = 0;
  for (const int neighbour : neighbour_of_slot) bytes += blocks.bytes_sent_to(neighbour);
  memory = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  std::vector<compile::Part> parts;
  auto place = static_cast<Count>(reinterpret_cast<std::intptr_t>(memory.get()));
  for (const int neighbour : neighbour_of_slot) {
    parts.push_back({Layout::named(Elementary::byte), blocks.bytes_sent_to(neighbour), place});
    place += blocks.bytes_sent_to(neighbour);
  }
  return parts;
}

int rank_or_nobody(Count cell) {
  return cell == LocalSchedule::nobody ? MPI_PROC_NULL : static_cast<int>(cell);
}

}  // namespace

std::vector<RoundPlan> direct_rounds(const Blocks& blocks, const std::vector<Peer>& peers, int tag) {
  std::vector<RoundPlan> plans;
  for (const Peer& peer : peers) {
    RoundPlan& plan = plans.emplace_back();
    plan.tag = tag;
    if (!peer.out.empty()) plan.to = static_cast<int>(peer.rank);
    if (!peer.in.empty()) plan.from = static_cast<int>(peer.rank);
    plan.sends = blocks.sent_to(peer.out);
    for (const int block : peer.in) plan.receives.push_back(blocks.received_from(block));
    if (!blocks.gathered() || peer.in.size() < 2) continue;
    RoundPlan copies;
    copies.after = {static_cast<int>(plans.size()) - 1};
    for (std::size_t i = 1; i < plan.receives.size(); ++i)
      copies.copies.emplace_back(plan.receives[0], plan.receives[i]);
    plan.receives.erase(plan.receives.begin() + 1, plan.receives.end());
    plans.push_back(std::move(copies));
  }
  return plans;
}

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
    return scratch[static_cast<std::size_t>(slot.index)];
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

}  // namespace halocline::exchange
