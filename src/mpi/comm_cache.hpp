// Values kept on communicators: worked out once, inherited by duplicates, gone when the communicator is
// freed.
#pragma once

#include "mpi/call.hpp"

#include <memory>

namespace halocline::mpi {

/// One immutable value of type T on each communicator. All functions are local.
template <class T>
class CommCache {
 public:
  /// What is kept on `comm`; null if nothing is.
  [[nodiscard]] static std::shared_ptr<const T> find(MPI_Comm comm) {
    Kept* kept = nullptr;
    int found = 0;
    HALOCLINE_MPI(Comm_get_attr, comm, key(), static_cast<void*>(&kept), &found);
    return found ? *kept : nullptr;
  }

  /// Keeps `value` instead of what was there.
  static void keep(MPI_Comm comm, std::shared_ptr<const T> value) {
    auto kept = std::make_unique<Kept>(std::move(value));
    HALOCLINE_MPI(Comm_set_attr, comm, key(), kept.get());
    (void)kept.release();  // MPI has it now
  }

 private:
  using Kept = std::shared_ptr<const T>;

  /// A duplicate has the same processes in the same order: what is known holds for it, too.
  static int copy(MPI_Comm /*old*/, int /*key*/, void* /*extra*/, void* value, void* copy, int* flag) {
    *static_cast<void**>(copy) = new Kept(*static_cast<const Kept*>(value));
    *flag = 1;
    return MPI_SUCCESS;
  }

  static int destroy(MPI_Comm /*comm*/, int /*key*/, void* value, void* /*extra*/) {
    delete static_cast<Kept*>(value);
    return MPI_SUCCESS;
  }

  static int make_key() {
    int made = MPI_KEYVAL_INVALID;
    HALOCLINE_MPI(Comm_create_keyval, copy, destroy, &made, nullptr);
    return made;
  }

  /// The same for the life of the process, as MPI's own keys are.
  static int key() {
    static const int made = make_key();
    return made;
  }
};

}  // namespace halocline::mpi
