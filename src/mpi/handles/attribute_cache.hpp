// SPDX-License-Identifier: BSD-3-Clause
// Values kept on communicators and datatypes: worked out once, inherited by duplicates, gone when the handle
// they belong to is freed.
#pragma once

#include "mpi/handles/call.hpp"
#include "mpi/handles/threads.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace halocline::mpi {

struct CommAttributes {
  using Handle = MPI_Comm;
  static void create_key(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* destroy,
                         int* key) {
    HALOCLINE_MPI(Comm_create_keyval, copy, destroy, key, nullptr);
  }
  static void get(Handle comm, int key, void* value, int* found) {
    HALOCLINE_MPI(Comm_get_attr, comm, key, value, found);
  }
  static void set(Handle comm, int key, void* value) { HALOCLINE_MPI(Comm_set_attr, comm, key, value); }
};
struct TypeAttributes {
  using Handle = MPI_Datatype;
  static void create_key(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* destroy,
                         int* key) {
    HALOCLINE_MPI(Type_create_keyval, copy, destroy, key, nullptr);
  }
  static void get(Handle type, int key, void* value, int* found) {
    HALOCLINE_MPI(Type_get_attr, type, key, value, found);
  }
  static void set(Handle type, int key, void* value) { HALOCLINE_MPI(Type_set_attr, type, key, value); }
};

/// What a duplicate of a handle has from the beginning.
/// Those that hold a communicator of the library must not be shared where threads may use two duplicates at
/// once.
enum class Duplicates { inherit, inherit_with_one_thread, have_none };

/// One immutable value of type T on each handle. What duplicates inherit must hold for them, too. All
/// functions are local.
template <class Attributes, class T, Duplicates duplicates = Duplicates::inherit>
class AttributeCache {
 public:
  using Handle = typename Attributes::Handle;

  /// What is kept on `handle`; null if nothing is.
  [[nodiscard]] static std::shared_ptr<const T> find(Handle handle) {
    const Kept* const kept = look_up(handle);
    return kept == nullptr ? nullptr : kept->value;
  }

  /// As find(), without a share in it, which saves most of the time: good as long as the handle keeps it.
  [[nodiscard]] static const T* peek(Handle handle) {
    const Kept* const kept = look_up(handle);
    return kept == nullptr ? nullptr : kept->value.get();
  }

  /// Changes whenever a handle loses what it kept. Until then what peek() said of a handle holds, and a
  /// handle is not given to something new.
  [[nodiscard]] static std::uint64_t generation() { return losses().load(std::memory_order_relaxed); }

  /// Keeps `value` instead of what was there.
  static void keep(Handle handle, std::shared_ptr<const T> value) {
    auto kept = std::make_unique<Kept>(std::move(value));
    Attributes::set(handle, key(), kept.get());
    (void)kept.release();  // MPI has it now
  }

 private:
  /// One thread may make it and another one read it. MPI puts the two calls in order, but by means of its
  /// own: the language has to be told.
  struct Kept {
    explicit Kept(std::shared_ptr<const T> its_value) : value(std::move(its_value)) {
      made.store(true, std::memory_order_release);
    }
    std::shared_ptr<const T> value;
    std::atomic<bool> made = false;
  };

  static const Kept* look_up(Handle handle) {
    Kept* kept = nullptr;
    int found = 0;
    Attributes::get(handle, key(), static_cast<void*>(&kept), &found);
    return found && kept->made.load(std::memory_order_acquire) ? kept : nullptr;
  }

  static int copy(Handle /*old*/, int /*key*/, void* /*extra*/, void* value, void* copy, int* flag) {
    *flag = 0;
    if constexpr (duplicates == Duplicates::have_none) return MPI_SUCCESS;
    if (duplicates == Duplicates::inherit_with_one_thread && several_threads()) return MPI_SUCCESS;
    Kept* const copied = new (std::nothrow) Kept(static_cast<const Kept*>(value)->value);
    *static_cast<void**>(copy) = copied;
    *flag = copied != nullptr ? 1 : 0;
    return MPI_SUCCESS;
  }

  static int destroy(Handle /*handle*/, int /*key*/, void* value, void* /*extra*/) {
    losses().fetch_add(1, std::memory_order_relaxed);
    delete static_cast<Kept*>(value);
    return MPI_SUCCESS;
  }

  static std::atomic<std::uint64_t>& losses() {
    static std::atomic<std::uint64_t> count = 1;
    return count;
  }

  static int make_key() {
    int made = MPI_KEYVAL_INVALID;
    Attributes::create_key(copy, destroy, &made);
    return made;
  }

  /// The same for the life of the process, as MPI's own keys are.
  static int key() {
    static const int made = make_key();
    return made;
  }
};

/// A duplicate has the same processes in the same order: what is known of them holds for it, too.
template <class T>
using CommCache = AttributeCache<CommAttributes, T>;

/// A duplicate has the same typemap.
template <class T>
using TypeCache = AttributeCache<TypeAttributes, T>;

}  // namespace halocline::mpi
