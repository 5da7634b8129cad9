// What each thread asked for lately. MPI's own look-up takes longer than a small type takes to be packed.
#pragma once

#include "mpi/attribute_cache.hpp"
#include "mpi/compiled_type.hpp"

#include <array>
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
/// Of this thread; null before it has asked for the first time. The caller's file sees that nothing has to be
/// constructed. A pointer has room next door even where the library is opened late, and is read without a call.
extern constinit thread_local RecentTypeSet* recent_types __attribute__((tls_model("initial-exec")));

/// @pre recent_types is not null
[[nodiscard]] inline RecentTypeSet& recent_types_like(MPI_Datatype type) noexcept {
  return recent_types[std::hash<MPI_Datatype>()(type) * 0x9E3779B97F4A7C15U >> (64 - recent_index_bits)];
}

/// The compiled form of a datatype, if this thread asked for it lately; otherwise null. Takes some ten
/// instructions.
[[nodiscard]] inline const CompiledType* recently_compiled(MPI_Datatype type) noexcept {
  if (recent_types == nullptr) [[unlikely]]
    return nullptr;
  const std::uint64_t generation = TypeCache<CompiledType>::generation();
  for (const RecentType& each : recent_types_like(type))
    if (each.type == type && each.generation == generation) [[likely]] {
      if (each.compiled == nullptr) __builtin_unreachable();
      return each.compiled;
    }
  return nullptr;
}

}  // namespace halocline::mpi
