// SPDX-License-Identifier: BSD-3-Clause
// The engine llvm: code that was generated for one unit.
#pragma once

#include "compile/kernels/code.hpp"

#include <memory>

namespace halocline::compile {

/// Who unpacks whole streams that generated code packs.
enum class WhoUnpacks { generated_code, kernels };

/// Whole streams by generated code, ranges of them by kernels. Kernels for everything if there is no module,
/// if the unit would be too much code, if the system refuses executable memory or LLVM fails.
[[nodiscard]] std::unique_ptr<const Code> generate(const CodeUnit& unit, WhoUnpacks who);

/// Generated code alone, without a word on ranges. Any thread may make it.
class GeneratedFunctions {
 public:
  /// Empty for the reasons above; a failure gets a log line.
  explicit GeneratedFunctions(const Canonical& canonical);
  GeneratedFunctions(const GeneratedFunctions&) = delete;
  GeneratedFunctions& operator=(const GeneratedFunctions&) = delete;
  ~GeneratedFunctions();

  [[nodiscard]] explicit operator bool() const { return whole_.pack != nullptr; }
  /// @pre it is not empty. The kernels are those for the same form.
  [[nodiscard]] Code::Whole whole(WhoUnpacks who, const Code& kernels) const;
  /// How much code it is: most_code_cost at most, which compiling it takes time for.
  [[nodiscard]] Count cost() const { return cost_; }

 private:
  Code::Whole whole_;
  void* owner_ = nullptr;
  Count cost_ = 0;
};

}  // namespace halocline::compile
