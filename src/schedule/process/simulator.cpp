// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/process/simulator.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace halocline::schedule {
namespace {

/// What a slot holds: a block by its number, or one of these.
constexpr Count untouched = -1, nothing = -2;

struct RoundState {
  bool begun = false;
  std::size_t waiting = 0;      ///< Earlier rounds not yet complete.
  std::size_t blocks_left = 0;  ///< To arrive, and without packing to leave.
  std::vector<std::size_t> followers;
  Counts packed;
};

struct Process {
  LocalSchedule schedule;
  std::vector<RoundState> rounds;
  std::vector<std::int32_t> round_of_number;
  Counts receive, scratch;
  Counts expected;  ///< In each receive slot at the end: a block, or untouched.
  std::vector<int> arrivals;
};

/// Something that may happen next: a round begins, or a block of it arrives.
struct Event {
  std::size_t process, round;
  Count block = -1;  ///< The place of the block in the message; -1: the round begins.
};

class Simulator {
 public:
  Simulator(const Schedule& schedule, const Grid& grid, SimulatedWire wire, std::uint64_t seed,
            const Travels& travels)
      : schedule_(schedule), grid_(grid), wire_(wire), travels_(travels), random_(seed) {
    for (Count cell = 0; cell < grid.size(); ++cell) add_process(cell);
  }

  Simulation run() && {
    for (std::size_t p = 0; p < processes_.size(); ++p)
      for (std::size_t r = 0; r < processes_[p].rounds.size(); ++r)
        if (processes_[p].rounds[r].waiting == 0) events_.push_back({p, r});
    while (!events_.empty() && result_.fault.empty()) {
      std::swap(events_[random_() % events_.size()], events_.back());
      const Event event = events_.back();
      events_.pop_back();
      if (event.block < 0)
        begin(event.process, event.round);
      else
        arrive(event.process, event.round, to_index(event.block));
    }
    if (result_.fault.empty()) check_end();
    return std::move(result_);
  }

 private:
  template <class... Parts>
  void fault(const Parts&... parts) {
    if (result_.fault.empty()) result_.fault = concat(parts...);
  }

  void add_process(Count cell) {
    LocalSchedule local(schedule_, grid_, cell, travels_);
    const std::size_t rounds = local.rounds();
    Process process{std::move(local),
                    std::vector<RoundState>(rounds),
                    std::vector<std::int32_t>(schedule_.rounds(), -1),
                    Counts(schedule_.neighbours(), untouched),
                    {},
                    expected_at(cell),
                    std::vector<int>(schedule_.neighbours(), 0)};
    process.scratch.assign(process.schedule.scratch().size(), nothing);
    for (std::size_t r = 0; r < rounds; ++r) {
      const LocalSchedule::Round round = process.schedule.round(r);
      process.round_of_number[to_index(round.number)] = to_int(r);
      process.rounds[r].waiting = round.after.size();
      process.rounds[r].blocks_left = round.receives.size() + round.copies.size() +
                                      (wire_ == SimulatedWire::zero_copy ? round.sends.size() : 0);
      for (const std::int32_t earlier : round.after) process.rounds[to_index(earlier)].followers.push_back(r);
    }
    processes_.push_back(std::move(process));
  }

  [[nodiscard]] Count block_number(std::size_t origin, std::size_t neighbour) const {
    return schedule_.operation() == Operation::allgather
               ? to_count(origin)
               : to_count(origin * schedule_.neighbours() + neighbour);
  }

  Count read(std::size_t p, Slot slot) {
    const std::size_t index = to_index(slot.index);
    if (slot.buffer == Slot::Buffer::send) return block_number(p, index);
    const Count value =
        slot.buffer == Slot::Buffer::receive ? processes_[p].receive[index] : processes_[p].scratch[index];
    if (value < 0) fault("process ", p, " sends from slot ", text(slot), ", which holds nothing");
    return value;
  }

  void write(std::size_t p, Slot slot, Count value) {
    Process& process = processes_[p];
    const std::size_t index = to_index(slot.index);
    if (slot.buffer == Slot::Buffer::send) return fault("process ", p, " receives into the send buffer");
    if (value >= 0 && schedule_.operation() == Operation::alltoall &&
        value % to_count(schedule_.neighbours()) != process.schedule.block(slot))
      fault("process ", p, " receives block ", value, " into slot ", text(slot), " of another size");
    if (slot.buffer == Slot::Buffer::scratch) {
      process.scratch[index] = value;
      return;
    }
    process.receive[index] = value;
    if (value >= 0 && value == process.expected[index]) ++process.arrivals[index];
  }

  static std::string text(Slot slot) {
    static constexpr const char* names[] = {"send ", "receive ", "scratch "};
    return concat(names[to_index(slot.buffer)], slot.index);
  }

  void begin(std::size_t p, std::size_t r) {
    Process& process = processes_[p];
    RoundState& state = process.rounds[r];
    const LocalSchedule::Round round = process.schedule.round(r);
    state.begun = true;
    if (wire_ == SimulatedWire::packed)
      for (const Slot slot : round.sends) state.packed.push_back(read(p, slot));
    for (const Slot slot : round.receives) write(p, slot, nothing);
    for (const LocalSchedule::Copy& copy : round.copies) write(p, copy.to, nothing);
    for (std::size_t i = 0; i < round.copies.size(); ++i) events_.push_back({p, r, to_count(i)});
    if (round.to != LocalSchedule::nobody) {
      ++result_.messages;
      result_.blocks += count_of(round.sends);
      if (const auto other = partner(to_index(round.to), round.number); other && other->second->begun)
        deliver(p, round, to_index(round.to), other->first);
    }
    if (round.from != LocalSchedule::nobody)
      if (const auto other = partner(to_index(round.from), round.number); other && other->second->begun)
        deliver(to_index(round.from), processes_[to_index(round.from)].schedule.round(other->first), p, r);
    if (state.blocks_left == 0) complete(p, r);
  }

