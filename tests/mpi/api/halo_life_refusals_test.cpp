// What the C interface of halos refuses because of when it is called: while a halo is under way, or after its
// communicator was freed. The same on every rank, whatever has come meanwhile.

#include "api/halo_refusals.hpp"

namespace halocline::api_halo_life_refusals_tests {
namespace {

class HaloLifeRefusals : public HaloRefusals {};

TEST_F(HaloLifeRefusals, halos_that_are_under_way) {
  ASSERT_EQ(halo_of(field_), MPI_SUCCESS);
  if (world_size() > 1 && world_rank() == 0) {
    // The others have not started: it cannot be complete.
    ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
    const HCL_Halo before = halo_;
    expect_refused(HCL_Halo_start(halo_), MPI_ERR_REQUEST, "not complete");
    expect_refused(HCL_Halo_exchange(halo_), MPI_ERR_REQUEST, "not complete");
    expect_refused(HCL_Halo_free(&halo_), MPI_ERR_REQUEST, "under way");
    EXPECT_EQ(halo_, before);
    int done = 1;
    EXPECT_EQ(HCL_Halo_test(halo_, &done), MPI_SUCCESS);
    EXPECT_EQ(done, 0);
  }
  if (world_size() > 1)
    expect_refused(HCL_Halo_verify(halo_), MPI_ERR_REQUEST, "under way");  // by rank 0, on all
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_size() == 1 || world_rank() != 0) {
    ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
}

TEST_F(HaloLifeRefusals, halos_whose_data_has_come_but_were_not_waited_for) {
  ASSERT_EQ(halo_of(field_), MPI_SUCCESS);
  HCL_Halo other = HCL_HALO_NULL;
  std::vector<int> values(400);
  const Sizes all{6, 9};
  HCL_Field field = HCL_FIELD_NULL;
  ASSERT_EQ(HCL_Field_attach(values.data(), 2, all.data(), nullptr, nullptr, MPI_ORDER_C, MPI_INT, &field),
            MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_create(cart_.get(), 1, &field, 0, nullptr, MPI_INFO_NULL, &other), MPI_SUCCESS);
  for (const bool arrived : {false, true}) {
    ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
    for (int i = 0; arrived && i < 5; ++i) ASSERT_EQ(HCL_Halo_exchange(other), MPI_SUCCESS);  // moves all
    if (arrived) MPI_Barrier(MPI_COMM_WORLD);
    const HCL_Halo before = halo_;
    for (int time = 0; time < 2; ++time) {
      expect_refused(HCL_Halo_start(halo_), MPI_ERR_REQUEST, "not complete");
      expect_refused(HCL_Halo_exchange(halo_), MPI_ERR_REQUEST, "not complete");
      expect_refused(HCL_Halo_free(&halo_), MPI_ERR_REQUEST, "under way");
      if (arrived) expect_refused(HCL_Halo_verify(halo_), MPI_ERR_REQUEST, "under way");
    }
    EXPECT_EQ(halo_, before);
    int done = arrived ? 0 : 1;
    while (done == 0) ASSERT_EQ(HCL_Halo_test(halo_, &done), MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_exchange(halo_), MPI_SUCCESS);
  }
  HCL_Statistics statistics;
  ASSERT_EQ(HCL_Halo_statistics(halo_, &statistics), MPI_SUCCESS);
  EXPECT_EQ(statistics.exchanges, 4);
  for (HCL_Halo* each : {&halo_, &other}) ASSERT_EQ(HCL_Halo_free(each), MPI_SUCCESS);
  ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST_F(HaloLifeRefusals, a_halo_whose_duplicate_or_original_was_freed) {
  // A duplicate is another communicator than the one it was made from, which has a halo, too.
  const auto on = [&](MPI_Comm comm) {
    HCL_Halo halo = HCL_HALO_NULL;
    EXPECT_EQ(HCL_Halo_create(comm, 1, &field_, 0, nullptr, MPI_INFO_NULL, &halo), MPI_SUCCESS);
    return halo;
  };
  for (const bool duplicate_first : {true, false})
    for (const bool halo_first : {true, false}) {
      MPI_Comm original = MPI_COMM_NULL, duplicate = MPI_COMM_NULL;
      MPI_Comm_dup(cart_.get(), &original);
      HCL_Halo of_original = on(original);
      MPI_Comm_dup(original, &duplicate);
      HCL_Halo of_duplicate = on(duplicate);
      HCL_Halo& lost = duplicate_first ? of_duplicate : of_original;
      HCL_Halo& kept = duplicate_first ? of_original : of_duplicate;
      if (halo_first) {
        ASSERT_EQ(HCL_Halo_free(&lost), MPI_SUCCESS);
      }
      MPI_Comm_free(duplicate_first ? &duplicate : &original);
      if (!halo_first) {
        expect_refused(HCL_Halo_start(lost), MPI_ERR_ARG, "freed");
        expect_refused(HCL_Halo_exchange(lost), MPI_ERR_ARG, "freed");
        expect_refused(HCL_Halo_verify(lost), MPI_ERR_ARG, "freed");
        ASSERT_EQ(HCL_Halo_wait(lost), MPI_SUCCESS);
        ASSERT_EQ(HCL_Halo_free(&lost), MPI_SUCCESS);
      }
      ASSERT_EQ(HCL_Halo_verify(kept), MPI_SUCCESS);
      MPI_Comm_free(duplicate_first ? &original : &duplicate);
      expect_refused(HCL_Halo_start(kept), MPI_ERR_ARG, "freed");
      ASSERT_EQ(HCL_Halo_free(&kept), MPI_SUCCESS);
    }
}

TEST_F(HaloLifeRefusals, a_halo_whose_communicator_was_freed) {
  ASSERT_EQ(HCL_Halo_create(short_lived_.get(), 1, &field_, 0, nullptr, MPI_INFO_NULL, &halo_), MPI_SUCCESS);
  { const mpi::Comm gone = std::move(short_lived_); }
  expect_refused(HCL_Halo_start(halo_), MPI_ERR_ARG, "freed");  // by the handler of the world
  expect_refused(HCL_Halo_verify(halo_), MPI_ERR_ARG, "freed");
  EXPECT_EQ(HCL_Halo_free(&halo_), MPI_SUCCESS);
}

}  // namespace
}  // namespace halocline::api_halo_life_refusals_tests
