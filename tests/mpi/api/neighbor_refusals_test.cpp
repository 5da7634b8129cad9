// What the neighbourhood collectives refuse: with the same error class on every rank, through the error
// handler of the communicator, and never by waiting forever.

#include "api/neighbor_call.hpp"
#include "support/refusals.hpp"

#include <limits>

namespace halocline::api_neighbor_refusals_tests {
namespace {

int size_of(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return size;
}

class NeighborRefusals : public Refusals {
 protected:
  NeighborRefusals() {
    MPI_Comm_set_errhandler(neighbors_.cart.get(), counting_.get());
    MPI_Comm_set_errhandler(neighbors_.comm.get(), counting_.get());
  }

  int alltoall(int count, MPI_Datatype type, MPI_Info info = MPI_INFO_NULL) {
    return HCL_Neighbor_alltoall_init(sent_, count, type, received_, count, type, neighbors_.comm.get(), info,
                                      &request_);
  }

  /// What was refused has left nothing half done.
  void TearDown() override {
    EXPECT_EQ(request_, HCL_REQUEST_NULL);
    ASSERT_EQ(alltoall(1, MPI_INT), MPI_SUCCESS);
    for (int& value : sent_) value = world_rank();
    ASSERT_EQ(HCL_Start(&request_), MPI_SUCCESS);
    ASSERT_EQ(HCL_Wait(&request_), MPI_SUCCESS);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(received_[i], neighbors_.sources[i]);
    EXPECT_EQ(HCL_Request_free(&request_), MPI_SUCCESS);
    EXPECT_EQ(times_called, 0);
  }

