#include "halocline/base/error.hpp"
#include "base/fail.hpp"

#include "expect_error.hpp"

namespace halocline {
namespace {

TEST(Error, require_builds_its_text_from_the_parts) {
  expect_error(
      Fault::invalid_argument, [] { require(false, "extent ", -3, " of ", 2.5); }, "extent -3 of 2.5");
  EXPECT_NO_THROW(require(true, "fine"));
}

TEST(Error, carries_fault_and_mpi_code) {
  const Error error(Fault::mpi, "MPI_Send failed", 15);
  EXPECT_EQ(error.fault(), Fault::mpi);
  EXPECT_EQ(error.mpi_code(), 15);
  EXPECT_EQ(Error(Fault::internal, "x").mpi_code(), 0);
}

}  // namespace
}  // namespace halocline
