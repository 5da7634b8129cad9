// SPDX-License-Identifier: BSD-3-Clause
// Owning MPI handles: freed once, never after MPI_Finalize, never copied.
#pragma once

#include "mpi/handles/call.hpp"

#include <utility>

namespace halocline::mpi {

/// Owns one handle. Traits tells how to name its null and how to free it, because MPI says neither that
/// handles are integers nor that they are pointers. Freeing a communicator is collective: let it go on all
/// ranks alike.
template <class Traits>
class Owned {
 public:
  using Handle = typename Traits::Handle;

  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Traits::null())) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ == Traits::null()) return;
    int finalized = 1;
    PMPI_Finalized(&finalized);
    if (!finalized) Traits::free(&handle_);
  }

  [[nodiscard]] Handle get() const { return handle_; }
  [[nodiscard]] explicit operator bool() const { return handle_ != Traits::null(); }

  /// Where a creating call writes. @pre the handle is null
  [[nodiscard]] Handle* put() { return &handle_; }
  /// Gives the handle away.
  [[nodiscard]] Handle release() { return std::exchange(handle_, Traits::null()); }

 private:
  Handle handle_ = Traits::null();
};

struct CommTraits {
  using Handle = MPI_Comm;
  static Handle null() { return MPI_COMM_NULL; }
  static int free(Handle* handle) { return PMPI_Comm_free(handle); }
};
struct GroupTraits {
  using Handle = MPI_Group;
  static Handle null() { return MPI_GROUP_NULL; }
  static int free(Handle* handle) { return PMPI_Group_free(handle); }
};
struct DatatypeTraits {
  using Handle = MPI_Datatype;
  static Handle null() { return MPI_DATATYPE_NULL; }
  static int free(Handle* handle) { return PMPI_Type_free(handle); }
};
struct InfoTraits {
  using Handle = MPI_Info;
  static Handle null() { return MPI_INFO_NULL; }
  static int free(Handle* handle) { return PMPI_Info_free(handle); }
};
/// MPI_Comm_get_errhandler hands out a reference that has to be given back.
struct ErrhandlerTraits {
  using Handle = MPI_Errhandler;
  static Handle null() { return MPI_ERRHANDLER_NULL; }
  static int free(Handle* handle) { return PMPI_Errhandler_free(handle); }
};

using Comm = Owned<CommTraits>;
using Group = Owned<GroupTraits>;
using Datatype = Owned<DatatypeTraits>;
using Info = Owned<InfoTraits>;
using Errhandler = Owned<ErrhandlerTraits>;

}  // namespace halocline::mpi
