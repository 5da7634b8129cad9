// Blocking calls that follow each other without an agreement: whatever some processes change between them,
// and whatever some of them do wrong.

#include "api/neighbor_call.hpp"
#include "support/refusals.hpp"
#include "support/trials.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

namespace halocline::api_repeated_calls_tests {
namespace {

Around ring(int processes) { return {{processes}, {1}, {1, -1}}; }

/// All neighbours of a sheet, open in one direction: some processes have fewer.
Around sheet(int processes) {
  std::vector<int> dims(2, 0);
  MPI_Dims_create(processes, 2, dims.data());
  return {dims, {1, 0}, {0, 1, 0, -1, 1, 0, -1, 0, 1, 1, -1, -1, 1, -1, -1, 1}};
}

/// The 26 neighbours of a box, often the same process several times.
Around box(int processes) {
  std::vector<int> dims(3, 0), offsets;
  MPI_Dims_create(processes, 3, dims.data());
  for (int i = 0; i < 27; ++i)
    if (i != 13) offsets.insert(offsets.end(), {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1});
  return {dims, {1, 1, 1}, offsets};
}

/// One way only, to the next but one on an open line: some have nobody to hear from.
Around arrow(int processes) { return {{processes}, {0}, {2, 1}}; }

/// A call with what it has to receive, and a request if it is an immediate one.
struct Step {
  std::shared_ptr<NeighborCall> operation;
  std::vector<int> expected;
  bool immediate;
  HCL_Request request = HCL_REQUEST_NULL;
};

class RepeatedCalls : public Refusals {
 public:
  using Refusals::expect_refused;

 protected:
  [[nodiscard]] static int call(const Neighbors& neighbors, const void* from, int count, void* to) {
    return HCL_Neighbor_alltoall(from, count, MPI_INT, to, count, MPI_INT, neighbors.comm.get());
  }
};

/// Neighbourhoods, and calls on them that all processes make in the same order.
class Sequence {
 public:
  Sequence(std::uint64_t seed, int own_part)
      : common_(seed), own_(seed * 1000 + static_cast<std::uint64_t>(own_part)) {
    for (const Around& around :
         {ring(world_size()), sheet(world_size()), box(world_size()), arrow(world_size()), box(world_size())})
      grounds_.push_back({std::make_unique<Neighbors>(MPI_COMM_WORLD, around), {}, false, {}});
    mpi::Comm copy;  // of another one, with what that has
    MPI_Comm_dup(grounds_[2].neighbors->comm.get(), copy.put());
    grounds_.back().neighbors->comm = std::move(copy);
  }

