// SPDX-License-Identifier: BSD-3-Clause
// --alpha-beta: what messages and bytes cost, in the units people measure them in.
#pragma once

#include "halocline/plan/plan.hpp"
#include "tools/common/options.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

class PriceWords {
 public:
  void declare(Options& options);
  /// `otherwise` with what was given in its place; of measured ones, those with about as many processes a
  /// node as the machine has, of the levels that it has. Throws Error{invalid_argument} that names the word.
  [[nodiscard]] LevelCosts prices(const Machine& machine, const LevelCosts& otherwise = {}) const;

 private:
  std::vector<std::string> prices_;
};

}  // namespace halocline::tools
