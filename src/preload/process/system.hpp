// SPDX-License-Identifier: BSD-3-Clause
// The functions that the program would have called without us: the next in the chain of preloaded libraries,
// at its end the system's MPI. Our own calls inside use PMPI_ names instead, so that no tool sees them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

namespace halocline::preload {

using Lookup = void*(const char* name);

/// To be called once, first.
void set_system(Lookup* lookup);
/// Never null for a function that was called.
[[nodiscard]] void* system_function(const char* name);

/// MPI_ and PMPI_: every function of MPI has two names. Those that complete requests are intercepted by both:
/// Fortran libraries and tools call the second ones.
enum class Prefix { plain, profiling };

/// A name as a parameter of templates.
template <std::size_t length>
struct Name {
  std::array<char, length> text{};
  // A literal becomes one by itself. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Name(const char (&literal)[length]) { std::copy_n(literal, length, text.begin()); }
};

/// What was found for a function; null as long as nobody has asked. A call that has nothing to do but to pass
/// its arguments on begins with this: it is one load, and needs no place on the stack.
template <Prefix prefix, Name name, class Function>
inline std::atomic<Function> system_functions = nullptr;

template <Prefix prefix, Name name, class Function>
[[nodiscard]] Function looked_up() {
  std::atomic<Function>& known = system_functions<prefix, name, Function>;
  Function function = known.load(std::memory_order_relaxed);
  if (function == nullptr) [[unlikely]] {
    const std::string full_name = std::string(prefix == Prefix::plain ? "MPI_" : "PMPI_") + name.text.data();
    function = reinterpret_cast<Function>(system_function(full_name.c_str()));
    known.store(function, std::memory_order_relaxed);
  }
  return function;
}

}  // namespace halocline::preload

/// HALOCLINE_SYSTEM(Cart_create)(comm, ...): what MPI_Cart_create would have been.
#define HALOCLINE_SYSTEM(name) HALOCLINE_SYSTEM_BY(::halocline::preload::Prefix::plain, name)

/// The same for a call that came by `prefix`, a constant of type Prefix.
#define HALOCLINE_SYSTEM_BY(prefix, name) \
  (::halocline::preload::looked_up<prefix, #name, decltype(&MPI_##name)>())

/// Where it is kept: see system_functions.
#define HALOCLINE_KNOWN_SYSTEM(prefix, name) \
  (::halocline::preload::system_functions<prefix, #name, decltype(&MPI_##name)>)