  Neighbors neighbors_{MPI_COMM_WORLD, {{world_size()}, {1}, {1, -1}}};
  int sent_[16] = {}, received_[16] = {};
  int counts_[2] = {1, 1};
  MPI_Aint places_[2] = {0, 4};
  MPI_Datatype types_[2] = {MPI_INT, MPI_INT};
  HCL_Request request_ = HCL_REQUEST_NULL;
};

TEST_F(NeighborRefusals, null_requests) {
  HCL_Request none = HCL_REQUEST_NULL;
  int done = 0;
  expect_refused(HCL_Start(&none), MPI_ERR_REQUEST, "HCL_REQUEST_NULL");
  expect_refused(HCL_Request_free(&none), MPI_ERR_REQUEST, "HCL_REQUEST_NULL");
  EXPECT_EQ(HCL_Wait(&none), MPI_SUCCESS);
  EXPECT_EQ(HCL_Test(&none, &done), MPI_SUCCESS);
  EXPECT_EQ(done, 1);
  expect_refused(HCL_Start(nullptr), MPI_ERR_ARG, "request");
  expect_refused(HCL_Wait(nullptr), MPI_ERR_ARG, "request");
  expect_refused(HCL_Test(nullptr, &done), MPI_ERR_ARG, "request");
  expect_refused(HCL_Test(&none, nullptr), MPI_ERR_ARG, "flag");
  expect_refused(HCL_Request_free(nullptr), MPI_ERR_ARG, "request");
  expect_refused(HCL_Startall(1, nullptr), MPI_ERR_ARG, "request");
  expect_refused(HCL_Startall(-1, &none), MPI_ERR_ARG, "-1");
  expect_refused(HCL_Waitall(-2, &none), MPI_ERR_ARG, "-2");
}

TEST_F(NeighborRefusals, null_communicators) {
  MPI_Comm made = MPI_COMM_NULL;
  expect_refused(HCL_Neighborhood_create(MPI_COMM_NULL, 1, counts_, &made), MPI_ERR_COMM, "MPI_COMM_NULL");
  expect_refused(HCL_Neighbor_alltoall_init(sent_, 1, MPI_INT, received_, 1, MPI_INT, MPI_COMM_NULL,
                                            MPI_INFO_NULL, &request_),
                 MPI_ERR_COMM, "MPI_COMM_NULL");
}

TEST_F(NeighborRefusals, communicators_without_neighbourhood_or_grid) {
  MPI_Comm made = MPI_COMM_NULL;
  const int offset = 1;
  expect_refused(HCL_Neighborhood_create(MPI_COMM_WORLD, 1, &offset, &made), MPI_ERR_TOPOLOGY, "");
  EXPECT_EQ(made, MPI_COMM_NULL);
  for (MPI_Comm comm : {MPI_COMM_WORLD, neighbors_.cart.get()}) {
    expect_refused(
        HCL_Neighbor_alltoall_init(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, MPI_INFO_NULL, &request_),
        MPI_ERR_TOPOLOGY, "HCL_Neighborhood_create");
    expect_refused(HCL_Neighbor_allgather(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm), MPI_ERR_TOPOLOGY,
                   "HCL_Neighborhood_create");
    expect_refused(HCL_Ineighbor_alltoall(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, &request_),
                   MPI_ERR_TOPOLOGY, "HCL_Neighborhood_create");
  }
}

// What is wrong on the last rank alone is refused on all.

TEST_F(NeighborRefusals, null_pointers_on_one_rank) {
  MPI_Comm comm = neighbors_.comm.get();
  const bool bad = last_rank();
  HCL_Request* request = bad ? nullptr : &request_;
  expect_refused(
      HCL_Neighbor_alltoall_init(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, MPI_INFO_NULL, request),
      MPI_ERR_ARG, "request");
  expect_refused(HCL_Ineighbor_allgather(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, request),
                 MPI_ERR_ARG, "request");
  expect_refused(HCL_Neighbor_alltoallv(sent_, bad ? nullptr : counts_, places_, MPI_INT, received_, counts_,
                                        places_, MPI_INT, comm),
                 MPI_ERR_ARG, "counts");
  expect_refused(
      HCL_Neighbor_allgatherv(sent_, 1, MPI_INT, received_, counts_, bad ? nullptr : places_, MPI_INT, comm),
      MPI_ERR_ARG, "displacements");
  expect_refused(HCL_Neighbor_alltoallw(sent_, counts_, places_, types_, received_, counts_, places_,
                                        bad ? nullptr : types_, comm),
                 MPI_ERR_ARG, "types");
  MPI_Comm made = MPI_COMM_NULL;
  const int offset = 1;
  expect_refused(HCL_Neighborhood_create(neighbors_.cart.get(), 1, bad ? nullptr : &offset, &made),
                 MPI_ERR_ARG, "offsets");
  expect_refused(HCL_Neighborhood_create(neighbors_.cart.get(), 1, &offset, bad ? nullptr : &made),
                 MPI_ERR_ARG, "comm");
}

TEST_F(NeighborRefusals, negative_counts_on_one_rank) {
  MPI_Comm comm = neighbors_.comm.get();
  expect_refused(alltoall(last_rank() ? -7 : 1, MPI_INT), MPI_ERR_ARG, "-7");
  const int counts[2] = {1, last_rank() ? -3 : 1};
  expect_refused(
      HCL_Neighbor_alltoallv(sent_, counts, places_, MPI_INT, received_, counts_, places_, MPI_INT, comm),
      MPI_ERR_ARG, "-3");
  expect_refused(
      HCL_Neighbor_alltoallw(sent_, counts_, places_, types_, received_, counts, places_, types_, comm),
      MPI_ERR_ARG, "-3");
  MPI_Comm made = MPI_COMM_NULL;
  const int offset = 1;
  expect_refused(HCL_Neighborhood_create(neighbors_.cart.get(), last_rank() ? -1 : 1, &offset, &made),
                 MPI_ERR_ARG, "-1");
}

TEST_F(NeighborRefusals, datatypes_that_are_null_or_not_committed_on_one_rank) {
  expect_refused(alltoall(1, last_rank() ? MPI_DATATYPE_NULL : MPI_INT), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
  mpi::Datatype raw;
  MPI_Type_contiguous(1, MPI_INT, raw.put());
  expect_refused(alltoall(1, last_rank() ? raw.get() : MPI_INT), MPI_ERR_TYPE, "commit");
  const MPI_Datatype types[2] = {MPI_INT, last_rank() ? MPI_DATATYPE_NULL : MPI_INT};
  expect_refused(
      HCL_Neighbor_allgatherw(sent_, 1, MPI_INT, received_, counts_, places_, types, neighbors_.comm.get()),
      MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
}

TEST_F(NeighborRefusals, datatypes_that_no_memory_holds_on_one_rank) {
  constexpr MPI_Aint huge = std::numeric_limits<MPI_Aint>::max();
  const auto expect_type_refused = [&](const mpi::Datatype& type, int count) {
    MPI_Datatype handle = type.get();
    MPI_Type_commit(&handle);
    const int ints = count * (size_of(handle) / static_cast<int>(sizeof(int)));
    const MPI_Datatype mine = last_rank() ? handle : MPI_INT;
    const int counts[2] = {last_rank() ? count : ints, last_rank() ? count : ints}, others[2] = {ints, ints};
    const MPI_Aint places[2] = {0, last_rank() ? 1 : ints};
    MPI_Comm comm = neighbors_.comm.get();
    expect_refused(HCL_Neighbor_alltoall(sent_, counts[0], mine, received_, ints, MPI_INT, comm),
                   MPI_ERR_TYPE, "");
    expect_refused(HCL_Neighbor_alltoall(received_, ints, MPI_INT, sent_, counts[0], mine, comm),
                   MPI_ERR_TYPE, "");
    expect_refused(
        HCL_Neighbor_alltoallv(sent_, counts, places, mine, received_, others, places_, MPI_INT, comm),
        MPI_ERR_TYPE, "");
    const MPI_Datatype types[2] = {mine, mine};
    expect_refused(
        HCL_Neighbor_alltoallw(sent_, counts, places_, types, received_, others, places_, types_, comm),
        MPI_ERR_TYPE, "");
  };
  for (const MPI_Aint stride : {huge / 2, -(huge / 2), huge / 4, huge}) {
    mpi::Datatype strided, spread;
    MPI_Type_create_hvector(2, 1, stride, MPI_INT, strided.put());
    expect_type_refused(strided, 1);
    MPI_Type_create_resized(MPI_INT, 0, stride, spread.put());
    expect_type_refused(spread, 4);
  }
  const int lengths[2] = {1, 1};
  const MPI_Aint apart[2] = {0, huge / 4};
  mpi::Datatype indexed;
  MPI_Type_create_hindexed(2, lengths, apart, MPI_INT, indexed.put());
  expect_type_refused(indexed, 1);
}

/// Displacements that lead out of all addresses by themselves, or times the extent of a plain type.
TEST_F(NeighborRefusals, displacements_that_no_address_has_on_one_rank) {
  constexpr MPI_Aint huge = std::numeric_limits<MPI_Aint>::max();
  MPI_Comm comm = neighbors_.comm.get();
  const MPI_Aint far[2] = {0, last_rank() ? huge : 1};
  expect_refused(
      HCL_Neighbor_alltoallv(sent_, counts_, far, MPI_INT, received_, counts_, places_, MPI_INT, comm),
      MPI_ERR_TYPE, "64 bits");
  expect_refused(
      HCL_Neighbor_alltoallw(sent_, counts_, places_, types_, received_, counts_, far, types_, comm),
      MPI_ERR_TYPE, "64 bits");
  // Of blocks without data nobody asks where they are.
  const int none[2] = {1, 0};
  EXPECT_EQ(HCL_Neighbor_alltoallv(sent_, none, far, MPI_INT, received_, none, far, MPI_INT, comm),
            MPI_SUCCESS);
}

TEST_F(NeighborRefusals, words_that_mean_nothing_on_one_rank) {
  for (const char* key : {"halocline_schedule", "halocline_wire", "halocline_shared"}) {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), key, "gibberish");
    expect_refused(alltoall(1, MPI_INT, last_rank() ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG, "gibberish");
  }
}

TEST_F(NeighborRefusals, sizes_that_do_not_match) {
  MPI_Comm comm = neighbors_.comm.get();
  // Between what is sent and what is received, here.
  expect_refused(HCL_Neighbor_alltoall(sent_, 2, MPI_INT, received_, 1, MPI_INT, comm), MPI_ERR_ARG, "8");
  expect_refused(HCL_Neighbor_allgather(sent_, 1, MPI_INT, received_, 3, MPI_INT, comm), MPI_ERR_ARG, "12");
  const int uneven[2] = {1, 2};
  expect_refused(HCL_Neighbor_allgatherv(sent_, 1, MPI_INT, received_, uneven, places_, MPI_INT, comm),
                 MPI_ERR_ARG, "8");
  // Between the ranks.
  if (world_size() == 1) return;
  expect_refused(alltoall(last_rank() ? 2 : 1, MPI_INT), MPI_ERR_ARG, "differ");
  expect_refused(alltoall(1, last_rank() ? MPI_DOUBLE : MPI_INT), MPI_ERR_ARG, "differ");
}

TEST_F(NeighborRefusals, different_operations_on_ranks) {
  if (world_size() == 1) return;
  MPI_Comm comm = neighbors_.comm.get();
  const int code = last_rank() ? HCL_Neighbor_allgather(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm)
                               : HCL_Neighbor_alltoall(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm);
  expect_refused(code, MPI_ERR_ARG, "differ");
}

TEST_F(NeighborRefusals, different_ways_to_exchange_on_ranks) {
  if (world_size() == 1) return;
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_schedule", "torus");
  expect_refused(alltoall(1, MPI_INT, last_rank() ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG, "differ");
}

TEST_F(NeighborRefusals, different_neighbourhoods_on_ranks) {
  if (world_size() == 1) return;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm cart = neighbors_.cart.get();
  const int ours[3] = {1, -1, 2}, theirs[3] = {-1, 1, 2};
  expect_refused(HCL_Neighborhood_create(cart, 3, last_rank() ? theirs : ours, &made), MPI_ERR_ARG, "differ");
  expect_refused(HCL_Neighborhood_create(cart, last_rank() ? 2 : 3, ours, &made), MPI_ERR_ARG, "differ");
  EXPECT_EQ(made, MPI_COMM_NULL);
}

TEST_F(NeighborRefusals, different_errors_on_ranks_are_one_error_for_all) {
  // The lowest rank that has one decides.
  const bool first = world_rank() == 0;
  expect_refused(alltoall(first ? -7 : 1, first ? MPI_INT : MPI_DATATYPE_NULL), MPI_ERR_ARG, "-7");
}

TEST_F(NeighborRefusals, requests_that_are_under_way) {
  ASSERT_EQ(alltoall(1, MPI_INT), MPI_SUCCESS);
  if (world_size() > 1 && world_rank() == 0) {
    // The others have not started: it cannot be complete.
    ASSERT_EQ(HCL_Start(&request_), MPI_SUCCESS);
    const HCL_Request before = request_;
    expect_refused(HCL_Start(&request_), MPI_ERR_REQUEST, "not complete");
    expect_refused(HCL_Startall(1, &request_), MPI_ERR_REQUEST, "not complete");
    expect_refused(HCL_Request_free(&request_), MPI_ERR_REQUEST, "under way");
    EXPECT_EQ(request_, before);
    int done = 1;
    EXPECT_EQ(HCL_Test(&request_, &done), MPI_SUCCESS);
    EXPECT_EQ(done, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_size() == 1 || world_rank() != 0) {
    ASSERT_EQ(HCL_Start(&request_), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Wait(&request_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Request_free(&request_), MPI_SUCCESS);
}

TEST_F(NeighborRefusals, requests_whose_data_has_come_but_were_not_waited_for) {
  ASSERT_EQ(alltoall(1, MPI_INT), MPI_SUCCESS);
  ASSERT_EQ(HCL_Start(&request_), MPI_SUCCESS);
  expect_refused(HCL_Start(&request_), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Request_free(&request_), MPI_ERR_REQUEST, "under way");
  ASSERT_EQ(HCL_Wait(&request_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Request_free(&request_), MPI_SUCCESS);
}

TEST_F(NeighborRefusals, lists_of_requests_are_started_as_a_whole_or_not_at_all) {
  HCL_Request list[3] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(alltoall(1, MPI_INT), MPI_SUCCESS);
    list[i] = request_;
  }
  request_ = HCL_REQUEST_NULL;
  expect_refused(HCL_Startall(3, list), MPI_ERR_REQUEST, "HCL_REQUEST_NULL");
  list[2] = list[0];
  expect_refused(HCL_Startall(3, list), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Startall(1, nullptr), MPI_ERR_ARG, "requests");
  expect_refused(HCL_Waitall(1, nullptr), MPI_ERR_ARG, "requests");
  ASSERT_EQ(HCL_Start(&list[1]), MPI_SUCCESS);
  expect_refused(HCL_Startall(2, list), MPI_ERR_REQUEST, "not complete");
  ASSERT_EQ(HCL_Start(&list[0]), MPI_SUCCESS) << "it was not started by any of these";
  ASSERT_EQ(HCL_Waitall(2, list), MPI_SUCCESS);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(HCL_Request_free(&list[i]), MPI_SUCCESS);
}

TEST_F(NeighborRefusals, immediate_requests_are_not_started_again) {
  MPI_Comm comm = neighbors_.comm.get();
  ASSERT_EQ(HCL_Ineighbor_alltoall(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, &request_), MPI_SUCCESS);
  const int code = HCL_Start(&request_);
  EXPECT_EQ(class_of(code), MPI_ERR_REQUEST);
  EXPECT_EQ(times_called, 1);
  times_called = 0;
  EXPECT_EQ(HCL_Wait(&request_), MPI_SUCCESS);
}

TEST_F(NeighborRefusals, buffers_that_are_none) {
  MPI_Comm comm = neighbors_.comm.get();
  const bool bad = last_rank();
  int* const none = bad ? nullptr : sent_;
  void* const in_place = bad ? MPI_IN_PLACE : static_cast<void*>(sent_);
  const auto refuse_each = [&](void* buffer, const char* words) {
    const std::string send = std::string("sendbuf is ") + words, receive = std::string("recvbuf is ") + words;
    void* const other = received_;
    expect_refused(HCL_Neighbor_alltoall(buffer, 1, MPI_INT, other, 1, MPI_INT, comm), MPI_ERR_ARG, send);
    expect_refused(HCL_Neighbor_alltoall(other, 1, MPI_INT, buffer, 1, MPI_INT, comm), MPI_ERR_ARG, receive);
    expect_refused(
        HCL_Neighbor_alltoallv(buffer, counts_, places_, MPI_INT, other, counts_, places_, MPI_INT, comm),
        MPI_ERR_ARG, send);
    expect_refused(
        HCL_Neighbor_alltoallw(other, counts_, places_, types_, buffer, counts_, places_, types_, comm),
        MPI_ERR_ARG, receive);
    expect_refused(HCL_Neighbor_allgather(buffer, 1, MPI_INT, other, 1, MPI_INT, comm), MPI_ERR_ARG, send);
    expect_refused(HCL_Neighbor_allgatherv(other, 1, MPI_INT, buffer, counts_, places_, MPI_INT, comm),
                   MPI_ERR_ARG, receive);
    expect_refused(HCL_Neighbor_allgatherw(other, 1, MPI_INT, buffer, counts_, places_, types_, comm),
                   MPI_ERR_ARG, receive);
    expect_refused(
        HCL_Neighbor_alltoall_init(buffer, 1, MPI_INT, other, 1, MPI_INT, comm, MPI_INFO_NULL, &request_),
        MPI_ERR_ARG, send);
    expect_refused(HCL_Ineighbor_allgather(other, 1, MPI_INT, buffer, 1, MPI_INT, comm, &request_),
                   MPI_ERR_ARG, receive);
  };
  refuse_each(none, "a null pointer");
  refuse_each(in_place, "MPI_IN_PLACE");
  // Of no elements a buffer need not be; with addresses in the displacements it is MPI_BOTTOM.
  EXPECT_EQ(HCL_Neighbor_alltoall(none, 0, MPI_INT, nullptr, 0, MPI_INT, comm), MPI_SUCCESS);
  expect_refused(HCL_Neighbor_alltoall(in_place, 1, MPI_INT, received_, 1, MPI_INT, comm), MPI_ERR_ARG,
                 "MPI_IN_PLACE");
  MPI_Aint from[2], to[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Get_address(&sent_[i], &from[i]);
    MPI_Get_address(&received_[i], &to[i]);
    sent_[i] = world_rank();
  }
  ASSERT_EQ(HCL_Neighbor_alltoallw(MPI_BOTTOM, counts_, from, types_, MPI_BOTTOM, counts_, to, types_, comm),
            MPI_SUCCESS);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(received_[i], neighbors_.sources[i]);
}

TEST_F(NeighborRefusals, are_told_to_the_world_if_the_communicator_is_gone) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(neighbors_.comm.get(), &comm);
  ASSERT_EQ(
      HCL_Neighbor_alltoall_init(sent_, 1, MPI_INT, received_, 1, MPI_INT, comm, MPI_INFO_NULL, &request_),
      MPI_SUCCESS);
  MPI_Comm_free(&comm);
  ASSERT_EQ(HCL_Start(&request_), MPI_SUCCESS);
  expect_refused(HCL_Start(&request_), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Request_free(&request_), MPI_ERR_REQUEST, "under way");
  ASSERT_EQ(HCL_Wait(&request_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Request_free(&request_), MPI_SUCCESS);
}

TEST_F(NeighborRefusals, return_codes_are_enough) {
  MPI_Comm_set_errhandler(neighbors_.comm.get(), MPI_ERRORS_RETURN);
  const int code = alltoall(last_rank() ? -1 : 1, MPI_INT);
  EXPECT_EQ(class_of(code), MPI_ERR_ARG);
  for (const Count other : everyones(MPI_COMM_WORLD, class_of(code))) EXPECT_EQ(other, MPI_ERR_ARG);
  EXPECT_EQ(times_called, 0);
}

}  // namespace
}  // namespace halocline::api_neighbor_refusals_tests
