// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handles/comm.hpp"

#include "base/numbers.hpp"

namespace halocline::mpi {

int rank(MPI_Comm comm) {
  int rank = 0;
  HALOCLINE_MPI(Comm_rank, comm, &rank);
  return rank;
}

int size(MPI_Comm comm) {
  int size = 0;
  HALOCLINE_MPI(Comm_size, comm, &size);
  return size;
}

int largest_tag() {
  static const int largest = [] {
    void* value = nullptr;
    int found = 0;
    HALOCLINE_MPI(Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
    return found != 0 ? *static_cast<const int*>(value) : 32767;  // what the standard promises
  }();
  return largest;
}

Comm split(MPI_Comm comm, int colour, int key) {
  Comm part;
  HALOCLINE_MPI(Comm_split, comm, colour, key, part.put());
  if (part) HALOCLINE_MPI(Comm_set_errhandler, part.get(), MPI_ERRORS_RETURN);
  return part;
}

Comm split_shared(MPI_Comm comm) {
  Comm part;
  HALOCLINE_MPI(Comm_split_type, comm, MPI_COMM_TYPE_SHARED, rank(comm), MPI_INFO_NULL, part.put());
  HALOCLINE_MPI(Comm_set_errhandler, part.get(), MPI_ERRORS_RETURN);
  return part;
}

std::string broadcast(MPI_Comm comm, std::string text, int root) {
  auto length = to_int(text.size());
  HALOCLINE_MPI(Bcast, &length, 1, MPI_INT, root, comm);
  text.resize(to_size(length));
  if (length > 0) HALOCLINE_MPI(Bcast, text.data(), length, MPI_CHAR, root, comm);
  return text;
}

}  // namespace halocline::mpi
