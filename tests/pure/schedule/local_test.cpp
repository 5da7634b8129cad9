#include "schedule/process/local.hpp"

#include "expect_error.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace halocline::schedule {
namespace {

TEST(Local, a_corner_sends_only_inwards) {
  const Grid grid({3, 3});
  const Schedule torus = algorithm("torus").make(Stencil::moore(2, 1), Operation::alltoall);
  const LocalSchedule corner(torus, grid, 0);
  // Forwards along both dimensions to send, backwards to receive, and what passes through.
  ASSERT_EQ(corner.rounds(), 4u);
  std::map<std::int32_t, std::pair<std::size_t, std::size_t>> blocks;
  for (std::size_t r = 0; r < corner.rounds(); ++r) {
    const LocalSchedule::Round round = corner.round(r);
    EXPECT_EQ(round.to == LocalSchedule::nobody, round.sends.empty());
    EXPECT_EQ(round.from == LocalSchedule::nobody, round.receives.empty());
    EXPECT_TRUE(round.copies.empty());
    blocks[round.number] = {round.sends.size(), round.receives.size()};
  }
  // Round 0 is forwards along dimension 0: the blocks for (1,0) and (1,1); nobody above sends anything down.
  EXPECT_EQ(blocks[0], (std::pair<std::size_t, std::size_t>{2, 0}));
  EXPECT_EQ(blocks[1], (std::pair<std::size_t, std::size_t>{0, 2}));
  // Along dimension 1: its own (0,1) and the passing (-1,1) to the right, from there (0,-1) and (-1,-1).
  EXPECT_EQ(blocks[2], (std::pair<std::size_t, std::size_t>{2, 0}));
  EXPECT_EQ(blocks[3], (std::pair<std::size_t, std::size_t>{0, 2}));
}

TEST(Local, empty_messages_are_not_sent) {
  // Two hops forwards on a line of 3: the middle passes a block on, but the last has nothing to send.
  const Grid grid({3});
  const Schedule torus = algorithm("torus").make(Stencil::parse("2", 1), Operation::alltoall);
  const auto rounds = [&](Count cell) { return LocalSchedule(torus, grid, cell).rounds(); };
  EXPECT_EQ(rounds(0), 1u);
  EXPECT_EQ(rounds(1), 2u);
  EXPECT_EQ(rounds(2), 1u);
  const Simulation simulation = simulate(torus, grid, SimulatedWire::packed, 1);
  EXPECT_EQ(simulation.messages, 2);
  const Simulation nothing = simulate(torus, Grid({2}), SimulatedWire::packed, 1);
  EXPECT_EQ(nothing.messages, 0);
  EXPECT_EQ(nothing.fault, "");
}

TEST(Local, scratch_stands_in_for_receive_slots_without_a_block) {
  // Three hops: the first lands in a receive slot, which the second process of an open line must not touch.
  const Schedule torus = algorithm("torus").make(Stencil::parse("3", 1), Operation::alltoall);
  const LocalSchedule on_ring(torus, Grid({5}, periodic(1)), 1), on_line(torus, Grid({5}), 1);
  EXPECT_EQ(on_ring.scratch().size(), 1u);
  for (std::size_t r = 0; r < on_line.rounds(); ++r)
    for (const Slot slot : on_line.round(r).receives) {
      EXPECT_EQ(slot.buffer, Slot::Buffer::scratch);
      EXPECT_EQ(on_line.block(slot), 0);
    }
}

TEST(Local, only_what_travels_is_sent) {
  const Grid grid({4, 4}, periodic(1, 1));
  const Stencil stencil = Stencil::moore(2, 1);
  for (const Algorithm& algorithm : algorithms())
    for (const Operation operation : operations) {
      const Schedule schedule = on(algorithm, stencil, operation, grid);
      const auto none = [](Count, Count) { return false; };
      EXPECT_EQ(LocalSchedule(schedule, grid, 5, none).rounds(), 0u);
      const auto all = [](Count, Count) { return true; };
      EXPECT_EQ(simulate(schedule, grid, SimulatedWire::packed, 1, all).blocks,
                simulate(schedule, grid, SimulatedWire::packed, 1).blocks);
      // Pairs on the same node of four, a row, go another way.
      const auto apart = [](Count origin, Count target) { return origin / 4 != target / 4; };
      const Simulation between = simulate(schedule, grid, SimulatedWire::zero_copy, 1, apart);
      EXPECT_EQ(between.fault, "");
      const Count all_blocks = simulate(schedule, grid, SimulatedWire::packed, 1).blocks;
      EXPECT_LE(between.blocks, all_blocks);
      EXPECT_TRUE(operation == Operation::allgather || between.blocks < all_blocks);
      EXPECT_TRUE(algorithm.name != "direct" || between.blocks == 16 * 6);
    }
}

/// The blocks that all processes together must send: for each move the origins with a target that travel.
Count blocks_to_send(const Schedule& schedule, const Grid& grid, const Travels& travels) {
  Count blocks = 0;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    if (round.local()) continue;
    for (const Move& move : round.moves)
      for (Count origin = 0; origin < grid.size(); ++origin)
        blocks += std::ranges::any_of(schedule.served(move), [&](std::int32_t n) {
          const auto target = grid.neighbor(grid.cell(origin), schedule.offset(static_cast<std::size_t>(n)));
          return target && (!travels || travels(origin, grid.index(*target)));
        });
  }
  return blocks;
}

