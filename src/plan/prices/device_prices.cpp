// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/device_prices.hpp"

namespace halocline::plan {

DevicePrices device_prices(const LevelCosts& costs) {
  DevicePrices prices;
  if (const auto* const straight = costs.levels.find(device_levels[0])) prices.straight = *straight;
  if (const auto* const linked = costs.levels.find(device_levels[1])) prices.linked = *linked;
  if (const auto* const staged = costs.levels.find(device_levels[2])) prices.staged = *staged;
  return prices;
}

}  // namespace halocline::plan
