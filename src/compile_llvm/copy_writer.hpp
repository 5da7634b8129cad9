// SPDX-License-Identifier: BSD-3-Clause
// Writes copying functions in LLVM's intermediate language. Loops stay loops, blocks become a few loads and
// stores with constant distances.
#pragma once

#include "compile/generated/generator.hpp"

#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace halocline::compile_llvm {

using compile::GeneratorLoop;
using compile::GeneratorTerm;

/// What the processor at hand does well.
struct ProcessorRegisters {
  std::int64_t vector_bytes;  ///< Of the widest load and store to use.
  std::size_t at_once;        ///< How many values are read before the first is written.
};

/// Lists that the code reads while it runs; they live as long as it does.
using Tables = std::vector<std::unique_ptr<std::vector<std::int64_t>>>;

/// More copies than this in one term are not written out: a loop over a list is as fast.
constexpr std::size_t most_copies_a_term = 128;
/// A list of equal blocks up to this length becomes a loop over a table.
constexpr std::int64_t longest_table = 1024;

/// Adds functions pack(context, base, wire) and unpack(context, wire, base) to the module; what they will
/// cost. Nothing, and a module to be thrown away, if that would be more than most_code_cost.
[[nodiscard]] std::optional<std::int64_t> write_copies(llvm::Module& module,
                                                       std::span<const GeneratorTerm> terms,
                                                       const ProcessorRegisters& registers, Tables& tables);

}  // namespace halocline::compile_llvm
