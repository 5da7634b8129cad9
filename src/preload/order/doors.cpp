// SPDX-License-Identifier: BSD-3-Clause
// What LD_PRELOAD puts before all else: a door for each function of MPI that is given a communicator. All
// arguments of MPI are integers or pointers, which both processor architectures pass as machine words: a door
// passes them on as they came, but for a communicator that is MPI_COMM_WORLD. Fortran's have doors as well:
// Open MPI's Fortran library calls PMPI_ functions, MPICH's does so in mpi_f08 and for attributes.

#include "preload/order/doors.hpp"

#include "preload/order/ordered_world.hpp"
#include "preload/process/found_mpi.hpp"

#include <type_traits>

#include <dlfcn.h>

namespace halocline::ordered {
namespace {

using found_mpi::looked_up;

// Words are what they are, and macros have names and types.
// NOLINTBEGIN(bugprone-macro-parentheses, performance-no-int-to-ptr)

/// A word as far as it is a handle: what is beside a shorter one is noise.
template <class Handle>
using WordOf = std::conditional_t<std::is_pointer_v<Handle>, Word, Handle>;

inline bool is_launched_world(Word comm) {
  return static_cast<WordOf<MPI_Comm>>(comm) == static_cast<WordOf<MPI_Comm>>(places.launched);
}
inline bool is_launched_world_in_fortran(Word comm) {
  return *reinterpret_cast<const MPI_Fint*>(comm) == places.launched_in_fortran;
}

inline Word in_c(Word comm) { return is_launched_world(comm) ? places.taken : comm; }
inline Word in_fortran(Word comm) {
  return is_launched_world_in_fortran(comm) ? reinterpret_cast<Word>(&places.taken_in_fortran) : comm;
}

/// What MPI keeps with MPI_COMM_WORLD alone, Open MPI also with its copies: ordered ones have it as well.
bool is_of_world(int key) {
  switch (key) {
    case MPI_TAG_UB:
    case MPI_HOST:
    case MPI_IO:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE:
    case MPI_UNIVERSE_SIZE:
      return true;
    default:
      return false;
  }
}

/// `ask(comm)` is MPI's error code.
template <class Ask>
Word attribute(const Ask& ask, Word comm, Word launched, int key, Word flag) {
  const Word code = ask(comm);
  const bool is_missing = static_cast<int>(code) == MPI_SUCCESS && *reinterpret_cast<const int*>(flag) == 0;
  return is_missing && is_ordered() && is_of_world(key) ? ask(launched) : code;
}

}  // namespace
}  // namespace halocline::ordered

/// A door with the name of a function of MPI, which MPI's header declares otherwise.
#define HALOCLINE_NAMED(symbol, parameters)                                                 \
  extern "C" [[gnu::visibility("default")]] Word door_##symbol parameters __asm__(#symbol); \
  extern "C" Word door_##symbol parameters
