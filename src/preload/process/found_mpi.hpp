// SPDX-License-Identifier: BSD-3-Clause
// MPI, as the process has it, for libraries that link none: they are loaded into shells and launchers as
// well, and into programs of other MPIs. Functions and handles are looked up by name when they are needed.
#pragma once

#include <mpi.h>
#if defined(HALOCLINE_PERSISTENT_MPIX)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace halocline::found_mpi {

/// Has this process the MPI that this was built for? If it has another one, all calls pass by unread.
[[nodiscard]] bool has_own_mpi();

/// What the program would have called without us. Ends the program if there is none.
[[nodiscard]] void* function_of_name(const char* name);
/// Null if there is none.
[[nodiscard]] void* variable_of_name(const char* name);

/// A name as a parameter of templates.
template <std::size_t length>
struct Name {
  std::array<char, length> text{};
  // A literal becomes one by itself. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Name(const char (&literal)[length]) { std::copy_n(literal, length, text.begin()); }
};

template <Name name, class Function>
[[nodiscard]] Function* looked_up() {
  static constinit std::atomic<Function*> known = nullptr;
  Function* function = known.load(std::memory_order_relaxed);
  if (function == nullptr) [[unlikely]] {
    function = reinterpret_cast<Function*>(function_of_name(name.text.data()));
    known.store(function, std::memory_order_relaxed);
  }
  return function;
}

/// HALOCLINE_PMPI(Comm_rank)(comm, &rank): what we call ourselves, unseen by tools.
#define HALOCLINE_PMPI(name) (::halocline::found_mpi::looked_up<"PMPI_" #name, decltype(PMPI_##name)>())

// Handles that are variables of Open MPI, which the linker may have moved into the program.
#if defined(OPEN_MPI)
#define HALOCLINE_HANDLE(Type, name, variable, constant)                       \
  [[nodiscard]] inline Type name() {                                           \
    static const auto handle = static_cast<Type>(variable_of_name(#variable)); \
    return handle;                                                             \
  }
#else
#define HALOCLINE_HANDLE(Type, name, variable, constant) \
  [[nodiscard]] inline Type name() { return constant; }
#endif
/// MPI_COMM_WORLD, with the ranks that the launcher gave.
HALOCLINE_HANDLE(MPI_Comm, launched_world, ompi_mpi_comm_world, MPI_COMM_WORLD)
HALOCLINE_HANDLE(MPI_Comm, comm_self, ompi_mpi_comm_self, MPI_COMM_SELF)
HALOCLINE_HANDLE(MPI_Comm, no_comm, ompi_mpi_comm_null, MPI_COMM_NULL)
HALOCLINE_HANDLE(MPI_Datatype, byte_type, ompi_mpi_byte, MPI_BYTE)
HALOCLINE_HANDLE(MPI_Datatype, int_type, ompi_mpi_int, MPI_INT)
HALOCLINE_HANDLE(MPI_Op, max_op, ompi_mpi_op_max, MPI_MAX)
HALOCLINE_HANDLE(MPI_Op, no_op, ompi_mpi_op_no_op, MPI_NO_OP)
HALOCLINE_HANDLE(MPI_Info, no_info, ompi_mpi_info_null, MPI_INFO_NULL)
HALOCLINE_HANDLE(MPI_Errhandler, errors_return, ompi_mpi_errors_return, MPI_ERRORS_RETURN)
#undef HALOCLINE_HANDLE

/// Open MPI does not hand its environment on to other nodes unless it is told to. Ranks that have this
/// library must not wait for ranks that have not.
[[nodiscard]] bool is_everywhere();
/// Was this process started by another program, with MPI_Comm_spawn? True as well if MPI does not tell.
[[nodiscard]] bool is_spawned();

}  // namespace halocline::found_mpi
