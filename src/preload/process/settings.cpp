// SPDX-License-Identifier: BSD-3-Clause
#include "preload/process/settings.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "mpi/handles/attribute_cache.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace halocline::preload {
namespace {

/// In the order of Feature.
constexpr std::array variables{settings::reorder.variable, settings::neighbor.variable,
                               settings::types.variable};

std::string_view value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

bool is_off(const char* variable) {
  const std::string_view value = value_of(variable);
  return value == "off" || value == "0";
}

std::string& told_mesh() {
  static std::string mesh;
  return mesh;
}

bool wants_log() { return !value_of(settings::log.variable).empty() && !is_off(settings::log.variable); }

}  // namespace

bool is_on(Feature feature) {
  static const std::array on{!is_off(variables[0]), !is_off(variables[1]), !is_off(variables[2]),
                             wants_log()};
  return on[to_index(feature)];
}

std::vector<const char*> switched_off() {
  std::vector<const char*> off;
  std::copy_if(variables.begin(), variables.end(), std::back_inserter(off), is_off);
  return off;
}

AgreedSettings agreed_settings(MPI_Comm comm) {
  using Cache = mpi::CommCache<AgreedSettings>;
  if (const auto known = Cache::find(comm)) return *known;
  const std::array<int, 2> mine{is_on(Feature::reorder), value_of(settings::reorder.variable) == "graphs"};
  std::array<int, 2> all{};
  HALOCLINE_MPI(Allreduce, mine.data(), all.data(), to_int(mine.size()), MPI_INT, MPI_MIN, comm);
  const AgreedSettings agreed{all[0] != 0, all[1] != 0};
  Cache::keep(comm, std::make_shared<const AgreedSettings>(agreed));
  return agreed;
}

const std::string& mesh_of_first_rank() { return told_mesh(); }
void set_mesh(const char* mesh) { told_mesh() = mesh; }

bool wants_eager_streams() { return value_of(settings::neighbor.variable) == "eager"; }

}  // namespace halocline::preload
