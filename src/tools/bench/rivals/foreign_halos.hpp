// SPDX-License-Identifier: BSD-3-Clause
// Ways of other libraries in `halocline bench halo`. The tool links none of them: each is in a module, opened
// when it is asked for.
#pragma once

#include "tools/bench/rivals/halo_module.hpp"
#include "tools/bench/rivals/rival_halos.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::tools {

struct ForeignWay {
  std::string_view name, summary;
  std::string_view file;   ///< Of the module.
  std::string_view needs;  ///< What a build must have for it.
};

/// All that there can be, whether they were built or not.
[[nodiscard]] std::span<const ForeignWay> foreign_ways();

/// The foreign ones of some ways, ready to be used until this goes: before MPI does, after what it prepared.
class ForeignHalos {
 public:
  /// Opens their modules. Throws Error{unsupported} that names the way and says how to build it if there is
  /// none. Local.
  explicit ForeignHalos(const std::vector<std::string>& ways);
  ForeignHalos(ForeignHalos&& other) noexcept;
  ForeignHalos& operator=(ForeignHalos&&) = delete;
  ~ForeignHalos();

  [[nodiscard]] bool has(const std::string& way) const { return ways_.contains(way); }
  /// What it returns exchanges the halos of all arrays each time it is called. Throws Error for a problem
  /// that the way cannot have. Collective.
  [[nodiscard]] std::function<void()> prepared(const std::string& name, const HaloProblem& problem) const;

 private:
  std::map<std::string, const HaloModuleWay*> ways_;
  std::vector<const HaloModule*> modules_;
};

}  // namespace halocline::tools