  /// Several calls with nothing between them that keeps processes in step.
  void batch(int number) {
    std::vector<Step> steps;
    for (int i = 0; i < 10; ++i) steps.push_back(next_step(number * 10 + i));
    for (Step& step : steps) {
      if (random_int(own_, 0, 9) == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (random_int(common_, 0, 3) == 0) refused_call();
      if (!step.immediate) {
        ASSERT_EQ(step.operation->blocking(), MPI_SUCCESS);
      } else {
        ASSERT_EQ(step.operation->immediate(&step.request), MPI_SUCCESS);
      }
      if (random_int(own_, 0, 3) > 0) continue;
      for (Step& other : steps) ASSERT_EQ(HCL_Wait(&other.request), MPI_SUCCESS);  // when each likes
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ASSERT_EQ(HCL_Wait(&steps[i].request), MPI_SUCCESS);
      ASSERT_EQ(steps[i].operation->wrong(steps[i].expected), -1)
          << "batch " << number << " step " << i << " on "
          << steps[i].operation->neighbors().around.to_text();
    }
  }

 private:
  struct Ground {
    std::unique_ptr<Neighbors> neighbors;
    std::vector<int> units;
    bool gathered;
    std::vector<std::shared_ptr<NeighborCall>> known;  ///< This process's calls of these sizes.
  };

  /// New sizes or another operation, the same on all processes.
  void change(Ground& ground) {
    const auto number = static_cast<std::size_t>(ground.neighbors->around.neighbours());
    ground.gathered = random_int(common_, 0, 2) == 0;
    const int kind = random_int(common_, 0, 5);
    ground.units.assign(number, kind == 0   ? 0
                                : kind == 1 ? 400 + random_int(common_, 0, 1)
                                            : random_int(common_, 1, 3));
    if (!ground.gathered && kind > 3)
      for (int& each : ground.units) each = random_int(common_, 0, 5);
    ground.known.clear();
  }

  /// One process makes a mistake where the others make a call as before: all are told, and nothing changes.
  void refused_call() {
    Ground& ground = grounds_[static_cast<std::size_t>(random_int(common_, 0, 4))];
    const bool mine = random_int(common_, 0, world_size() - 1) == world_rank();
    // Blocks of three bytes are nobody else's: those of other processes have integers.
    const int mistake = random_int(common_, 0, world_size() > 1 && !ground.units.empty() ? 3 : 1);
    const char* const words[] = {"-1 elements", "MPI_IN_PLACE", "sizes of the blocks", "sizes of the blocks"};
    std::vector<char> sent(128), received(128, 'r');
    int code = MPI_SUCCESS;
    if (mine || ground.units.empty()) {
      const void* const from = mine && mistake == 1 ? MPI_IN_PLACE : sent.data();
      const int count = mine && mistake == 0 ? -1 : 3;
      code = (mistake == 3 ? HCL_Neighbor_allgather : HCL_Neighbor_alltoall)(
          from, count, MPI_CHAR, received.data(), count, MPI_CHAR, ground.neighbors->comm.get());
    } else {
      NeighborCall as_before(some_form(ground), *ground.neighbors, ground.units, own_);
      as_before.fill(0);
      code = as_before.blocking();
      const std::vector<int>& all = as_before.receive().buffer;
      EXPECT_EQ(std::ranges::count(all, NeighborCall::guard), std::ssize(all));
    }
    RepeatedCalls::expect_refused(code, MPI_ERR_ARG, words[mistake]);
    EXPECT_EQ(std::ranges::count(received, 'r'), std::ssize(received));
  }

  [[nodiscard]] Call some_form(const Ground& ground) {
    const bool even = std::equal(ground.units.begin() + 1, ground.units.end(), ground.units.begin());
    const int form = random_int(own_, even ? 0 : 1, 2);
    return every_call[(ground.gathered ? 3 : 0) + form];
  }

  Step next_step(int number) {
    Ground& ground = grounds_[static_cast<std::size_t>(random_int(common_, 0, 4))];
    if (ground.units.empty() || random_int(common_, 0, 4) == 0) change(ground);
    const bool immediate = random_int(common_, 0, 5) == 0;
    auto& known = ground.known;
    if (known.size() > 3) known.erase(known.begin() + random_int(own_, 0, 3));  // its types are freed, too
    std::shared_ptr<NeighborCall> operation;
    for (const auto& each : known)  // one that no other step of the batch has
      if (each.use_count() == 1 && random_int(own_, 0, 3) > 0) operation = each;
    if (!operation) {
      operation = std::make_shared<NeighborCall>(some_form(ground), *ground.neighbors, ground.units, own_);
      known.push_back(operation);
    }
    operation->fill(number);
    return {operation, operation->expected(), immediate};
  }

  Random common_, own_;
  std::vector<Ground> grounds_;
};

TEST_F(RepeatedCalls, of_processes_that_change_their_arguments_are_right) {
  std::vector<std::string> machines{"", "node:" + std::to_string(world_size()) + " core:1"};
  if (world_size() > 2) machines.push_back("node:2 core:" + std::to_string((world_size() + 1) / 2));
  Trials trials("repeated calls", 70, static_cast<int>(machines.size()), 0.5);
  while (trials.next()) {
    const std::string& machine = machines[trials.done() % machines.size()];
    std::optional<DescribedMachine> described;
    if (!machine.empty()) described.emplace(machine);
    std::ostringstream repeat;
    repeat << trials << machine;
    SCOPED_TRACE(repeat.str());
    Sequence sequence(trials.seed(), world_rank());
    for (int number = 0; number < 8 && !testing::Test::HasFatalFailure(); ++number) sequence.batch(number);
  }
}

/// The same bytes as other types, at other addresses, on some processes only; the last type is freed each
/// time, and its handle and memory are used again.
TEST_F(RepeatedCalls, see_through_handles_and_addresses_that_are_used_again) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  Random own(90 + static_cast<unsigned>(world_rank()));
  for (int turn = 0; turn < 60; ++turn) {
    const int stride = random_int(own, 1, 4);
    mpi::Datatype type;
    MPI_Type_vector(4, 1, stride, MPI_INT, type.put());
    MPI_Type_commit(type.put());
    // The second block begins where the extent of the first ends.
    const auto extent = static_cast<std::size_t>(3 * stride + 1);
    std::vector<int> sent(8), received(2 * extent, -1);
    for (std::size_t i = 0; i < 8; ++i) sent[i] = 1000 * turn + 10 * world_rank() + static_cast<int>(i);
    ASSERT_EQ(
        HCL_Neighbor_alltoall(sent.data(), 4, MPI_INT, received.data(), 1, type.get(), neighbors.comm.get()),
        MPI_SUCCESS);
    for (std::size_t block = 0; block < 2; ++block)
      for (std::size_t i = 0; i < 4; ++i)
        ASSERT_EQ(received[block * extent + i * static_cast<std::size_t>(stride)],
                  1000 * turn + 10 * neighbors.sources[block] + static_cast<int>(4 * block + i))
            << "turn " << turn << " block " << block;
  }
}

TEST_F(RepeatedCalls, of_a_neighbourhood_made_of_another_go_its_own_way) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  int sent[2] = {world_rank(), -world_rank()}, received[2] = {};
  ASSERT_EQ(call(neighbors, sent, 1, received), MPI_SUCCESS);
  const int turned[] = {-1, 1};
  mpi::Comm other;
  ASSERT_EQ(HCL_Neighborhood_create(neighbors.comm.get(), 2, turned, other.put()), MPI_SUCCESS);
  ASSERT_EQ(HCL_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, other.get()), MPI_SUCCESS);
  EXPECT_EQ(received[0], neighbors.sources[1]);
  EXPECT_EQ(received[1], -neighbors.sources[0]);
}

