// Neighbourhood collectives through the C interface do what plain messages do, byte for byte.

#include "api/neighbor_call.hpp"
#include "halocline/iso.h"

namespace halocline::api_neighbor_tests {
namespace {

/// Everything {-1, 0, 1}^d but the centre.
std::vector<int> moore(int dimensions) {
  std::vector<int> offsets;
  int cells = 1;
  for (int d = 0; d < dimensions; ++d) cells *= 3;
  for (int cell = 0; cell < cells; ++cell) {
    if (cell == cells / 2) continue;
    for (int d = 0, rest = cell; d < dimensions; ++d, rest /= 3) offsets.push_back(rest % 3 - 1);
  }
  return offsets;
}

/// Lopsided, with repetitions, the process itself, and steps around the grid.
std::vector<int> odd(int dimensions) {
  std::vector<int> offsets;
  for (const int step : {1, 0, 2, 1, -3, 4})
    for (int d = 0; d < dimensions; ++d) offsets.push_back(d % 2 == 0 ? step : (step + d) % 3);
  return offsets;
}

/// Grids of all processes with dimensions of 1, 2 and 3 among others; periodic, open, and both.
std::vector<Around> grids(int processes) {
  std::vector<std::vector<int>> shapes{{processes}, {1, processes}};
  if (processes % 2 == 0) shapes.push_back({2, processes / 2});
  if (processes % 3 == 0) shapes.push_back({processes / 3, 3});
  if (processes % 4 == 0) shapes.push_back({2, processes / 4, 2});
  if (processes % 6 == 0) shapes.push_back({3, 2, processes / 6});
  std::vector<Around> all;
  for (const std::vector<int>& dims : shapes)
    for (const int pattern : {7, 0, 2}) {
      std::vector<int> periods;
      for (std::size_t d = 0; d < dims.size(); ++d) periods.push_back(pattern >> d & 1);
      const int dimensions = static_cast<int>(dims.size());
      all.push_back({dims, periods, pattern == 2 || dimensions == 1 ? odd(dimensions) : moore(dimensions)});
    }
  return all;
}

/// Blocks of a long list that is sent several times over, since its extent is 0: every copy arrives.
TEST(Neighbor, copies_of_a_list_at_no_distance_all_arrive) {
  constexpr int blocks = 600, copies = 10;
  Random random(7);
  std::vector<int> places;
  for (int i = 0, at = 0; i < blocks; ++i, at += random_int(random, 2, 6)) places.push_back(at);
  mpi::Datatype list, flat;
  MPI_Type_create_indexed_block(blocks, 1, places.data(), MPI_INT, list.put());
  MPI_Type_create_resized(list.get(), 0, 0, flat.put());
  MPI_Type_commit(flat.put());
  std::vector<int> sent(static_cast<std::size_t>(places.back()) + 1);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = world_rank() * 1000000 + static_cast<int>(i);
  const Neighbors neighbors(MPI_COMM_WORLD, {{world_size()}, {1}, {1, -1}});
  for (const char* shared : {"on", "off"}) {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), "halocline_shared", shared);
    std::vector<int> received(std::size_t{2} * copies * blocks, -1), expected;
    HCL_Request request = HCL_REQUEST_NULL;
    ASSERT_EQ(HCL_Neighbor_alltoall_init(sent.data(), copies, flat.get(), received.data(), copies * blocks,
                                         MPI_INT, neighbors.comm.get(), info.get(), &request),
              MPI_SUCCESS);
    ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
    for (const int source : neighbors.sources)
      for (int copy = 0; copy < copies; ++copy)
        for (const int place : places) expected.push_back(source * 1000000 + place);
    EXPECT_EQ(first_difference(received, expected), -1) << shared;
    EXPECT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
  }
}

TEST(Neighbor, every_operation_in_every_form_is_what_plain_messages_do) {
  Random common(11), own(100 + static_cast<unsigned>(world_rank()));
  for (const Around& around : grids(world_size())) {
    const Neighbors neighbors(MPI_COMM_WORLD, around);
    for (const Call call : every_call) {
      NeighborCall operation(call, neighbors, 4, common, own);
      const std::string what = around.to_text() + " operation " + std::to_string(static_cast<int>(call));
      HCL_Request request = HCL_REQUEST_NULL;
      ASSERT_EQ(operation.init(MPI_INFO_NULL, &request), MPI_SUCCESS) << what;
      for (int start = 0; start < 3; ++start) {
        operation.fill(start);
        ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
        int done = start == 2;
        while (!done) ASSERT_EQ(HCL_Test(&request, &done), MPI_SUCCESS);
        ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
        ASSERT_EQ(operation.wrong(operation.expected()), -1) << what << " start " << start;
      }
      ASSERT_NE(request, HCL_REQUEST_NULL);
      ASSERT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
      ASSERT_EQ(request, HCL_REQUEST_NULL);

      operation.fill(3);
      ASSERT_EQ(operation.blocking(), MPI_SUCCESS) << what;
      ASSERT_EQ(operation.wrong(operation.expected()), -1) << what << " blocking";

      operation.fill(4);
      ASSERT_EQ(operation.immediate(&request), MPI_SUCCESS) << what;
      int done = 0;
      while (!done && static_cast<int>(call) % 2 == 0) ASSERT_EQ(HCL_Test(&request, &done), MPI_SUCCESS);
      ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
      ASSERT_EQ(request, HCL_REQUEST_NULL);  // it frees itself
      ASSERT_EQ(operation.wrong(operation.expected()), -1) << what << " immediate";
    }
  }
}

