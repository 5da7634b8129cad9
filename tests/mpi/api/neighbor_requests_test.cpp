// The life of requests: many at once, many starts, other communicators, any order of freeing.

#include "api/neighbor_call.hpp"

#include <algorithm>
#include <memory>

namespace halocline::api_neighbor_requests_tests {
namespace {

/// An operation with its persistent request.
class Persistent {
 public:
  Persistent(Call call, const Neighbors& neighbors, int scale, Random& common, Random& own)
      : operation_(call, neighbors, scale, common, own) {
    EXPECT_EQ(operation_.init(MPI_INFO_NULL, &request_), MPI_SUCCESS);
  }
  Persistent(const Persistent&) = delete;
  Persistent& operator=(const Persistent&) = delete;
  ~Persistent() { EXPECT_EQ(HCL_Request_free(&request_), MPI_SUCCESS); }

  /// New contents. Exchanges them by plain messages: in the same order on all ranks, with nothing under way.
  void fill(int number) {
    operation_.fill(number);
    expected_ = operation_.expected();
  }
  void start() { EXPECT_EQ(HCL_Start(&request_), MPI_SUCCESS); }
  void wait() { EXPECT_EQ(HCL_Wait(&request_), MPI_SUCCESS); }
  void expect_right(const std::string& what) {
    ASSERT_EQ(operation_.wrong(expected_), -1) << what << " on " << operation_.neighbors().around.to_text()
                                               << " operation " << static_cast<int>(operation_.call());
  }
  void run(int number, const std::string& what) {
    fill(number);
    start();
    wait();
    expect_right(what);
  }

 private:
  NeighborCall operation_;
  std::vector<int> expected_;
  HCL_Request request_ = HCL_REQUEST_NULL;
};
using Several = std::vector<std::unique_ptr<Persistent>>;

Around ring(int processes) { return {{processes}, {1}, {1, -1, 2, 0, 1}}; }

/// As square as it gets, periodic in one direction.
Around sheet(int processes) {
  std::vector<int> dims(2, 0);
  MPI_Dims_create(processes, 2, dims.data());
  return {dims, {1, 0}, {0, 1, 0, -1, 1, 0, -1, 0, 1, 1, -1, -1}};
}

std::vector<std::size_t> shuffled(std::size_t number, Random& random) {
  std::vector<std::size_t> order(number);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

class NeighborRequests : public testing::Test {
 protected:
  Random common_{21};
  Random own_{500 + static_cast<unsigned>(world_rank())};
};

TEST_F(NeighborRequests, each_has_its_own_buffers) {
  const Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size()));
  for (const Call call : every_call) {
    Persistent first(call, neighbors, 4, common_, own_), second(call, neighbors, 4, common_, own_);
    for (int start = 0; start < 3; ++start) {
      first.run(2 * start, "the first");
      second.run(2 * start + 1, "the second");
    }
  }
}

TEST_F(NeighborRequests, allgather_after_alltoall_and_back) {
  const Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size()));
  for (int turn = 0; turn < 2; ++turn)
    for (const Call call : {Call::alltoall, Call::allgather, Call::alltoallw, Call::allgatherv}) {
      Persistent one(call, neighbors, 5, common_, own_);
      one.run(turn, "turn " + std::to_string(turn));
    }
}

TEST_F(NeighborRequests, several_in_flight_are_waited_for_in_any_order) {
  const Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size())), around(MPI_COMM_WORLD, ring(world_size()));
  Several several;
  // The long ones need many chunks of a channel: nobody may keep the others waiting for them.
  for (const int scale : {2, 20000, 1, 30, 6000})
    several.push_back(std::make_unique<Persistent>(
        every_call[several.size()], several.size() % 2 == 0 ? neighbors : around, scale, common_, own_));
  for (int start = 0; start < 4; ++start) {
    for (auto& one : several) one->fill(start);
    for (const std::size_t i : shuffled(several.size(), own_)) several[i]->start();
    for (const std::size_t i : shuffled(several.size(), own_)) several[i]->wait();
    for (auto& one : several) one->expect_right("start " + std::to_string(start));
  }
}

