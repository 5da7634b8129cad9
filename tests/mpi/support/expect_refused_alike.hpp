// What all processes must refuse, and by the same words.
#pragma once

#include "expect_error.hpp"
#include "mpi/handles/comm.hpp"

#include <string>

namespace halocline {

/// Refused on every rank, by the same words.
template <class Work>
void expect_refused_alike(Fault fault, const Work& work, const std::string& words) {
  std::string text;
  expect_error(
      fault,
      [&] {
        try {
          work();
        } catch (const Error& error) {
          text = error.what();
          throw;
        }
      },
      words);
  EXPECT_EQ(mpi::broadcast(MPI_COMM_WORLD, text), text);
}

}  // namespace halocline
