// What LD_PRELOAD puts before the system's MPI: for each intercepted call a door, nothing else. It knows no
// MPI and needs no library, because it is loaded into shells, launchers and everything else that a job runs.
//
// A door leads to the system's function, or, once a program of the right MPI goes through it for the first
// time, to ours, in a module that is opened then. All arguments of MPI are integers or pointers, which both
// processor architectures pass as machine words: a door passes on as many of them as its call has, whatever
// they mean.

#include "preload/doors/first_rank.hpp"
#include "preload/process/persistent_names.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>   // NOLINT(modernize-deprecated-headers): no C++ library here
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers)
#include <string.h>  // NOLINT(modernize-deprecated-headers)

namespace {

using Word = long;
using Lookup = void*(const char*);

constexpr const char* module_name = "libhalocline-takeover.so";

enum Door : int {
#define HALOCLINE_C(name, arguments) at_MPI_##name,
#define HALOCLINE_LATER HALOCLINE_C
#define HALOCLINE_COMPLETION(name, arguments) at_MPI_##name, at_PMPI_##name,
#define HALOCLINE_START HALOCLINE_COMPLETION
#define HALOCLINE_PROFILING(name, arguments) at_PMPI_##name,
#define HALOCLINE_FORTRAN_LATER HALOCLINE_FORTRAN
#define HALOCLINE_FORTRAN(name, arguments) \
  at_mpi_##name, at_mpi_##name##_, at_mpi_##name##__, at_mpi_##name##_f08_,
#define HALOCLINE_INIT(name, arguments) HALOCLINE_PERSISTENT(at_, name),
#define HALOCLINE_FORTRAN_INIT(name, arguments)                                        \
  HALOCLINE_PERSISTENT_FORTRAN(at_, name), HALOCLINE_PERSISTENT_FORTRAN(at_, name##_), \
      HALOCLINE_PERSISTENT_FORTRAN(at_, name##__), HALOCLINE_PERSISTENT_FORTRAN(at_, name##_f08_),
#include "preload/process/intercepted.def"
#undef HALOCLINE_C
#undef HALOCLINE_LATER
#undef HALOCLINE_COMPLETION
#undef HALOCLINE_START
#undef HALOCLINE_PROFILING
#undef HALOCLINE_FORTRAN
#undef HALOCLINE_FORTRAN_LATER
#undef HALOCLINE_INIT
#undef HALOCLINE_FORTRAN_INIT
  doors
};

const char* const names[] = {
#define HALOCLINE_C(name, arguments) "MPI_" #name,
#define HALOCLINE_LATER HALOCLINE_C
#define HALOCLINE_COMPLETION(name, arguments) "MPI_" #name, "PMPI_" #name,
#define HALOCLINE_START HALOCLINE_COMPLETION
#define HALOCLINE_PROFILING(name, arguments) "PMPI_" #name,
#define HALOCLINE_FORTRAN_LATER HALOCLINE_FORTRAN
#define HALOCLINE_FORTRAN(name, arguments) \
  "mpi_" #name, "mpi_" #name "_", "mpi_" #name "__", "mpi_" #name "_f08_",
#define HALOCLINE_INIT(name, arguments) HALOCLINE_PERSISTENT_NAME(name),
#define HALOCLINE_FORTRAN_INIT(name, arguments)                                         \
  HALOCLINE_PERSISTENT_FORTRAN_NAME(name), HALOCLINE_PERSISTENT_FORTRAN_NAME(name) "_", \
      HALOCLINE_PERSISTENT_FORTRAN_NAME(name) "__", HALOCLINE_PERSISTENT_FORTRAN_NAME(name) "_f08_",
#include "preload/process/intercepted.def"
#undef HALOCLINE_C
#undef HALOCLINE_LATER
#undef HALOCLINE_COMPLETION
#undef HALOCLINE_START
#undef HALOCLINE_PROFILING
#undef HALOCLINE_FORTRAN
#undef HALOCLINE_FORTRAN_LATER
#undef HALOCLINE_INIT
#undef HALOCLINE_FORTRAN_INIT
};

/// Those that stay with the system until another one opens what takes over.
const Door later[] = {
#define HALOCLINE_C(name, arguments)
#define HALOCLINE_START(name, arguments)
#define HALOCLINE_PROFILING(name, arguments)
#define HALOCLINE_INIT(name, arguments)
#define HALOCLINE_FORTRAN_INIT(name, arguments)
#define HALOCLINE_LATER(name, arguments) at_MPI_##name,
#define HALOCLINE_COMPLETION(name, arguments) at_MPI_##name, at_PMPI_##name,
#define HALOCLINE_FORTRAN(name, arguments)
#define HALOCLINE_FORTRAN_LATER(name, arguments) \
  at_mpi_##name, at_mpi_##name##_, at_mpi_##name##__, at_mpi_##name##_f08_,
#include "preload/process/intercepted.def"
#undef HALOCLINE_C
#undef HALOCLINE_LATER
#undef HALOCLINE_COMPLETION
#undef HALOCLINE_START
#undef HALOCLINE_PROFILING
#undef HALOCLINE_FORTRAN
#undef HALOCLINE_FORTRAN_LATER
#undef HALOCLINE_INIT
#undef HALOCLINE_FORTRAN_INIT
};

void* targets[doors];

/// One line for the whole job, where the launcher tells ranks.
void say(const char* what, const char* detail) {
  const char* const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
  for (const char* const variable : ranks)
    if (const char* const rank = getenv(variable); rank != nullptr && strcmp(rank, "0") != 0) return;
  fprintf(stderr, "halocline: %s%s; the program runs without Halocline\n", what, detail);
}

/// The MPI this was built for, if the process has it.
void* own_mpi() { return dlopen(HALOCLINE_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD); }

/// What the program would have called: the next one after this library. A program that opened MPI for itself
/// alone has it where RTLD_NEXT does not look.
void* system_function(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == nullptr)
    if (void* const mpi = own_mpi()) function = dlsym(mpi, name);
  return function;
}

/// Open MPI does not hand its environment on to other nodes unless it is told to. Ranks that have this
/// library must not wait for ranks that have not. That all have it, all must be told, or none: so by a
/// variable that Open MPI hands to all by itself. What a program spawns gets no more than the launcher's node
/// has, whatever was said for the program.
bool everywhere(void* mpi) {
  const char* const all = getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (all == nullptr || here == nullptr || strcmp(all, here) == 0) return true;
  return getenv("OMPI_MCA_halocline_everywhere") != nullptr && !halocline::preload::is_spawned(mpi);
}

/// Buffers may lie in the memory of a device, which our copies cannot reach.
bool has_devices() {
  const char* const runtimes[] = {"libcuda.so.1", "libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6",
                                  "libze_loader.so.1"};
  // The shim has no C++ library. NOLINTNEXTLINE(readability-use-anyofallof)
  for (const char* const runtime : runtimes)
    if (dlopen(runtime, RTLD_LAZY | RTLD_NOLOAD) != nullptr) return true;
  return false;
}

/// What rank 0 has told, once MPI was started by one of our doors; this process's own settings otherwise.
halocline::preload::Told told;
bool was_told = false;

void hear_first_rank() {
  static bool asked = false;  // a tool between two doors: one of them does it
  void* const mpi = own_mpi();
  if (__atomic_exchange_n(&asked, true, __ATOMIC_ACQ_REL) || mpi == nullptr || !everywhere(mpi)) return;
  was_told = halocline::preload::hear_first_rank(mpi, told);
}

halocline::preload::Told settings() { return was_told ? told : halocline::preload::own_settings(); }

Lookup* open_takeover() {
  if (settings().off) return nullptr;
  void* const mpi = own_mpi();
  if (mpi == nullptr) {
    say("this program uses another MPI than the one the preload library was built for, ",
        HALOCLINE_MPI_SONAME);
    return nullptr;
  }
  if (has_devices()) {
    say("this program has the runtime of a GPU, whose memory is out of reach", "");
    return nullptr;
  }
  if (!everywhere(mpi)) {
    say("the preload library may not have reached all nodes; start the job by halocline run, or hand "
        "LD_PRELOAD "
        "to all ranks and say so by OMPI_MCA_halocline_everywhere=1",
        "");
    return nullptr;
  }
  Dl_info info{};
  char path[4096];
  if (dladdr(reinterpret_cast<void*>(&open_takeover), &info) == 0 || info.dli_fname == nullptr)
    return nullptr;
  const char* const slash = strrchr(info.dli_fname, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - info.dli_fname) + 1;
  snprintf(path, sizeof path, "%.*s%s", folder, info.dli_fname, module_name);
  void* const module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  using Begin = Lookup*(Lookup*, const char*);
  const auto begin =
      module == nullptr ? nullptr : reinterpret_cast<Begin*>(dlsym(module, "halocline_takeover"));
  if (begin == nullptr) {
    say("cannot open what the preload library needs: ", dlerror());
    return nullptr;
  }
  return begin(system_function, settings().mesh);
}

Lookup* takeover = nullptr;

Lookup* opened_takeover() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] {
    takeover = open_takeover();
    if (takeover == nullptr) return;
    for (const Door door : later)
      if (void* const target = takeover(names[door]))
        __atomic_store_n(&targets[door], target, __ATOMIC_RELEASE);
  });
  return takeover;
}

