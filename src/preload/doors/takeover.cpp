// SPDX-License-Identifier: BSD-3-Clause
// The table of what is taken over, and the one function that the preload library knows of this module.

#include "preload/process/takeover.hpp"

#include "accelerate/cuda/ptx.hpp"
#include "accelerate/device/device.hpp"
#include "accelerate/devices.hpp"
#if defined(HALOCLINE_FORTRAN_DOORS)
#include "preload/fortran/neighbor.hpp"
#endif
#include "preload/neighbor/neighbor.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/under_way.hpp"
#include "preload/types/committed_types.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace halocline::preload {
namespace {

struct Row {
  std::string_view name;
  bool (*is_wanted)();
  void* function;
};

/// How many arguments such a list has.
consteval std::size_t arguments_in(std::string_view list) {
  return list.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(list.begin(), list.end(), ','));
}

/// Of a function for a door that passes on so many words.
template <std::size_t words, class Result, class... Arguments>
void* address(Result (*function)(Arguments...)) {
  static_assert(sizeof...(Arguments) == words, "a line of intercepted.def has other arguments than its call");
  return reinterpret_cast<void*>(function);
}
template <std::size_t words>
void* address(std::nullptr_t /*none*/) {
  return nullptr;
}

/// By the features of intercepted.def. Processes agree on what they do in calls about grids, graphs and
/// neighbours, or rank 0 has told: one that is told to keep out must tell the others.
namespace wants {
bool nothing() { return false; }
bool reorder() { return true; }
bool neighbor() { return true; }
bool types() { return is_on(Feature::types); }
bool requests() { return is_on(Feature::types) || is_on(Feature::neighbor); }
bool log() { return is_on(Feature::log); }
}  // namespace wants

/// A call about requests: straight to the system as long as none of them needs us.
template <auto ours, auto& known>
struct Quick;
template <class... Arguments, int (*ours)(Arguments...), std::atomic<int (*)(Arguments...)>& known>
struct Quick<ours, known> {
  static int call(Arguments... arguments) {
    const auto system = known.load(std::memory_order_relaxed);
    if (system == nullptr || any_under_way()) return ours(arguments...);
    return system(arguments...);
  }
};

// NOLINTBEGIN(bugprone-macro-parentheses): names and templates
#define HALOCLINE_QUICK(prefix, name, function) \
  Quick<function<prefix>, HALOCLINE_KNOWN_SYSTEM(prefix, name)>::call
#define HALOCLINE_DOOR(symbol, opening, feature, ours, ...) \
  {#symbol, wants::feature, address<arguments_in(#__VA_ARGS__)> ours},
// NOLINTEND(bugprone-macro-parentheses)
const Row rows[] = {
#include "preload/process/every_door.inc"
};
#undef HALOCLINE_QUICK

Lookup* system_lookup = nullptr;

void* our_function(const char* name) {
  const std::string_view wanted(name);
  for (const Row& row : rows)
    if (row.name == wanted) return row.is_wanted() ? row.function : nullptr;
  return nullptr;
}

}  // namespace

void set_system(Lookup* lookup) { system_lookup = lookup; }
void* system_function(const char* name) { return system_lookup(name); }

}  // namespace halocline::preload

extern "C" halocline::preload::Lookup* halocline_takeover(halocline::preload::Lookup* system,
                                                          const char* mesh) {
  // What lies on a device takes a kernel: a program that may have something there is left alone without one.
  using namespace halocline::accelerate;
  if (in_use_by_others() || (in_use() && *transfer_ptx() == '\0')) return nullptr;
  halocline::preload::set_system(system);
  halocline::preload::set_mesh(mesh);
  if (halocline::preload::is_logged()) halocline::preload::take_all_for_committed();
  return halocline::preload::our_function;
}
