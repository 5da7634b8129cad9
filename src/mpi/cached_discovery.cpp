#include "mpi/cached_discovery.hpp"

#include "mpi/call.hpp"

namespace halocline::mpi {
namespace {

using Kept = std::shared_ptr<const Discovery>;

/// A duplicate has the same processes in the same order: what was discovered holds for it, too.
int copy_kept(MPI_Comm /*old*/, int /*key*/, void* /*extra*/, void* value, void* copy, int* flag) {
  *static_cast<void**>(copy) = new Kept(*static_cast<const Kept*>(value));
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_kept(MPI_Comm /*comm*/, int /*key*/, void* value, void* /*extra*/) {
  delete static_cast<Kept*>(value);
  return MPI_SUCCESS;
}

int make_key() {
  int key = MPI_KEYVAL_INVALID;
  HALOCLINE_MPI(Comm_create_keyval, copy_kept, delete_kept, &key, nullptr);
  return key;
}

}  // namespace

std::shared_ptr<const Discovery> cached_discovery(MPI_Comm comm) {
  static const int key = make_key();  // the same for the life of the process, as MPI's own keys are
  Kept* kept = nullptr;
  int found = 0;
  HALOCLINE_MPI(Comm_get_attr, comm, key, static_cast<void*>(&kept), &found);
  if (found) return *kept;
  auto fresh = std::make_unique<Kept>(std::make_shared<const Discovery>(discover(comm)));
  HALOCLINE_MPI(Comm_set_attr, comm, key, fresh.get());
  return *fresh.release();
}

}  // namespace halocline::mpi
