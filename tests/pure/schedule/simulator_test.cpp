// The simulator finds what is wrong with a schedule.
#include "schedule/process/simulator.hpp"

#include "schedule/algorithms.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

namespace halocline::schedule {
namespace {

std::string fault_of(ScheduleParts parts, SimulatedWire wire = SimulatedWire::zero_copy) {
  return simulate(Schedule(std::move(parts)), Grid({5, 5}, periodic(1, 1)), wire, 1).fault;
}

class BrokenSchedule : public ::testing::Test {
 protected:
  ScheduleParts parts = Schedule(algorithm("torus").make(Stencil::moore(2, 2), Operation::alltoall)).parts();
};

TEST_F(BrokenSchedule, is_right_before) { EXPECT_EQ(fault_of(parts), ""); }

TEST_F(BrokenSchedule, a_block_is_missing) {
  parts.moves.pop_back();
  --parts.first_moves.back();
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, a_block_lands_in_the_wrong_place) {
  parts.moves.front().to.index ^= 1;
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, a_block_is_taken_from_the_wrong_place) {
  parts.moves.back().from = {Slot::Buffer::receive, parts.moves.back().from.index};
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, a_block_goes_the_wrong_way) {
  std::swap(parts.peers[0], parts.peers[1]);
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, the_send_buffer_is_written) {
  parts.moves.front().to.buffer = Slot::Buffer::send;
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, a_block_comes_twice) {
  parts.moves.push_back(parts.moves.back());
  const auto last = static_cast<std::ptrdiff_t>(parts.dimensions);
  const Counts travelled(parts.travelled.end() - last, parts.travelled.end());
  parts.travelled.insert(parts.travelled.end(), travelled.begin(), travelled.end());
  ++parts.first_moves.back();
  EXPECT_NE(fault_of(parts), "");
}

TEST_F(BrokenSchedule, scratch_of_another_size) {
  std::swap(parts.scratch.front(), parts.scratch.back());
  EXPECT_NE(fault_of(parts), "");
}

/// In one round a slot is read and written: packing forgives that, the slots themselves do not.
TEST_F(BrokenSchedule, a_round_reads_what_it_writes) {
  parts = Schedule(algorithm("torus").make(Stencil::parse("2,0", 2), Operation::alltoall)).parts();
  ASSERT_EQ(parts.moves.size(), 2u);
  for (Slot* const slot : {&parts.moves[0].to, &parts.moves[1].from}) *slot = {Slot::Buffer::receive, 0};
  EXPECT_EQ(fault_of(parts, SimulatedWire::packed), "");
  EXPECT_NE(fault_of(parts, SimulatedWire::zero_copy), "");
}

TEST(Simulator, counts_messages_and_blocks) {
  const Schedule torus = algorithm("torus").make(Stencil::moore(2, 1), Operation::alltoall);
  const Simulation ring = simulate(torus, Grid({4, 4}, periodic(1, 1)), SimulatedWire::packed, 1);
  EXPECT_EQ(ring.messages, 16 * 4);
  EXPECT_EQ(ring.blocks, 16 * 12);
  const Simulation open = simulate(torus, Grid({2, 2}), SimulatedWire::packed, 1);
  EXPECT_EQ(open.messages, 4 * 2);
  EXPECT_EQ(open.blocks, 4 * 4);
}

}  // namespace
}  // namespace halocline::schedule