bool is_later(Door door) {
  // The shim has no C++ library. NOLINTNEXTLINE(readability-use-anyofallof)
  for (const Door one : later)
    if (one == door) return true;
  return false;
}

/// MPI_Dims_create, under all its names: the system's, unless there is a mesh.
bool needs_mesh(Door door) { return strstr(names[door], "ims_create") != nullptr; }

bool is_set(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && *value != '\0';
}

/// As settings.cpp has it.
bool wants_log() {
  const char* const log = getenv("HALOCLINE_LOG");
  return is_set("HALOCLINE_LOG") && strcmp(log, "off") != 0 && strcmp(log, "0") != 0;
}

/// Is there anything to do in this call that is worth opening what takes over?
bool opens_takeover(Door door) {
  if (wants_log()) return true;  // which counts what passes by
  return needs_mesh(door) ? settings().mesh[0] != '\0' : !is_later(door);
}

void* needed_system_function(Door door) {
  void* const target = system_function(names[door]);
  if (target == nullptr) {
    fprintf(stderr, "halocline: no MPI in this process has %s\n", names[door]);
    abort();
  }
  return target;
}

[[gnu::noinline, gnu::cold]] void* find_target(Door door) {
  Lookup* const ours = opens_takeover(door) ? opened_takeover() : nullptr;
  void* target = ours == nullptr ? nullptr : ours(names[door]);
  if (target == nullptr) target = needed_system_function(door);
  // Another thread may have put ours there in the meantime.
  void* nothing = nullptr;
  __atomic_compare_exchange_n(&targets[door], &nothing, target, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return target;
}

template <class... Words>
[[gnu::always_inline]] inline Word pass(Door door, Words... words) {
  void* target = __atomic_load_n(&targets[door], __ATOMIC_ACQUIRE);
  if (__builtin_expect(target == nullptr, 0)) target = find_target(door);
  return reinterpret_cast<Word (*)(Words...)>(target)(words...);
}

/// MPI_Init and MPI_Init_thread.
template <class... Words>
Word start(Door door, Words... words) {
  void* target = __atomic_load_n(&targets[door], __ATOMIC_ACQUIRE);
  if (target == nullptr) {
    target = needed_system_function(door);
    __atomic_store_n(&targets[door], target, __ATOMIC_RELEASE);
  }
  const Word code = reinterpret_cast<Word (*)(Words...)>(target)(words...);
  if (static_cast<int>(code) == 0) hear_first_rank();
  return code;
}

}  // namespace