  using Partner = std::pair<std::size_t, const RoundState*>;
  std::optional<Partner> partner(std::size_t p, std::int32_t number) {
    const std::int32_t r = processes_[p].round_of_number[to_index(number)];
    if (r < 0) {
      fault("process ", p, " does not know of round ", number, ", in which it gets or owes a message");
      return std::nullopt;
    }
    return Partner{to_index(r), &processes_[p].rounds[to_index(r)]};
  }

  /// Both sides have begun: the blocks of the message may arrive.
  void deliver(std::size_t sender, const LocalSchedule::Round& sent, std::size_t receiver, std::size_t r) {
    const LocalSchedule::Round got = processes_[receiver].schedule.round(r);
    if (sent.to != to_count(receiver) || got.from != to_count(sender) ||
        sent.sends.size() != got.receives.size())
      return fault("process ", sender, " sends ", sent.sends.size(), " blocks to ", sent.to, " in round ",
                   sent.number, ", but process ", receiver, " receives ", got.receives.size(), " from ",
                   got.from);
    for (std::size_t i = 0; i < got.receives.size(); ++i) events_.push_back({receiver, r, to_count(i)});
  }

  void arrive(std::size_t p, std::size_t r, std::size_t block) {
    const LocalSchedule::Round round = processes_[p].schedule.round(r);
    if (!round.copies.empty()) {
      write(p, round.copies[block].to, read(p, round.copies[block].from));
      return finish_block(p, r);
    }
    const std::size_t sender = to_index(round.from);
    const auto sent = to_index(processes_[sender].round_of_number[to_index(round.number)]);
    const LocalSchedule& other = processes_[sender].schedule;
    if (schedule_.operation() == Operation::alltoall &&
        other.block(other.round(sent).sends[block]) != processes_[p].schedule.block(round.receives[block]))
      fault("process ", sender, " sends a block of another size than process ", p, " receives");
    write(p, round.receives[block],
          wire_ == SimulatedWire::packed ? processes_[sender].rounds[sent].packed[block]
                                         : read(sender, other.round(sent).sends[block]));
    finish_block(p, r);
    if (wire_ == SimulatedWire::zero_copy) finish_block(sender, sent);
  }

  void finish_block(std::size_t p, std::size_t r) {
    if (--processes_[p].rounds[r].blocks_left == 0) complete(p, r);
  }

  void complete(std::size_t p, std::size_t r) {
    ++complete_;
    for (const std::size_t follower : processes_[p].rounds[r].followers)
      if (--processes_[p].rounds[follower].waiting == 0) events_.push_back({p, follower});
  }

  /// The block that each receive slot is for; untouched where there is none or it does not travel.
  [[nodiscard]] Counts expected_at(Count cell) const {
    const Cell here = grid_.cell(cell);
    Offset back(grid_.dimensions());
    Counts expected;
    for (std::size_t neighbour = 0; neighbour < schedule_.neighbours(); ++neighbour) {
      for (std::size_t d = 0; d < back.size(); ++d) back[d] = -schedule_.offset(neighbour)[d];
      const std::optional<Cell> origin = grid_.neighbor(here, back);
      const bool arrives = origin && (!travels_ || travels_(grid_.index(*origin), cell));
      expected.push_back(arrives ? block_number(to_index(grid_.index(*origin)), neighbour) : untouched);
    }
    return expected;
  }

  [[nodiscard]] bool goes_around(std::size_t neighbour) const {
    for (std::size_t d = 0; d < grid_.dimensions(); ++d)
      if (grid_.periodic(d) && std::abs(schedule_.offset(neighbour)[d]) >= grid_.extents()[d]) return true;
    return false;
  }

  void check_end() {
    std::size_t rounds = 0;
    for (const Process& process : processes_) rounds += process.rounds.size();
    if (complete_ < rounds) return fault("stuck: ", rounds - complete_, " rounds cannot go on");
    for (std::size_t p = 0; p < processes_.size(); ++p)
      for (std::size_t i = 0; i < schedule_.neighbours(); ++i) {
        const Count expected = processes_[p].expected[i];
        const Count found = processes_[p].receive[i];
        if (found != expected)
          return fault("process ", p, " has ", found, " instead of ", expected, " in receive slot ", i);
        if (expected >= 0 && processes_[p].arrivals[i] != 1 && !goes_around(i))
          return fault("process ", p, " got the block of receive slot ", i, " ", processes_[p].arrivals[i],
                       " times");
      }
  }

  const Schedule& schedule_;
  const Grid& grid_;
  SimulatedWire wire_;
  const Travels& travels_;
  std::mt19937_64 random_;
  std::vector<Process> processes_;
  std::vector<Event> events_;
  std::size_t complete_ = 0;
  Simulation result_;
};

}  // namespace

Simulation simulate(const Schedule& schedule, const Grid& grid, SimulatedWire wire, std::uint64_t seed,
                    const Travels& travels) {
  return Simulator(schedule, grid, wire, seed, travels).run();
}

}  // namespace halocline::schedule
