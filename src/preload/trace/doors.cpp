// SPDX-License-Identifier: BSD-3-Clause
// What LD_PRELOAD puts before the system's MPI. All arguments of MPI are integers or pointers, which both
// processor architectures pass as machine words: a door passes them on as they came, whichever MPI or Fortran
// interface they are for, and looks at them only where it knows what they mean.

#include "preload/process/persistent_names.hpp"
#include "preload/trace/deeds.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace halocline::recorder {
namespace {

using Word = long;

/// Inside a call of MPI others are not the program's: Fortran libraries call the functions of C.
thread_local bool is_inside = false;

class Inside {
 public:
  Inside() { is_inside = true; }
  ~Inside() { is_inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

/// `call` returns MPI's error code; `look` says what the call does, if it goes well.
template <Activity activity, class Call, class Look>
[[gnu::always_inline]] inline void traced(const Call& call, const Look& look) {
  Recorder* const recorder = is_inside ? nullptr : recording();
  if (recorder == nullptr) [[unlikely]] {
    call();
    return;
  }
  const Inside inside;
  try {
    const Reader reader(*recorder);
    if constexpr (std::is_same_v<decltype(look(reader)), Freed>) recorder->forget(look(reader));
    const Ticks begun = ticks_now();
    const bool went_well = call() == MPI_SUCCESS;
    const Ticks ended = ticks_now();
    if (!went_well) return;
    if constexpr (std::is_same_v<decltype(look(reader)), Freed>)
      recorder->add(activity, ended - begun, Nothing());
    else
      recorder->add(activity, ended - begun, look(reader));
  } catch (const std::bad_alloc& error) {  // not of the call: MPI throws nothing of the kind
    give_up(error.what());
  }
}

/// The arguments of a function of MPI, by how many come after them.
template <class Function>
struct Call;
template <class... Arguments>
struct Call<int(Arguments...)> {
  static constexpr std::size_t arguments = sizeof...(Arguments);
  template <std::size_t from_end>
  using Argument = std::tuple_element_t<arguments - 1 - from_end, std::tuple<Arguments...>>;
};

/// How many arguments such a list has.
consteval std::size_t arguments_in(std::string_view list) {
  return list.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(list.begin(), list.end(), ','));
}

// NOLINTBEGIN(performance-no-int-to-ptr): words are what they are

/// Reads words as C passes them.
struct AsInC {
  template <class T>
  [[nodiscard]] static T read(Word word) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(word);
    else
      return static_cast<T>(word);
  }
};

#if defined(OPEN_MPI)
// Only where handles of C have types of their own, and only of handles that are looked at.
MPI_Comm c_handle(MPI_Fint handle, MPI_Comm /*type*/) { return HALOCLINE_PMPI(Comm_f2c)(handle); }
MPI_Datatype c_handle(MPI_Fint handle, MPI_Datatype /*type*/) { return HALOCLINE_PMPI(Type_f2c)(handle); }
MPI_Request c_handle(MPI_Fint handle, MPI_Request /*type*/) { return HALOCLINE_PMPI(Request_f2c)(handle); }
MPI_Win c_handle(MPI_Fint handle, MPI_Win /*type*/) { return HALOCLINE_PMPI(Win_f2c)(handle); }
MPI_Op c_handle(MPI_Fint handle, MPI_Op /*type*/) { return HALOCLINE_PMPI(Op_f2c)(handle); }
template <class T>
concept Handle = requires(T handle) {
  c_handle(MPI_Fint{}, handle);
}
&&std::is_pointer_v<T> && !std::is_same_v<T, void*>;

/// A list of them.
template <class T>
struct Handles {
  const MPI_Fint* first;
  template <class Index>
  T operator[](Index i) const {
    return c_handle(first[i], T{});
  }
};
#else
template <class T>
concept Handle = false;
#endif

/// MPI_IN_PLACE is a variable in Fortran.
const void* c_buffer(const void* buffer) {
  static const void* const in_place = variable_of_name("mpi_fortran_in_place_");
  return in_place != nullptr && buffer == in_place ? MPI_IN_PLACE : buffer;
}

/// Reads words as Fortran passes them: everything by reference.
struct AsInFortran {
  template <class T>
  [[nodiscard]] static auto read(Word word) {
    using Pointed = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_pointer_v<T> && std::is_void_v<Pointed>) {
      return c_buffer(reinterpret_cast<const void*>(word));
#if defined(OPEN_MPI)
    } else if constexpr (Handle<T>) {
      return c_handle(*reinterpret_cast<const MPI_Fint*>(word), T{});
    } else if constexpr (Handle<Pointed>) {
      return Handles<Pointed>{reinterpret_cast<const MPI_Fint*>(word)};
#endif
    } else if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(word);
    } else {
      return *reinterpret_cast<const T*>(word);
    }
  }
};

