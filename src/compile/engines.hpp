// SPDX-License-Identifier: BSD-3-Clause
// The table of engines that turn layouts into code that packs; tests, benchmarks and the tool iterate over
// it.
#pragma once

#include "compile/generated/choice.hpp"
#include "compile/kernels/code.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace halocline::compile {

struct Engine {
  std::string_view name;
  std::string_view source;  ///< What it does, in one line.
  std::unique_ptr<const Code> (*make)(const CodeUnit&);
};

/// Every engine that is always there, from the plainest to the best.
[[nodiscard]] std::span<const Engine> engines();
/// Those, and llvm if its module (libhalocline-llvm.so) is there: looking opens it, which takes 12 ms and
/// 37 MB once.
[[nodiscard]] std::span<const Engine> available_engines();
[[nodiscard]] const Engine& engine(EngineKind kind);

}  // namespace halocline::compile