// clang-format off
#define HALOCLINE_START_2(f) Word f(Word a, Word b) { return start(at_##f, a, b); }
#define HALOCLINE_START_4(f) Word f(Word a, Word b, Word c, Word d) { return start(at_##f, a, b, c, d); }
#define HALOCLINE_0(f) Word f() { return pass(at_##f); }
#define HALOCLINE_1(f) Word f(Word a) { return pass(at_##f, a); }
#define HALOCLINE_2(f) Word f(Word a, Word b) { return pass(at_##f, a, b); }
#define HALOCLINE_3(f) Word f(Word a, Word b, Word c) { return pass(at_##f, a, b, c); }
#define HALOCLINE_4(f) Word f(Word a, Word b, Word c, Word d) { return pass(at_##f, a, b, c, d); }
#define HALOCLINE_5(f) Word f(Word a, Word b, Word c, Word d, Word e) { return pass(at_##f, a, b, c, d, e); }
#define HALOCLINE_6(f) Word f(Word a, Word b, Word c, Word d, Word e, Word g) \
  { return pass(at_##f, a, b, c, d, e, g); }
#define HALOCLINE_7(f) Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h) \
  { return pass(at_##f, a, b, c, d, e, g, h); }
#define HALOCLINE_8(f) Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i) \
  { return pass(at_##f, a, b, c, d, e, g, h, i); }
#define HALOCLINE_9(f) Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i, Word j) \
  { return pass(at_##f, a, b, c, d, e, g, h, i, j); }
#define HALOCLINE_10(f) Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i, Word j, Word k) \
  { return pass(at_##f, a, b, c, d, e, g, h, i, j, k); }
#define HALOCLINE_11(f) \
  Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i, Word j, Word k, Word l) \
  { return pass(at_##f, a, b, c, d, e, g, h, i, j, k, l); }
#define HALOCLINE_12(f) \
  Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i, Word j, Word k, Word l, Word m) \
  { return pass(at_##f, a, b, c, d, e, g, h, i, j, k, l, m); }
#define HALOCLINE_13(f) \
  Word f(Word a, Word b, Word c, Word d, Word e, Word g, Word h, Word i, Word j, Word k, Word l, Word m, Word n) \
  { return pass(at_##f, a, b, c, d, e, g, h, i, j, k, l, m, n); }
// clang-format on
#define HALOCLINE_LATER HALOCLINE_C
#define HALOCLINE_FORTRAN_LATER HALOCLINE_FORTRAN
#define HALOCLINE_C(name, arguments) HALOCLINE_##arguments(MPI_##name)
#define HALOCLINE_PROFILING(name, arguments) HALOCLINE_##arguments(PMPI_##name)
#define HALOCLINE_COMPLETION(name, arguments) \
  HALOCLINE_##arguments(MPI_##name) HALOCLINE_##arguments(PMPI_##name)
#define HALOCLINE_START(name, arguments) \
  HALOCLINE_START_##arguments(MPI_##name) HALOCLINE_START_##arguments(PMPI_##name)
#define HALOCLINE_FORTRAN(name, arguments)                               \
  HALOCLINE_##arguments(mpi_##name) HALOCLINE_##arguments(mpi_##name##_) \
      HALOCLINE_##arguments(mpi_##name##__) HALOCLINE_##arguments(mpi_##name##_f08_)
#define HALOCLINE_DOOR(arguments, name) HALOCLINE_##arguments(name)
#define HALOCLINE_INIT(name, arguments) HALOCLINE_DOOR(arguments, HALOCLINE_PERSISTENT(, name))
#define HALOCLINE_FORTRAN_INIT(name, arguments)                       \
  HALOCLINE_DOOR(arguments, HALOCLINE_PERSISTENT_FORTRAN(, name))     \
  HALOCLINE_DOOR(arguments, HALOCLINE_PERSISTENT_FORTRAN(, name##_))  \
  HALOCLINE_DOOR(arguments, HALOCLINE_PERSISTENT_FORTRAN(, name##__)) \
  HALOCLINE_DOOR(arguments, HALOCLINE_PERSISTENT_FORTRAN(, name##_f08_))

extern "C" {
#include "preload/process/intercepted.def"
}
