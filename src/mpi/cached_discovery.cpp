#include "mpi/cached_discovery.hpp"

#include "mpi/call.hpp"

#include <utility>

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

/// The same for the life of the process, as MPI's own keys are.
int key() {
  static const int made = make_key();
  return made;
}

const Kept& keep(MPI_Comm comm, Discovery discovery) {
  auto kept = std::make_unique<Kept>(std::make_shared<const Discovery>(std::move(discovery)));
  HALOCLINE_MPI(Comm_set_attr, comm, key(), kept.get());
  return *kept.release();
}

}  // namespace

std::shared_ptr<const Discovery> cached_discovery(MPI_Comm comm) {
  Kept* kept = nullptr;
  int found = 0;
  HALOCLINE_MPI(Comm_get_attr, comm, key(), static_cast<void*>(&kept), &found);
  return found ? *kept : keep(comm, discover(comm));
}

void keep_discovery(MPI_Comm comm, Discovery discovery) { (void)keep(comm, std::move(discovery)); }

}  // namespace halocline::mpi