TEST(Local, forwards_exactly_what_has_an_origin_and_a_target) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    const Stencil stencil = random_neighbourhood(dimensions, 12, random);
    const Grid grid = random_grid(dimensions, random);
    for (const Algorithm& algorithm : algorithms())
      for (const Operation operation : operations) {
        const Schedule schedule = on(algorithm, stencil, operation, grid);
        for (const Travels& travels : {Travels{}, random_travels(seed)})
          EXPECT_EQ(simulate(schedule, grid, SimulatedWire::packed, seed, travels).blocks,
                    blocks_to_send(schedule, grid, travels))
              << Origin{algorithm, operation, stencil, "reduced"} << " on " << grid.to_text();
      }
  }
}

TEST(Local, serves_the_largest_grids_and_offsets) {
  constexpr Count most = std::numeric_limits<Count>::max();
  const Grid line({most});
  for (const Operation operation : operations)
    for (const char* name : {"direct", "torus-direct", "basis"}) {
      const Schedule far = algorithm(name).make(Stencil({{most - 1}, {1 - most}, {most}, {-1}}), operation);
      const LocalSchedule first(far, line, 0), last(far, line, most - 1);
      const auto partners = [](const LocalSchedule& local) {
        std::pair<Counts, Counts> found;
        for (std::size_t r = 0; r < local.rounds(); ++r) {
          if (local.round(r).to != LocalSchedule::nobody) found.first.push_back(local.round(r).to);
          if (local.round(r).from != LocalSchedule::nobody) found.second.push_back(local.round(r).from);
        }
        std::ranges::sort(found.first);
        std::ranges::sort(found.second);
        return found;
      };
      EXPECT_EQ(partners(first).first, Counts{most - 1}) << name;
      EXPECT_EQ(partners(first).second, (Counts{1, most - 1})) << name;
      EXPECT_EQ(partners(last).first, (Counts{0, most - 2})) << name;
    }
  const Grid torus({3037000499, 3037000499}, periodic(1, 1));
  const Schedule schedule = on(algorithm("torus"), Stencil::moore(2, 1), Operation::alltoall, torus);
  EXPECT_EQ(LocalSchedule(schedule, torus, torus.size() - 1, random_travels(1)).rounds() > 0, true);
}

TEST(Local, refuses_what_does_not_fit) {
  const Schedule schedule = algorithm("torus").make(Stencil::nearest(2), Operation::alltoall);
  expect_error(
      Fault::invalid_argument, [&] { LocalSchedule(schedule, Grid({4}), 0); }, "2 dimensions", "4");
  expect_error(
      Fault::invalid_argument,
      [&] {
        LocalSchedule(schedule, Grid({4, 4}), 16);
      },
      "16", "4x4", "15");
  expect_error(
      Fault::invalid_argument,
      [&] {
        LocalSchedule(schedule, Grid({4, 4}), -1);
      },
      "-1");
}

}  // namespace
}  // namespace halocline::schedule