TEST(Neighbor, sparse_allgather_by_schedules_that_combine) {
  Random common(12), own(200 + static_cast<unsigned>(world_rank()));
  std::vector<int> dims(3, 0);
  MPI_Dims_create(world_size(), 3, dims.data());
  for (int trial = 0; trial < 16; ++trial) {
    Around around{dims, {1, 1, trial % 3 != 2}, {-1, -1, 1, -1, 0, 0}};
    if (trial > 2) {
      around.offsets.clear();
      for (int i = random_int(common, 1, 4) * 3; i > 0; --i)
        around.offsets.push_back(random_int(common, -2, 2));
    }
    const DescribedMachine alone("node:" + std::to_string(world_size()) +
                                 " core:1");  // every process travels far
    const Neighbors neighbors(MPI_COMM_WORLD, around);
    for (const char* schedule : {"torus", "torus-direct", "basis"}) {
      mpi::Info info;
      MPI_Info_create(info.put());
      MPI_Info_set(info.get(), "halocline_schedule", schedule);
      for (const Call call : {Call::allgather, Call::allgatherv, Call::allgatherw}) {
        NeighborCall operation(call, neighbors, 3, common, own);
        operation.fill(trial);
        HCL_Request request = HCL_REQUEST_NULL;
        ASSERT_EQ(operation.init(info.get(), &request), MPI_SUCCESS);
        ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
        ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
        ASSERT_EQ(operation.wrong(operation.expected()), -1) << around.to_text() << " by " << schedule;
        HCL_Request_free(&request);
      }
    }
  }
}

/// A grid where no two offsets of moore() lead to the same process; none for some numbers of processes.
std::vector<Around> roomy_grids(int processes) {
  std::vector<Around> all;
  if (processes >= 3) all.push_back({{processes}, {1}, moore(1)});
  for (int rows = 3; rows * 3 <= processes; ++rows)
    if (processes % rows == 0) all.push_back({{rows, processes / rows}, {1, 1}, moore(2)});
  return all;
}

TEST(Neighbor, agrees_with_the_collectives_of_mpi_where_no_edge_is_double) {
  Random common(13), own(300 + static_cast<unsigned>(world_rank()));
  for (const Around& around : roomy_grids(world_size())) {
    const Neighbors neighbors(MPI_COMM_WORLD, around);
    const int number = around.neighbours();
    mpi::Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, number, neighbors.sources.data(), MPI_UNWEIGHTED, number,
                                   neighbors.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, graph.put());
    for (const Call call : every_call) {
      if (call == Call::allgatherw) continue;
      for (const int scale : {3, 2000}) {
        NeighborCall operation(call, neighbors, scale, common, own);
        operation.fill(0);
        ASSERT_EQ(operation.blocking(), MPI_SUCCESS);
        ASSERT_EQ(operation.wrong(from_mpi(operation, graph.get())), -1)
            << around.to_text() << " operation " << static_cast<int>(call);
      }
    }
  }
}

TEST(Neighbor, the_names_of_the_paper) {
  Random common(14), own(400 + static_cast<unsigned>(world_rank()));
  const Around around{{world_size()}, {1}, {1, -1, 1, 0}};
  const Neighbors neighbors(MPI_COMM_WORLD, around);
  mpi::Comm iso;
  ASSERT_EQ(Iso_neighborhood_create(neighbors.cart.get(), 4, around.offsets.data(), iso.put()), MPI_SUCCESS);
  MPI_Comm comm = iso.get();
  for (const Call call : every_call) {
    NeighborCall operation(call, neighbors, 3, common, own);
    operation.fill(0);
    const CallSide &s = operation.send(), &r = operation.receive();
    const void* from = s.buffer.data();
    void* to = operation.receive().buffer.data();
    Iso_request request = ISO_REQUEST_NULL;
    int code = MPI_ERR_OTHER;
    switch (call) {
      case Call::alltoall:
        code = Iso_neighbor_alltoall_init(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                          &request);
        break;
      case Call::alltoallv:
        code = Iso_neighbor_alltoallv_init(from, s.counts.data(), s.elements.data(), s.types[0], to,
                                           r.counts.data(), r.elements.data(), r.types[0], comm, &request);
        break;
      case Call::alltoallw:
        code = Iso_neighbor_alltoallw_init(from, s.counts.data(), s.bytes.data(), s.types.data(), to,
                                           r.counts.data(), r.bytes.data(), r.types.data(), comm, &request);
        break;
      case Call::allgather:
        code = Iso_neighbor_allgather_init(from, s.counts[0], s.types[0], to, r.counts[0], r.types[0], comm,
                                           &request);
        break;
      case Call::allgatherv:
        code = Iso_neighbor_allgatherv_init(from, s.counts[0], s.types[0], to, r.counts.data(),
                                            r.elements.data(), r.types[0], comm, &request);
        break;
      case Call::allgatherw:
        code = Iso_neighbor_allgatherw_init(from, s.counts[0], s.types[0], to, r.counts.data(),
                                            r.bytes.data(), r.types.data(), comm, &request);
        break;
    }
    ASSERT_EQ(code, MPI_SUCCESS);
    ASSERT_EQ(Iso_start(&request), MPI_SUCCESS);
    int done = 0;
    ASSERT_EQ(Iso_test(&request, &done), MPI_SUCCESS);
    ASSERT_EQ(Iso_wait(&request), MPI_SUCCESS);
    ASSERT_EQ(Iso_test(&request, &done), MPI_SUCCESS);
    EXPECT_EQ(done, 1);
    ASSERT_EQ(operation.wrong(operation.expected()), -1) << "operation " << static_cast<int>(call);
    ASSERT_EQ(Iso_request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(request, ISO_REQUEST_NULL);
  }
}

}  // namespace
}  // namespace halocline::api_neighbor_tests
