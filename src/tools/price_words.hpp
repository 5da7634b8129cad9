// --alpha-beta: what messages and bytes cost, in the units people measure them in.
#pragma once

#include "halocline/plan/plan.hpp"
#include "tools/options.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

class PriceWords {
 public:
  void declare(Options& options);
  /// The defaults with what was given in their place; of measured ones, those with about as many processes a
  /// node as the machine has. Throws Error{invalid_argument} that names the word.
  [[nodiscard]] LevelCosts prices(const Machine& machine) const;

 private:
  std::vector<std::string> prices_;
};

/// "200 ns, 8 GB/s".
[[nodiscard]] std::string price_text(const schedule::LinearCost& price);
/// Three digits and the unit that fits: "12.3 us".
[[nodiscard]] std::string seconds_text(double seconds);

}  // namespace halocline::tools