/// Another name of a function of Fortran: compilers append underscores.
#define HALOCLINE_SAME_DOOR(symbol, other, parameters) \
  extern "C"                                           \
      [[gnu::visibility("default"), gnu::alias(#other)]] Word door_##symbol parameters __asm__(#symbol);

#define HALOCLINE_FORTRAN_NAMES(DOOR, name, parameters, ...) \
  DOOR(name##_, parameters, __VA_ARGS__)                     \
  DOOR(name##_f08_, parameters, __VA_ARGS__)                 \
  HALOCLINE_SAME_DOOR(name, name##_, parameters)             \
  HALOCLINE_SAME_DOOR(name##__, name##_, parameters)

#define HALOCLINE_PASSING_DOOR(symbol, parameters, words) \
  HALOCLINE_NAMED(symbol, parameters) { return looked_up<#symbol, Word parameters>() words; }

namespace halocline::ordered {

#define HALOCLINE_C_CALL HALOCLINE_PASSING_DOOR
#define HALOCLINE_FORTRAN_CALL(name, parameters, words) \
  HALOCLINE_FORTRAN_NAMES(HALOCLINE_PASSING_DOOR, name, parameters, words)
#include "world_calls.def"
#undef HALOCLINE_FORTRAN_CALL
#undef HALOCLINE_C_CALL

// Attributes

#define HALOCLINE_ATTRIBUTE_DOOR(symbol)                                               \
  HALOCLINE_NAMED(symbol, (Word comm, Word key, Word value, Word flag)) {              \
    const auto ask = [&](Word of) {                                                    \
      return looked_up<#symbol, Word(Word, Word, Word, Word)>()(of, key, value, flag); \
    };                                                                                 \
    return attribute(ask, in_c(comm), places.launched, static_cast<int>(key), flag);   \
  }
HALOCLINE_ATTRIBUTE_DOOR(MPI_Comm_get_attr)
HALOCLINE_ATTRIBUTE_DOOR(MPI_Attr_get)

#define HALOCLINE_FORTRAN_ATTRIBUTE_DOOR(symbol, parameters, ...)                                \
  HALOCLINE_NAMED(symbol, parameters) {                                                          \
    MPI_Fint own = MPI_SUCCESS; /* mpi_f08 may give none */                                      \
    MPI_Fint* const code = ierror != nullptr ? ierror : &own;                                    \
    const auto ask = [&](Word of) -> Word {                                                      \
      looked_up<#symbol, Word(Word, Word, Word, Word, MPI_Fint*)>()(of, key, value, flag, code); \
      return *code;                                                                              \
    };                                                                                           \
    return attribute(ask, in_fortran(comm), reinterpret_cast<Word>(&places.launched_in_fortran), \
                     *reinterpret_cast<const MPI_Fint*>(key), flag);                             \
  }
#define HALOCLINE_ATTRIBUTE (Word comm, Word key, Word value, Word flag, MPI_Fint * ierror)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_ATTRIBUTE_DOOR, mpi_comm_get_attr, HALOCLINE_ATTRIBUTE)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_ATTRIBUTE_DOOR, mpi_attr_get, HALOCLINE_ATTRIBUTE)

// Error handlers: what belongs to no communicator goes to that of MPI_COMM_WORLD.

#define HALOCLINE_HANDLER_DOOR(symbol)                                     \
  HALOCLINE_NAMED(symbol, (Word comm, Word handler)) {                     \
    const auto set = looked_up<#symbol, Word(Word, Word)>();               \
    if (is_ordered() && is_launched_world(comm)) (void)set(comm, handler); \
    return set(in_c(comm), handler);                                       \
  }
HALOCLINE_HANDLER_DOOR(MPI_Comm_set_errhandler)
HALOCLINE_HANDLER_DOOR(MPI_Errhandler_set)

#define HALOCLINE_FORTRAN_HANDLER_DOOR(symbol, parameters, ...)                               \
  HALOCLINE_NAMED(symbol, parameters) {                                                       \
    const auto set = looked_up<#symbol, Word(Word, Word, Word)>();                            \
    if (is_ordered() && is_launched_world_in_fortran(comm)) (void)set(comm, handler, ierror); \
    return set(in_fortran(comm), handler, ierror);                                            \
  }
#define HALOCLINE_HANDLER (Word comm, Word handler, Word ierror)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_HANDLER_DOOR, mpi_comm_set_errhandler, HALOCLINE_HANDLER)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_HANDLER_DOOR, mpi_errhandler_set, HALOCLINE_HANDLER)

// The beginning

/// Calls that `also()` comes behind, if they go well.
#define HALOCLINE_FOLLOWED_DOOR(symbol, parameters, words, also)   \
  HALOCLINE_NAMED(symbol, parameters) {                            \
    const Word code = looked_up<#symbol, Word parameters>() words; \
    if (static_cast<int>(code) == MPI_SUCCESS) also();             \
    return code;                                                   \
  }
#define HALOCLINE_FORTRAN_FOLLOWED_DOOR(symbol, parameters, words, also) \
  HALOCLINE_NAMED(symbol, parameters) {                                  \
    MPI_Fint own = MPI_SUCCESS;                                          \
    MPI_Fint* const code = ierror != nullptr ? ierror : &own;            \
    const Word result = looked_up<#symbol, Word parameters>() words;     \
    if (*code == MPI_SUCCESS) also();                                    \
    return result;                                                       \
  }
HALOCLINE_FOLLOWED_DOOR(MPI_Init, (Word argc, Word argv), (argc, argv), begin)
HALOCLINE_FOLLOWED_DOOR(MPI_Init_thread, (Word argc, Word argv, Word required, Word provided),
                        (argc, argv, required, provided), begin)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_FOLLOWED_DOOR, mpi_init, (MPI_Fint * ierror), (code), begin)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_FOLLOWED_DOOR, mpi_init_thread,
                        (Word required, Word provided, MPI_Fint* ierror), (required, provided, code), begin)
#if MPI_VERSION >= 4
HALOCLINE_FOLLOWED_DOOR(MPI_Session_init, (Word info, Word handler, Word session), (info, handler, session),
                        see_session)
HALOCLINE_FORTRAN_NAMES(HALOCLINE_FORTRAN_FOLLOWED_DOOR, mpi_session_init,
                        (Word info, Word handler, Word session, MPI_Fint* ierror),
                        (info, handler, session, code), see_session)
#endif

// NOLINTEND(bugprone-macro-parentheses, performance-no-int-to-ptr)

const char* function_found_elsewhere() {
  static const char* const names[] = {
#define HALOCLINE_FORTRAN_CALL(...)
#define HALOCLINE_C_CALL(symbol, ...) #symbol,
#include "world_calls.def"
#undef HALOCLINE_C_CALL
#undef HALOCLINE_FORTRAN_CALL
      "MPI_Init", "mpi_init_", "mpi_send_"};
  Dl_info here{};
  Dl_info found{};
  if (dladdr(static_cast<const void*>(names), &here) == 0) return nullptr;
  for (const char* const name : names)
    if (void* const function = dlsym(RTLD_DEFAULT, name))
      if (dladdr(function, &found) != 0 && found.dli_fbase != here.dli_fbase) return name;
  return nullptr;
}

}  // namespace halocline::ordered