TEST_F(NeighborRequests, startall_and_waitall) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  std::vector<std::unique_ptr<NeighborCall>> operations;
  std::vector<HCL_Request> requests;
  for (const Call call : every_call) {
    operations.push_back(std::make_unique<NeighborCall>(call, neighbors, 5, common_, own_));
    ASSERT_EQ(operations.back()->init(MPI_INFO_NULL, &requests.emplace_back()), MPI_SUCCESS);
  }
  for (int start = 0; start < 3; ++start) {
    for (auto& operation : operations) operation->fill(start);
    ASSERT_EQ(HCL_Startall(static_cast<int>(requests.size()), requests.data()), MPI_SUCCESS);
    ASSERT_EQ(HCL_Waitall(static_cast<int>(requests.size()), requests.data()), MPI_SUCCESS);
    for (auto& operation : operations) ASSERT_EQ(operation->wrong(operation->expected()), -1);
  }
  EXPECT_EQ(HCL_Startall(0, nullptr), MPI_SUCCESS);
  EXPECT_EQ(HCL_Waitall(0, nullptr), MPI_SUCCESS);
  for (HCL_Request& request : requests) EXPECT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
}

TEST_F(NeighborRequests, a_thousand_starts) {
  // Each process tells its neighbours the number of the start; nobody may be ahead or behind.
  const Neighbors neighbors(MPI_COMM_WORLD, {{world_size()}, {1}, {1, -1}});
  int sent[2] = {}, received[2] = {};
  HCL_Request request = HCL_REQUEST_NULL;
  ASSERT_EQ(HCL_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, neighbors.comm.get(),
                                       MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  for (int start = 0; start < 1000; ++start) {
    for (int i = 0; i < 2; ++i) sent[i] = 4 * (start * world_size() + world_rank()) + i;
    ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
    for (std::size_t i = 0; i < 2; ++i)
      ASSERT_EQ(received[i], 4 * (start * world_size() + neighbors.sources[i]) + static_cast<int>(i))
          << start;
  }
  EXPECT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
}

TEST_F(NeighborRequests, work_on_halves_of_the_world_at_once) {
  const int half = world_rank() % 2;
  mpi::Comm mine = mpi::split(MPI_COMM_WORLD, half, -world_rank());
  const int processes = mpi::size(mine.get());
  // Different neighbourhoods, sizes and numbers of starts in the two.
  const Neighbors neighbors(mine.get(), half == 0 ? ring(processes) : sheet(processes));
  const Neighbors all(MPI_COMM_WORLD, ring(world_size()));
  Random both(31), of_half(41 + static_cast<unsigned>(half));
  Persistent everywhere(Call::alltoallw, all, 40, both, own_);
  Persistent here(half == 0 ? Call::allgatherv : Call::alltoallv, neighbors, 7 + half, of_half, own_);
  for (int start = 0; start < 3; ++start) {
    everywhere.fill(start);
    here.fill(start);
    everywhere.start();
    for (int again = 0; again < 2 + half; ++again) {
      here.start();
      here.wait();
    }
    everywhere.wait();
    everywhere.expect_right("the world");
    here.expect_right("a half");
  }
}

TEST_F(NeighborRequests, a_duplicate_knows_the_neighbourhood_and_outlives_the_original) {
  Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size()));
  mpi::Comm copy;
  MPI_Comm_dup(neighbors.comm.get(), copy.put());
  neighbors.comm = mpi::Comm();
  NeighborCall operation(Call::alltoallv, neighbors, 4, common_, own_);
  HCL_Request request = HCL_REQUEST_NULL;
  ASSERT_EQ(operation.init(copy.get(), MPI_INFO_NULL, &request), MPI_SUCCESS);
  for (int start = 0; start < 3; ++start) {
    operation.fill(start);
    ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
    ASSERT_EQ(operation.wrong(operation.expected()), -1);
  }
  EXPECT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
}

TEST_F(NeighborRequests, two_neighbourhoods_of_one_grid_do_not_mix_up) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  const Around other{{world_size()}, {1}, {-1, 3}};
  const Neighbors others(MPI_COMM_WORLD, other);
  mpi::Comm twin;  // of the same Cartesian communicator
  ASSERT_EQ(HCL_Neighborhood_create(neighbors.cart.get(), 2, other.offsets.data(), twin.put()), MPI_SUCCESS);
  Persistent first(Call::alltoall, neighbors, 900, common_, own_);
  NeighborCall second(Call::alltoallv, others, 900, common_, own_);
  HCL_Request request = HCL_REQUEST_NULL;
  ASSERT_EQ(second.init(twin.get(), MPI_INFO_NULL, &request), MPI_SUCCESS);
  for (int start = 0; start < 3; ++start) {
    first.fill(start);
    second.fill(start);
    const std::vector<int> expected = second.expected();
    first.start();
    ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
    first.wait();
    first.expect_right("the first");
    ASSERT_EQ(second.wrong(expected), -1);
  }
  EXPECT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
}

