#include "mpi/handles/agree.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "mpi/handles/comm.hpp"

#include <string>

namespace halocline::mpi {
namespace {

TEST(Agree, every_rank_gets_its_own_result_when_all_succeed) {
  const int mine = rank(MPI_COMM_WORLD);
  EXPECT_EQ(agreed(MPI_COMM_WORLD, [&] { return mine * 2; }), mine * 2);
}

TEST(Agree, one_refusal_is_everybodys_and_the_lowest_rank_speaks) {
  const int last = size(MPI_COMM_WORLD) - 1;
  for (int first_failing = 0; first_failing <= last; ++first_failing) {
    const int mine = rank(MPI_COMM_WORLD);
    const auto work = [&]() -> int {
      if (mine >= first_failing) fail(Fault::invalid_topology, "refused by ", mine);
      return 0;
    };
    expect_error(
        Fault::invalid_topology, [&] { (void)agreed(MPI_COMM_WORLD, work); },
        "refused by " + std::to_string(first_failing));
  }
}

TEST(Agree, mpi_codes_survive) {
  try {
    agree(MPI_COMM_WORLD, Error(Fault::mpi, "MPI_Send failed", MPI_ERR_TAG));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.mpi_code(), MPI_ERR_TAG);
  }
}

TEST(Agree, different_results_are_refused_by_all) {
  const int mine = rank(MPI_COMM_WORLD);
  const auto agree_on = [](const std::string& text) {
    return agreed(
        MPI_COMM_WORLD, [&] { return text; }, fingerprint, "the grid");
  };
  EXPECT_EQ(agree_on("4x4"), "4x4");
  if (size(MPI_COMM_WORLD) > 1)
    expect_error(
        Fault::invalid_argument, [&] { (void)agree_on(mine == 0 ? "4x4" : "2x8"); },
        "the grid differs between the processes");
}

TEST(Check, names_the_call_and_gives_the_text_of_mpi) {
  Comm comm = split(MPI_COMM_WORLD, 0, 0);
  int value = 0;
  expect_error(
      Fault::mpi, [&] { HALOCLINE_MPI(Bcast, &value, 1, MPI_INT, -7, comm.get()); }, "MPI_Bcast failed",
      "root");
}

}  // namespace
}  // namespace halocline::mpi
