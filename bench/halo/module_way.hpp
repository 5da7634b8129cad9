// A class that exchanges halos, as a way of a module. It is made of a problem, has run(), and throws
// std::exception; nothing of that crosses the border.
#pragma once

#include "tools/bench/rivals/halo_module.hpp"

#include <cstdio>
#include <exception>

namespace halocline::bench {

/// Whether `work` came to its end; otherwise its reason is told.
template <class Work>
bool attempted(const tools::HaloModuleReason& reason, const Work& work) {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    std::snprintf(reason.text, reason.room, "%s", error.what());
  }
  return false;
}

template <class Halo>
constexpr tools::HaloModuleWay module_way(const char* name) {
  return {name,
          [](const tools::HaloModuleProblem& problem, tools::HaloModuleReason reason) {
            void* halo = nullptr;
            (void)attempted(reason, [&] { halo = new Halo(problem); });
            return halo;
          },
          [](void* halo, tools::HaloModuleReason reason) {
            return attempted(reason, [&] { static_cast<Halo*>(halo)->run(); });
          },
          [](void* halo) { delete static_cast<Halo*>(halo); }};
}

}  // namespace halocline::bench

/// The one function that a module gives. halo_module_entry has its name.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define HALOCLINE_HALO_MODULE                                                           \
  extern "C" __attribute__((visibility("default"))) const halocline::tools::HaloModule* \
  halocline_halo_module()
