// Prices of messages as machines have them, from fast networks to crowded ones.
#pragma once

#include "halocline/schedule/level_costs.hpp"

#include <cmath>
#include <random>

namespace halocline {

inline LevelCosts random_prices(std::mt19937_64& random) {
  const auto between = [&](double least, double most) {
    return std::pow(10, std::uniform_real_distribution<double>(std::log10(least), std::log10(most))(random));
  };
  return {{between(1e-8, 1e-6), between(1e-11, 1e-9), between(1e-8, 1e-6)},
          {between(1e-7, 1e-4), between(1e-11, 1e-8), between(1e-7, 1e-4)}};
}

}  // namespace halocline
