// SPDX-License-Identifier: BSD-3-Clause
// What LD_PRELOAD puts before the system's MPI: for each intercepted call a door, nothing else. It knows no
// MPI and needs no library, because it is loaded into shells, launchers and everything else that a job runs.
//
// A door leads to the system's function, or, once a program of the right MPI goes through it for the first
// time, to ours, in a module that is opened then. All arguments of MPI are integers or pointers, which both
// processor architectures pass as machine words: a door passes on as many of them as its call has, whatever
// they mean.

#include "preload/doors/first_rank.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>   // NOLINT(modernize-deprecated-headers): no C++ library here
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers)
#include <string.h>  // NOLINT(modernize-deprecated-headers)

using Lookup = void*(const char*);
static void lead_later_doors_to(Lookup* ours);

namespace {

using Word = long;

constexpr const char* module_name = "libhalocline-takeover.so";

/// What a call means for the module: see intercepted.def.
enum class Opening { now, later, with_mesh, never };

/// One name of one call.
struct Door {
  const char* name;
  Opening opening;
  void* target = nullptr;  ///< Where it leads; null as long as nobody has gone through it.
};

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

/// Buffers may lie in the memory of a device of which nobody tells us. Of those of NVIDIA the driver does.
bool has_devices() {
  const char* const runtimes[] = {"libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6",
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
    if (takeover != nullptr) lead_later_doors_to(takeover);
  });
  return takeover;
}

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
bool opens_takeover(const Door& door) {
  if (door.opening == Opening::never) return false;
  if (wants_log()) return true;  // which counts what passes by
  return door.opening == Opening::now || (door.opening == Opening::with_mesh && settings().mesh[0] != '\0');
}

void* needed_system_function(const Door& door) {
  void* const target = system_function(door.name);
  if (target == nullptr) {
    fprintf(stderr, "halocline: no MPI in this process has %s\n", door.name);
    abort();
  }
  return target;
}

[[gnu::noinline, gnu::cold]] void* find_target(Door& door) {
  Lookup* const ours = opens_takeover(door) ? opened_takeover() : nullptr;
  void* target = ours == nullptr ? nullptr : ours(door.name);
  if (target == nullptr) target = needed_system_function(door);
  // Another thread may have put ours there in the meantime.
  void* nothing = nullptr;
  __atomic_compare_exchange_n(&door.target, &nothing, target, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return target;
}

template <Opening opening, class... Words>
[[gnu::always_inline]] inline Word pass(Door& door, Words... words) {
  void* target = __atomic_load_n(&door.target, __ATOMIC_ACQUIRE);
  if (__builtin_expect(target == nullptr, 0)) target = find_target(door);
  const Word code = reinterpret_cast<Word (*)(Words...)>(target)(words...);
  if constexpr (opening == Opening::never)  // MPI_Init and MPI_Init_thread
    if (static_cast<int>(code) == 0) hear_first_rank();
  return code;
}

}  // namespace

// `a, b, c` becomes `Word a, Word b, Word c`: a macro cannot call itself, but what it leaves behind can be
// read again, here more often than a call has arguments.
#define HALOCLINE_WORDS(...) __VA_OPT__(HALOCLINE_READ_AGAIN(HALOCLINE_NEXT_WORD(__VA_ARGS__)))
#define HALOCLINE_NEXT_WORD(word, ...) \
  Word word __VA_OPT__(, HALOCLINE_GO_ON HALOCLINE_NOTHING()()(__VA_ARGS__))
#define HALOCLINE_GO_ON() HALOCLINE_NEXT_WORD
#define HALOCLINE_NOTHING()
#define HALOCLINE_READ_AGAIN(...) \
  HALOCLINE_READ_4(HALOCLINE_READ_4(HALOCLINE_READ_4(HALOCLINE_READ_4(__VA_ARGS__))))
#define HALOCLINE_READ_4(...) HALOCLINE_READ(HALOCLINE_READ(HALOCLINE_READ(HALOCLINE_READ(__VA_ARGS__))))
#define HALOCLINE_READ(...) __VA_ARGS__

#define HALOCLINE_DOOR(symbol, opening, feature, ours, ...)                \
  static Door at_##symbol{#symbol, Opening::opening};                      \
  extern "C" Word symbol(HALOCLINE_WORDS(__VA_ARGS__)) {                   \
    return pass<Opening::opening>(at_##symbol __VA_OPT__(, ) __VA_ARGS__); \
  }
#include "preload/process/every_door.inc"

static void lead_later_doors_to(Lookup* ours) {
#define HALOCLINE_DOOR(symbol, ...) &at_##symbol,
  Door* const every_door[] = {
#include "preload/process/every_door.inc"
  };
  for (Door* const door : every_door)
    if (door->opening == Opening::later)
      if (void* const target = ours(door->name)) __atomic_store_n(&door->target, target, __ATOMIC_RELEASE);
}
