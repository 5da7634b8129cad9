// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/foreign_halos.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/own_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace halocline::tools {
namespace {

constexpr std::string_view petsc_module = "libhalocline-petsc.so", ghex_module = "libhalocline-ghex.so";
constexpr std::string_view needs_petsc = "PETSc for the same MPI (Debian: libpetsc-real-dev, for Open MPI)",
                           needs_ghex = "GHEX, with -DGHEX_DIR=PREFIX/lib/cmake";

/// Stays open until the program ends: a library like these does not bear to be closed.
const HaloModule& opened(const ForeignWay& way) {
  const std::string file = own_library(
      std::string(way.file),
      concat(" for the way ", way.name, "; cmake -DHALOCLINE_BENCHMARKS=ON builds it with ", way.needs));
  const auto unusable = [&](const std::string& why) {
    fail(Fault::unsupported, "the way ", way.name, ": ", why);
  };
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) unusable(dlerror());
  auto* const entry = reinterpret_cast<HaloModuleEntry*>(dlsym(handle, halo_module_entry));
  const HaloModule* const module = entry == nullptr ? nullptr : entry();
  if (module == nullptr || module->version != halo_module_version)
    unusable(concat(file, " is not a module of version ", halo_module_version));
  return *module;
}

const HaloModuleWay& way_of(const HaloModule& module, std::string_view name) {
  const std::span ways(module.ways, module.way_count);
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const HaloModuleWay& way) { return way.name == name; });
  if (found == ways.end()) fail(Fault::unsupported, "the way ", name, " is not in its module");
  return *found;
}

/// Room for a reason.
struct Reason {
  std::array<char, 512> text{};
  [[nodiscard]] HaloModuleReason room() { return {text.data(), text.size()}; }
};

/// The problem as modules read it; `stencil` outlives it.
HaloModuleProblem plain(const HaloProblem& problem, const std::string& stencil) {
  const Cell cell = problem.grid.cell(mpi::rank(problem.cart));
  HaloModuleProblem made{problem.cart,
                         {},
                         {},
                         {},
                         problem.width,
                         count_of(problem.offsets),
                         stencil.c_str(),
                         problem.arrays.data(),
                         problem.arrays.size()};
  for (std::size_t d = 0; d < 3; ++d) {
    made.processes[d] = problem.grid.extents()[d];
    made.cell[d] = cell[d];
    made.extents[d] = problem.extents[d];
  }
  return made;
}

}  // namespace

std::span<const ForeignWay> foreign_ways() {
  static constexpr std::array table{
      ForeignWay{"petsc", "the DMDA of PETSc, from local vectors to themselves", petsc_module, needs_petsc},
      ForeignWay{"sums-petsc", "the DMDA of PETSc, from local vectors to global ones", petsc_module,
                 needs_petsc},
      ForeignWay{"ghex", "messages of GHEX", ghex_module, needs_ghex},
      ForeignWay{"ghex_bulk", "its bulk exchange", ghex_module, needs_ghex},
  };
  return table;
}

ForeignHalos::ForeignHalos(const std::vector<std::string>& ways) {
  for (const ForeignWay& way : foreign_ways()) {
    if (std::find(ways.begin(), ways.end(), way.name) == ways.end()) continue;
    const HaloModule& module = opened(way);
    ways_.emplace(way.name, &way_of(module, way.name));
    if (std::find(modules_.begin(), modules_.end(), &module) == modules_.end()) modules_.push_back(&module);
  }
}

ForeignHalos::ForeignHalos(ForeignHalos&& other) noexcept
    : ways_(std::move(other.ways_)), modules_(std::exchange(other.modules_, {})) {}

ForeignHalos::~ForeignHalos() {
  for (const HaloModule* module : modules_) module->finish();
}

std::function<void()> ForeignHalos::prepared(const std::string& name, const HaloProblem& problem) const {
  const HaloModuleWay& way = *ways_.at(name);
  const std::string stencil = problem.offsets.to_text();
  Reason reason;
  void* const made = way.make(plain(problem, stencil), reason.room());
  if (made == nullptr) fail(Fault::invalid_argument, "--ways ", name, ": ", reason.text.data());
  return [&way, halo = std::shared_ptr<void>(made, way.release)] {
    Reason why;
    if (!way.run(halo.get(), why.room())) fail(Fault::internal, "the way ", way.name, ": ", why.text.data());
  };
}

}  // namespace halocline::tools
