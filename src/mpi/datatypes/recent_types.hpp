// SPDX-License-Identifier: BSD-3-Clause
// What each thread asked for lately. MPI's own look-up takes longer than a small type takes to be packed.
#pragma once

#include "base/hash.hpp"
#include "mpi/datatypes/compiled_type.hpp"
#include "mpi/handles/attribute_cache.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace halocline::mpi {

/// Its size is a power of two, which is faster to count by.
struct alignas(32) RecentType {
  std::uint64_t generation = 0;  ///< Of no cache: the first one is 1.
  MPI_Datatype type{};
  const CompiledType* compiled = nullptr;
};

/// A few places for the types of equal hash: a halo has a hundred types, which must not drive each other out.
using RecentTypeSet = std::array<RecentType, 4>;

constexpr int recent_index_bits = 7;
using RecentTypes = std::array<RecentTypeSet, 1 << recent_index_bits>;

// A pointer at a fixed distance from the thread's own: to find it takes two loads, where the table itself
// would take a call. So small a thing has such a place even in a library that is opened late, with glibc.
#if defined(__GLIBC__)
#define HALOCLINE_AT_FIXED_DISTANCE [[gnu::tls_model("initial-exec")]]
#else
#define HALOCLINE_AT_FIXED_DISTANCE
#endif
/// This thread's; an empty one that all threads share until it remembers the first type. The caller's file
/// sees that nothing has to be constructed, so that no call asks whether it was.
HALOCLINE_AT_FIXED_DISTANCE extern constinit thread_local const RecentTypes* recent_types;

/// Spreads what is hashed over that many bits.
[[nodiscard]] constexpr std::size_t recent_index(std::uint64_t hash) noexcept {
  return golden_place(hash, recent_index_bits);
}

/// Where a thread's table has types like this one.
[[nodiscard]] inline std::size_t recent_place(MPI_Datatype type) noexcept {
  return recent_index(std::hash<MPI_Datatype>()(type));
}

/// The compiled form of a datatype, if this thread asked for it lately; otherwise null. Takes some ten
/// instructions.
[[nodiscard]] inline const CompiledType* recently_compiled(MPI_Datatype type) noexcept {
  const std::uint64_t generation = TypeCache<CompiledType>::generation();
  for (const RecentType& each : (*recent_types)[recent_place(type)])
    if (each.type == type && each.generation == generation) [[likely]] {
      if (each.compiled == nullptr) __builtin_unreachable();
      return each.compiled;
    }
  return nullptr;
}

}  // namespace halocline::mpi
