// SPDX-License-Identifier: BSD-3-Clause
#include "base/quantity.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"

#include <cmath>

namespace halocline {
namespace {

constexpr std::array rate_units{Unit{"B/s", 1},          Unit{"kB/s", 1e3},      Unit{"KB/s", 1e3},
                                Unit{"MB/s", 1e6},       Unit{"GB/s", 1e9},      Unit{"TB/s", 1e12},
                                Unit{"KiB/s", 0x1p10},   Unit{"MiB/s", 0x1p20},  Unit{"GiB/s", 0x1p30},
                                Unit{"Mbit/s", 1e6 / 8}, Unit{"Gbit/s", 1e9 / 8}};

struct Multiple {
  std::string_view name;
  Count bytes;
};
constexpr std::array multiples{Multiple{"KiB", Count{1} << 10}, Multiple{"MiB", Count{1} << 20},
                               Multiple{"GiB", Count{1} << 30}, Multiple{"kB", 1'000},
                               Multiple{"KB", 1'000},           Multiple{"MB", 1'000'000},
                               Multiple{"GB", 1'000'000'000},   Multiple{"B", 1}};

template <std::size_t units>
double scan_quantity(Scanner& scan, const std::array<Unit, units>& table) {
  const double number = scan.number();
  scan.accept_blanks();
  for (const Unit& unit : table)
    if (scan.accept(unit.name)) {
      const double quantity = number * unit.factor;
      if (!std::isfinite(quantity)) scan.refuse(number, " ", unit.name, " does not fit in 64 bits");
      return quantity;
    }
  std::string names;
  for (const Unit& unit : table) names += concat(names.empty() ? "" : ", ", unit.name);
  scan.refuse("a unit is missing, one of ", names);
}

}  // namespace

double scan_seconds(Scanner& scan) {
  const double seconds = scan_quantity(scan, time_units);
  if (seconds < 0) scan.refuse(seconds, " s is less than no time");
  return seconds;
}

double scan_bytes_per_second(Scanner& scan) {
  const double rate = scan_quantity(scan, rate_units);
  // Prices are times a byte.
  if (!(rate > 0) || !std::isfinite(1 / rate)) scan.refuse("a rate of ", rate, " bytes a second");
  return rate;
}

Count scan_bytes(Scanner& scan) {
  const Count number = scan.integer();
  if (number < 1) scan.refuse("a size of ", number);
  scan.accept_blanks();
  for (const Multiple& multiple : multiples)
    if (scan.accept(multiple.name)) return checked_multiply(number, multiple.bytes);
  return number;
}

}  // namespace halocline
