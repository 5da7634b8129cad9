// SPDX-License-Identifier: BSD-3-Clause
#include "compile/engines.hpp"

#include "base/find_by_name.hpp"
#include "base/index.hpp"
#include "compile/generated/generated.hpp"
#include "compile/generated/llvm_module.hpp"
#include "compile/generated/payback.hpp"
#include "compile/kernels/kernels.hpp"

#include <array>

namespace halocline::compile {
namespace {

/// In the order of EngineKind.
constexpr std::array table{
    Engine{"kernels", "precompiled loops, chosen by block size and nesting", choose_kernels},
    Engine{"llvm", "code generated for the layouts at hand, where it is not too much of it",
           [](const CodeUnit& unit) { return generate(unit, WhoUnpacks::generated_code); }},
    Engine{"auto", "kernels, or generated code for layouts that are packed so often that it pays",
           choose_what_pays},
};
constexpr std::size_t always_there = 1;

}  // namespace

std::span<const Engine> engines() { return std::span(table).first(always_there); }

std::span<const Engine> available_engines() {
  return llvm_generator() == nullptr ? engines() : std::span(table).first(always_there + 1);
}

const Engine& engine(std::string_view name) { return find_by_name(table, "engine", name); }

const Engine& engine(EngineKind kind) { return table.at(to_index(kind)); }

const Engine& default_engine() { return table[always_there - 1]; }

}  // namespace halocline::compile
