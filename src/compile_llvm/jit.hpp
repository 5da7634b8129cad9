// SPDX-License-Identifier: BSD-3-Clause
// Machine code out of terms, by LLVM's ORC.
#pragma once

#include "compile/generated/generator.hpp"
#include "compile_llvm/copy_writer.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <memory>
#include <span>
#include <variant>

namespace halocline::compile_llvm {

/// Owns the pages of its code, which are never writable and executable at once.
class MachineCode {
 public:
  MachineCode(Tables tables, std::unique_ptr<llvm::orc::LLJIT> jit, std::int64_t cost)
      : tables_(std::move(tables)), jit_(std::move(jit)), cost_(cost) {}

  /// The address of a function. Compiles on the first call.
  [[nodiscard]] llvm::Expected<std::uintptr_t> address(const char* name);
  /// In the unit of most_code_cost.
  [[nodiscard]] std::int64_t cost() const { return cost_; }

 private:
  Tables tables_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::int64_t cost_;
};

/// Null if the terms would be too much code; an error if LLVM or the system refuses.
[[nodiscard]] llvm::Expected<std::unique_ptr<MachineCode>> machine_code(std::span<const GeneratorTerm> terms);

}  // namespace halocline::compile_llvm
