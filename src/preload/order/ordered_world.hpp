// SPDX-License-Identifier: BSD-3-Clause
// The world with the numbers that an order gives: a communicator of all processes, and where it takes the
// place of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

namespace halocline::ordered {

/// What a call was given, as a machine word, and what the system gets.
using Word = long;

/// MPI_COMM_WORLD and the communicator that takes its place, as C and as Fortran have them. The same ones as
/// long as there is none: then calls pass as they came.
struct Places {
  Word launched = 0;
  Word taken = 0;
  MPI_Fint launched_in_fortran = 0;
  MPI_Fint taken_in_fortran = 0;
};
extern constinit Places places;

/// MPI was initialized: reads the order, makes the communicator, or says on rank 0 why not. Collective over
/// MPI_COMM_WORLD, once; later calls do nothing.
void begin();
/// The program uses sessions, whose groups know nothing of orders: from now on there is none, or if there is
/// one already, that is said.
void see_session();
/// Is there one?
[[nodiscard]] bool is_ordered();

}  // namespace halocline::ordered

/// For libraries behind this one: 1 and the communicator where there is one, else 0. As begin().
extern "C" [[gnu::visibility("default")]] int halocline_ordered_world(MPI_Comm* found);
