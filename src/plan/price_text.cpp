#include "plan/price_text.hpp"

#include "base/quantity.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace halocline::plan {

std::string rounded(double value) {
  std::ostringstream out;
  out << std::setprecision(3) << value;
  return out.str();
}

std::string seconds_text(double seconds) {
  constexpr double rounds_to_1000 = 999.5;
  for (const Unit& unit : time_units)
    if (seconds < rounds_to_1000 * unit.factor)
      return rounded(seconds / unit.factor) + " " + std::string(unit.name);
  std::ostringstream out;
  out << std::fixed << std::setprecision(0) << seconds << " s";
  return out.str();
}

std::string price_text(const schedule::LinearCost& price) {
  return seconds_text(price.round_seconds) + ", " + rounded(1e-9 / price.byte_seconds) + " GB/s, " +
         seconds_text(price.latency_seconds);
}

}  // namespace halocline::plan