TEST_F(NeighborRequests, are_freed_in_any_order_and_their_memory_is_used_again) {
  const Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size()));
  Several several(4);
  for (int round = 0; round < 20; ++round) {
    // What is left of the last round, and new ones in the places of those that were freed.
    for (auto& one : several)
      if (!one) {
        const Call call = every_call[random_int(common_, 0, 5)];
        const int scale = 1 << random_int(common_, 0, 10);
        one = std::make_unique<Persistent>(call, neighbors, scale, common_, own_);
      }
    std::vector<std::size_t> freed = shuffled(several.size(), common_);
    freed.pop_back();
    for (auto& one : several) one->fill(round);
    for (auto& one : several) one->start();
    std::shuffle(freed.begin(), freed.end(), own_);
    for (const std::size_t i : freed) {
      several[i]->wait();
      several[i]->expect_right("round " + std::to_string(round));
      several[i].reset();  // others may still be reading
    }
    for (auto& one : several)
      if (one) {
        one->wait();
        one->expect_right("round " + std::to_string(round));
      }
  }
}

TEST_F(NeighborRequests, immediate_ones_may_be_many_at_once) {
  const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
  std::vector<std::unique_ptr<NeighborCall>> operations;
  std::vector<std::vector<int>> expected;
  for (const Call call : every_call) {
    operations.push_back(std::make_unique<NeighborCall>(call, neighbors, 300, common_, own_));
    operations.back()->fill(static_cast<int>(call));
    expected.push_back(operations.back()->expected());
  }
  std::vector<HCL_Request> requests(operations.size(), HCL_REQUEST_NULL);
  for (std::size_t i = 0; i < operations.size(); ++i)
    ASSERT_EQ(operations[i]->immediate(&requests[i]), MPI_SUCCESS);
  for (const std::size_t i : shuffled(requests.size(), own_)) {
    ASSERT_EQ(HCL_Wait(&requests[i]), MPI_SUCCESS);
    ASSERT_EQ(operations[i]->wrong(expected[i]), -1) << i;
  }
}

TEST_F(NeighborRequests, one_call_forms_may_be_repeated) {
  const Neighbors neighbors(MPI_COMM_WORLD, sheet(world_size()));
  for (const Call call : every_call) {
    NeighborCall operation(call, neighbors, 50, common_, own_), other(call, neighbors, 50, common_, own_);
    for (int start = 0; start < 4; ++start)
      for (NeighborCall* each : {&operation, &other}) {
        each->fill(start);
        const std::vector<int> expected = each->expected();
        if (start % 2 == 0) {
          ASSERT_EQ(each->blocking(), MPI_SUCCESS);
        } else {
          HCL_Request request = HCL_REQUEST_NULL;
          ASSERT_EQ(each->immediate(&request), MPI_SUCCESS);
          ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
        }
        ASSERT_EQ(each->wrong(expected), -1) << static_cast<int>(call) << " start " << start;
      }
  }
}

TEST_F(NeighborRequests, a_type_that_was_freed_is_not_taken_for_the_next_one) {
  // Both MPIs give the handle of a freed type to the next one.
  const Neighbors neighbors(MPI_COMM_WORLD, {{world_size()}, {1}, {1}});
  std::vector<int> sent(16), received(16);
  const int left = neighbors.sources[0];
  for (int stride = 1; stride <= 4; ++stride) {
    mpi::Datatype type;
    MPI_Type_vector(4, 1, stride, MPI_INT, type.put());
    MPI_Type_commit(type.put());
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = 100 * world_rank() + static_cast<int>(i);
    received.assign(received.size(), -1);
    ASSERT_EQ(
        HCL_Neighbor_alltoall(sent.data(), 1, type.get(), received.data(), 4, MPI_INT, neighbors.comm.get()),
        MPI_SUCCESS);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(received[static_cast<std::size_t>(i)], 100 * left + i * stride) << stride;
  }
}

TEST_F(NeighborRequests, communicators_freed_after_them_leave_nothing_behind) {
  expect_no_lost_communicators(MPI_COMM_WORLD, [&] {
    const Neighbors neighbors(MPI_COMM_WORLD, ring(world_size()));
    Persistent first(Call::alltoall, neighbors, 2, common_, own_),
        second(Call::allgather, neighbors, 2, common_, own_);
    first.run(1, "the first");
    second.run(2, "the second");
  });
}

}  // namespace
}  // namespace halocline::api_neighbor_requests_tests
