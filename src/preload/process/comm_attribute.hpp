// SPDX-License-Identifier: BSD-3-Clause
// A value that belongs to one communicator alone: duplicates do not get it, and it goes when the communicator
// does.
#pragma once

#include "mpi/handles/call.hpp"

#include <memory>

namespace halocline::preload {

template <class T>
class CommAttribute {
 public:
  /// Null if there is none. Local.
  [[nodiscard]] static std::shared_ptr<T>* find(MPI_Comm comm) {
    void* kept = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&kept), &found) != MPI_SUCCESS || found == 0)
      return nullptr;
    return static_cast<std::shared_ptr<T>*>(kept);
  }

  /// @pre there is none. Local.
  static void keep(MPI_Comm comm, std::shared_ptr<T> value) {
    auto kept = std::make_unique<std::shared_ptr<T>>(std::move(value));
    HALOCLINE_MPI(Comm_set_attr, comm, key(), kept.get());
    (void)kept.release();  // MPI has it now
  }

 private:
  static int key() {
    static const int made = [] {
      int fresh = MPI_KEYVAL_INVALID;
      const auto destroy = [](MPI_Comm, int, void* value, void*) {
        auto* const kept = static_cast<std::shared_ptr<T>*>(value);
        if constexpr (requires { (*kept)->comm_goes(); }) (*kept)->comm_goes();  // others may have it, too
        delete kept;
        return MPI_SUCCESS;
      };
      HALOCLINE_MPI(Comm_create_keyval, MPI_COMM_NULL_COPY_FN, destroy, &fresh, nullptr);
      return fresh;
    }();
    return made;
  }
};

}  // namespace halocline::preload