TEST_F(RepeatedCalls, of_which_one_process_refuses_some_are_refused_by_all_and_the_next_is_fine) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  int sent[4] = {1, 2, 3, 4}, received[4] = {};
  const bool wrong = last_rank();
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_EQ(call(neighbors, sent, 1, received), MPI_SUCCESS);
    expect_refused(call(neighbors, wrong ? MPI_IN_PLACE : sent, 1, received), MPI_ERR_ARG, "MPI_IN_PLACE");
    expect_refused(call(neighbors, sent, wrong ? -1 : 1, received), MPI_ERR_ARG, "-1");
    if (world_size() == 1) continue;
    expect_refused(call(neighbors, sent, wrong ? 2 : 1, received), MPI_ERR_ARG, "sizes of the blocks");
    const int gathered =
        wrong ? HCL_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, neighbors.comm.get())
              : call(neighbors, sent, 1, received);
    expect_refused(gathered, MPI_ERR_ARG, "sizes of the blocks");
    // Nothing was agreed on since: the exchange is still the same for all.
    sent[0] = 10 * turn + world_rank();
    for (const int count : {1, 2}) {
      ASSERT_EQ(call(neighbors, sent, count, received), MPI_SUCCESS);
      EXPECT_EQ(received[0], 10 * turn + neighbors.sources[0]);
    }
    expect_refused(call(neighbors, wrong ? MPI_IN_PLACE : sent, 1, received), MPI_ERR_ARG, "MPI_IN_PLACE");
  }
}

}  // namespace
}  // namespace halocline::api_repeated_calls_tests