// NOLINTEND(performance-no-int-to-ptr)

}  // namespace
}  // namespace halocline::recorder

// ITEM(F, how many come after it, a) for each of `a, b, c`, with commas: a macro cannot call itself, but what
// it leaves behind can be read again, here more often than a call has arguments.
#define HALOCLINE_EACH(ITEM, F, ...) \
  __VA_OPT__(HALOCLINE_READ_AGAIN(HALOCLINE_NEXT_ITEM(ITEM, F, __VA_ARGS__)))
#define HALOCLINE_NEXT_ITEM(ITEM, F, word, ...) \
  ITEM(F, arguments_in(#__VA_ARGS__), word)     \
  __VA_OPT__(, HALOCLINE_NEXT_LATER HALOCLINE_NO_WORDS()()(ITEM, F, __VA_ARGS__))
#define HALOCLINE_NEXT_LATER() HALOCLINE_NEXT_ITEM
#define HALOCLINE_NO_WORDS()
#define HALOCLINE_READ_AGAIN(...) \
  HALOCLINE_READ_4(HALOCLINE_READ_4(HALOCLINE_READ_4(HALOCLINE_READ_4(__VA_ARGS__))))
#define HALOCLINE_READ_4(...) HALOCLINE_READ(HALOCLINE_READ(HALOCLINE_READ(HALOCLINE_READ(__VA_ARGS__))))
#define HALOCLINE_READ(...) __VA_ARGS__

// NOLINTBEGIN(bugprone-macro-parentheses): names and types
#define HALOCLINE_WORD(F, after, word) Word word_##word
#define HALOCLINE_PASSED_ON(F, after, word) word_##word
#define HALOCLINE_TYPE_OF_WORD(F, after, word) Word
#define HALOCLINE_READ_ARGUMENT(F, after, word) [[maybe_unused]] const auto& word
#define HALOCLINE_AS_IN_C(F, after, word) AsInC::read<Call<F>::Argument<after>>(word_##word)
#define HALOCLINE_AS_IN_FORTRAN(F, after, word) AsInFortran::read<Call<F>::Argument<after>>(word_##word)

/// A door with the name of a function of MPI, which MPI's header declares otherwise.
#define HALOCLINE_NAMED(symbol, Result, ...)                                                    \
  extern "C" [[gnu::visibility("default")]] Result door_##symbol(__VA_ARGS__) __asm__(#symbol); \
  extern "C" Result door_##symbol(__VA_ARGS__)

#define HALOCLINE_LOOKED_AT(HOW, F, look, ...)                                                             \
  [&](const Reader& reader) {                                                                              \
    return                                                                                                 \
        []([[maybe_unused]] const Reader& read, HALOCLINE_EACH(HALOCLINE_READ_ARGUMENT, F, __VA_ARGS__)) { \
          return look;                                                                                     \
        }(reader, HALOCLINE_EACH(HOW, F, __VA_ARGS__));                                                    \
  }

#define HALOCLINE_C_DOOR(symbol, activity, look, ...)                                                \
  HALOCLINE_NAMED(symbol, Word, HALOCLINE_EACH(HALOCLINE_WORD, , __VA_ARGS__)) {                     \
    using F = decltype(symbol);                                                                      \
    static_assert(Call<F>::arguments == arguments_in(#__VA_ARGS__), "other arguments in calls.def"); \
    Word code = MPI_SUCCESS;                                                                         \
    traced<Activity::activity>(                                                                      \
        [&] {                                                                                        \
          code = looked_up<#symbol, Word(HALOCLINE_EACH(HALOCLINE_TYPE_OF_WORD, , __VA_ARGS__))>()(  \
              HALOCLINE_EACH(HALOCLINE_PASSED_ON, , __VA_ARGS__));                                   \
          return static_cast<int>(code);                                                             \
        },                                                                                           \
        HALOCLINE_LOOKED_AT(HALOCLINE_AS_IN_C, F, look, __VA_ARGS__));                               \
    return code;                                                                                     \
  }

#define HALOCLINE_FORTRAN_DOOR(symbol, name_of_c, activity, look, ...)                                  \
  HALOCLINE_NAMED(symbol, void, HALOCLINE_EACH(HALOCLINE_WORD, , __VA_ARGS__), MPI_Fint* ierror) {      \
    using F = decltype(name_of_c);                                                                      \
    MPI_Fint own = MPI_SUCCESS; /* mpi_f08 may give none */                                             \
    MPI_Fint* const code = ierror != nullptr ? ierror : &own;                                           \
    traced<Activity::activity>(                                                                         \
        [&] {                                                                                           \
          looked_up<#symbol, void(HALOCLINE_EACH(HALOCLINE_TYPE_OF_WORD, , __VA_ARGS__), MPI_Fint*)>()( \
              HALOCLINE_EACH(HALOCLINE_PASSED_ON, , __VA_ARGS__), code);                                \
          return static_cast<int>(*code);                                                               \
        },                                                                                              \
        HALOCLINE_LOOKED_AT(HALOCLINE_AS_IN_FORTRAN, F, look, __VA_ARGS__));                            \
  }
/// Another name of a function of Fortran: compilers append underscores.
#define HALOCLINE_SAME_DOOR(symbol, other, ...)                                     \
  extern "C" [[gnu::visibility("default"), gnu::alias(#other)]] void door_##symbol( \
      __VA_ARGS__ __VA_OPT__(, ) MPI_Fint* ierror) __asm__(#symbol);
// By what macros make of the symbols.
#define HALOCLINE_C_DOOR_NAMED(...) HALOCLINE_C_DOOR(__VA_ARGS__)
#define HALOCLINE_FORTRAN_DOOR_NAMED(...) HALOCLINE_FORTRAN_DOOR(__VA_ARGS__)
#define HALOCLINE_SAME_DOOR_NAMED(...) HALOCLINE_SAME_DOOR(__VA_ARGS__)

// Open MPI's Fortran library calls PMPI_ functions, so that its own names have doors. MPICH's calls MPI_
// functions but for those of mpi_f08 that have no buffer. NOLINTNEXTLINE(bugprone-reserved-identifier)
#define HALOCLINE_F08_DOOR(prefix, Name, function, activity, look, ...) \
  HALOCLINE_FORTRAN_DOOR_NAMED(HALOCLINE_JOINED(, prefix, function##_f08_), Name, activity, look, __VA_ARGS__)
#if defined(OPEN_MPI)
#define HALOCLINE_FORTRAN_DOORS(prefix, Name, function, activity, look, ...)                               \
  HALOCLINE_FORTRAN_DOOR_NAMED(HALOCLINE_JOINED(, prefix, function##_), Name, activity, look, __VA_ARGS__) \
  HALOCLINE_SAME_DOOR_NAMED(HALOCLINE_JOINED(, prefix, function), HALOCLINE_JOINED(, prefix, function##_), \
                            HALOCLINE_EACH(HALOCLINE_WORD, , __VA_ARGS__))                                 \
  HALOCLINE_SAME_DOOR_NAMED(HALOCLINE_JOINED(, prefix, function##__),                                      \
                            HALOCLINE_JOINED(, prefix, function##_),                                       \
                            HALOCLINE_EACH(HALOCLINE_WORD, , __VA_ARGS__))                                 \
  HALOCLINE_F08_DOOR(prefix, Name, function, activity, look, __VA_ARGS__)
#define HALOCLINE_FORTRAN_DOORS_OF_BUFFERS HALOCLINE_FORTRAN_DOORS
#else
#define HALOCLINE_FORTRAN_DOORS HALOCLINE_F08_DOOR
#define HALOCLINE_FORTRAN_DOORS_OF_BUFFERS(...)
#endif

#if defined(HALOCLINE_HAVE_LARGE_COUNTS)
#define HALOCLINE_LARGE_DOOR(Name, ...) HALOCLINE_C_DOOR(MPI_##Name##_c, __VA_ARGS__)
#else
#define HALOCLINE_LARGE_DOOR(...)
#endif

#define HALOCLINE_plain(Name, function, ...) \
  HALOCLINE_C_DOOR(MPI_##Name, __VA_ARGS__)  \
  HALOCLINE_FORTRAN_DOORS(mpi_, MPI_##Name, function, __VA_ARGS__)
#define HALOCLINE_counted(Name, function, ...) \
  HALOCLINE_C_DOOR(MPI_##Name, __VA_ARGS__)    \
  HALOCLINE_LARGE_DOOR(Name, __VA_ARGS__)      \
  HALOCLINE_FORTRAN_DOORS_OF_BUFFERS(mpi_, MPI_##Name, function, __VA_ARGS__)
#if defined(HALOCLINE_TRACES_MPI_4)
#define HALOCLINE_new(Name, function, ...)  \
  HALOCLINE_C_DOOR(MPI_##Name, __VA_ARGS__) \
  HALOCLINE_FORTRAN_DOORS_OF_BUFFERS(mpi_, MPI_##Name, function, __VA_ARGS__)
#define HALOCLINE_new_counted HALOCLINE_counted
#else
#define HALOCLINE_new(...)
#define HALOCLINE_new_counted(...)
#endif
#if defined(HALOCLINE_PERSISTENT_PREFIX)
#define HALOCLINE_persistent(Name, function, ...)                                                       \
  HALOCLINE_C_DOOR_NAMED(HALOCLINE_PERSISTENT(, Name), __VA_ARGS__)                                     \
  HALOCLINE_LARGE_DOOR(Name, __VA_ARGS__)                                                               \
  HALOCLINE_FORTRAN_DOORS_OF_BUFFERS(HALOCLINE_PERSISTENT_FORTRAN_PREFIX, HALOCLINE_PERSISTENT(, Name), \
                                     function, __VA_ARGS__)
#define HALOCLINE_persistent_plain(Name, function, ...)                                                \
  HALOCLINE_C_DOOR_NAMED(HALOCLINE_PERSISTENT(, Name), __VA_ARGS__)                                    \
  HALOCLINE_FORTRAN_DOORS(HALOCLINE_PERSISTENT_FORTRAN_PREFIX, HALOCLINE_PERSISTENT(, Name), function, \
                          __VA_ARGS__)
#else
#define HALOCLINE_persistent(...)
#define HALOCLINE_persistent_plain(...)
#endif

namespace halocline::recorder {

#define HALOCLINE_TRACED(doors, ...) HALOCLINE_##doors(__VA_ARGS__)
#include "preload/trace/calls.def"
#undef HALOCLINE_TRACED

// The beginning and the end.

HALOCLINE_NAMED(MPI_Init, Word, Word argc, Word argv) {
  const Word code = looked_up<"MPI_Init", Word(Word, Word)>()(argc, argv);
  if (static_cast<int>(code) == MPI_SUCCESS) begin();
  return code;
}

HALOCLINE_NAMED(MPI_Init_thread, Word, Word argc, Word argv, Word required, Word provided) {
  const Word code =
      looked_up<"MPI_Init_thread", Word(Word, Word, Word, Word)>()(argc, argv, required, provided);
  if (static_cast<int>(code) == MPI_SUCCESS) begin();
  return code;
}

HALOCLINE_NAMED(MPI_Finalize, Word) {
  finish();
  return looked_up<"MPI_Finalize", Word()>()();
}

HALOCLINE_NAMED(MPI_Abort, Word, Word comm, Word code) {
  leave_part();
  return looked_up<"MPI_Abort", Word(Word, Word)>()(comm, code);
}

#define HALOCLINE_FORTRAN_ENDS(symbol_of)                                                                    \
  HALOCLINE_NAMED(mpi_init##symbol_of, void, MPI_Fint* ierror) {                                             \
    MPI_Fint code = MPI_SUCCESS;                                                                             \
    looked_up<HALOCLINE_QUOTED(mpi_init##symbol_of), void(MPI_Fint*)>()(&code);                              \
    if (code == MPI_SUCCESS) begin();                                                                        \
    if (ierror != nullptr) *ierror = code;                                                                   \
  }                                                                                                          \
  HALOCLINE_NAMED(mpi_init_thread##symbol_of, void, Word required, Word provided, MPI_Fint* ierror) {        \
    MPI_Fint code = MPI_SUCCESS;                                                                             \
    looked_up<HALOCLINE_QUOTED(mpi_init_thread##symbol_of), void(Word, Word, MPI_Fint*)>()(required,         \
                                                                                           provided, &code); \
    if (code == MPI_SUCCESS) begin();                                                                        \
    if (ierror != nullptr) *ierror = code;                                                                   \
  }                                                                                                          \
  HALOCLINE_NAMED(mpi_finalize##symbol_of, void, MPI_Fint* ierror) {                                         \
    finish();                                                                                                \
    looked_up<HALOCLINE_QUOTED(mpi_finalize##symbol_of), void(MPI_Fint*)>()(ierror);                         \
  }                                                                                                          \
  HALOCLINE_NAMED(mpi_abort##symbol_of, void, Word comm, Word error, MPI_Fint* ierror) {                     \
    leave_part();                                                                                            \
    looked_up<HALOCLINE_QUOTED(mpi_abort##symbol_of), void(Word, Word, MPI_Fint*)>()(comm, error, ierror);   \
  }
HALOCLINE_FORTRAN_ENDS(_f08_)
#if defined(OPEN_MPI)
HALOCLINE_FORTRAN_ENDS(_)
HALOCLINE_SAME_DOOR(mpi_init, mpi_init_)
HALOCLINE_SAME_DOOR(mpi_init__, mpi_init_)
HALOCLINE_SAME_DOOR(mpi_init_thread, mpi_init_thread_, Word required, Word provided)
HALOCLINE_SAME_DOOR(mpi_init_thread__, mpi_init_thread_, Word required, Word provided)
HALOCLINE_SAME_DOOR(mpi_finalize, mpi_finalize_)
HALOCLINE_SAME_DOOR(mpi_finalize__, mpi_finalize_)
HALOCLINE_SAME_DOOR(mpi_abort, mpi_abort_, Word comm, Word error)
HALOCLINE_SAME_DOOR(mpi_abort__, mpi_abort_, Word comm, Word error)
#endif
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace halocline::recorder
