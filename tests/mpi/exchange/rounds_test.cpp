// Rounds of messages with little room: what is under way, and that everything arrives.

#include "exchange/flows/rounds.hpp"

#include "mpi/handles/comm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace halocline::exchange_rounds_tests {
namespace {

using exchange::RoundPlan;
using exchange::Rounds;

constexpr int messages = 4;
constexpr Count message_bytes = Count{1} << 20;  // so long that it waits for its receive

compile::Part part_of(char* bytes, Count count = message_bytes) {
  return {Layout::named(Elementary::byte), count, reinterpret_cast<Count>(bytes)};
}

/// Rank 0 sends, each message with a tag of its own; rank 1 receives; others look on.
class WindowOfFour : public ::testing::Test {
 protected:
  /// So many set out before one is received, and all arrive.
  void expect_set_out(Count window, int expected) {
    const int rank = mpi::rank(comm_.get());
    for (int tag = 0; tag < messages; ++tag) {
      RoundPlan& plan = plans_.emplace_back();
      plan.tag = tag;
      if (rank == 0) plan.to = 1, plan.sends = {part_of(memory(tag))};
      if (rank == 1) plan.from = 0, plan.receives = {part_of(memory(tag))};
      if (rank == 0) std::fill_n(memory(tag), message_bytes, static_cast<char>('a' + tag));
    }
    Rounds rounds(plans_, exchange::Wire::automatic, {}, comm_.get(), requests_, window);
    if (rank == 0) rounds.begin();
    int told = messages;
    if (rank == 0) MPI_Send(&told, 1, MPI_INT, 1, messages, comm_.get());
    if (rank == 1) {
      MPI_Recv(&told, 1, MPI_INT, 0, messages, comm_.get(), MPI_STATUS_IGNORE);
      for (int tag = 0; tag < messages; ++tag) {
        int there = 0;
        MPI_Iprobe(0, tag, comm_.get(), &there, MPI_STATUS_IGNORE);
        EXPECT_EQ(there != 0, tag < expected) << tag;
      }
      rounds.begin();
    }
    if (rank < 2)
      while (!rounds.advance()) requests_.poll();
    for (int tag = 0; tag < messages && rank == 1; ++tag)
      EXPECT_EQ(std::count(memory(tag), memory(tag) + message_bytes, 'a' + tag), message_bytes) << tag;
  }

  char* memory(int tag) { return memory_.data() + tag * message_bytes; }

  mpi::Comm comm_ = mpi::split(MPI_COMM_WORLD, 0, 0);
  std::vector<char> memory_ = std::vector<char>(messages * message_bytes);
  std::vector<RoundPlan> plans_;
  exchange::Requests requests_;
};

TEST_F(WindowOfFour, lets_messages_set_out_for_which_there_is_room) { expect_set_out(2 * message_bytes, 2); }

TEST_F(WindowOfFour, lets_one_message_set_out_however_long_it_is) { expect_set_out(0, 1); }

TEST_F(WindowOfFour, without_a_limit_lets_all_set_out_at_once) {
  expect_set_out(Rounds::unlimited, messages);
}

/// The second message has no room beside the first, nor beside the third, which sets out before it.
TEST(Window, gets_rid_of_messages_of_all_lengths) {
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, 0);
  const int rank = mpi::rank(comm.get());
  if (rank > 1) return;
  const std::vector<Count> lengths{600'000, 700'000, 200'000};
  std::vector<std::vector<char>> out, in;
  std::vector<RoundPlan> plans;
  for (const Count length : lengths) {
    out.emplace_back(length, static_cast<char>('a' + rank));
    in.emplace_back(length);
    RoundPlan& plan = plans.emplace_back();
    plan.tag = static_cast<int>(plans.size());
    plan.to = plan.from = 1 - rank;
    plan.sends = {part_of(out.back().data(), length)};
    plan.receives = {part_of(in.back().data(), length)};
  }
  exchange::Requests requests;
  Rounds rounds(plans, exchange::Wire::automatic, {}, comm.get(), requests, 800'000);
  rounds.begin();
  while (!rounds.advance()) requests.wait();
  for (const std::vector<char>& bytes : in)
    EXPECT_EQ(bytes, std::vector<char>(bytes.size(), static_cast<char>('b' - rank))) << bytes.size();
}

}  // namespace
}  // namespace halocline::exchange_rounds_tests
