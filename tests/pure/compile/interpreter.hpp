// An engine to check others by: it walks the tree of constructors for every pack, one contiguous piece after
// the other. It is slow, short and independent of the canonical form.
#pragma once

#include "compile/engines.hpp"

#include <span>
#include <vector>

namespace halocline::compile {

[[nodiscard]] std::unique_ptr<const Code> interpret(const CodeUnit& unit);

inline constexpr Engine interpreter{"interpreter", "walks the constructors of the layouts for every pack",
                                    interpret};

/// It, and those to be checked.
[[nodiscard]] inline std::vector<Engine> with_interpreter(std::span<const Engine> engines) {
  std::vector<Engine> all{interpreter};
  all.insert(all.end(), engines.begin(), engines.end());
  return all;
}

}  // namespace halocline::compile
