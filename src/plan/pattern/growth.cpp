// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/growth.hpp"

#include "base/numbers.hpp"
#include "plan/pattern/front.hpp"
#include "plan/pattern/rolled_up.hpp"
#include "plan/pattern/settling.hpp"

#include <algorithm>
#include <map>

namespace halocline::plan {
namespace {

constexpr std::size_t most_seeds = 16;

/// Vertices to begin with, spread over those that have as many neighbours as most: they are inside.
std::vector<std::uint32_t> seeds(const PairGraph& steps) {
  std::map<std::size_t, std::size_t> degrees;
  for (std::size_t v = 0; v < steps.vertices(); ++v) ++degrees[steps.degree(v)];
  const auto usual = std::max_element(degrees.begin(), degrees.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::size_t every = std::max<std::size_t>(1, usual->second / most_seeds);
  std::vector<std::uint32_t> found;
  std::size_t number = 0;
  for (std::uint32_t v = 0; v < steps.vertices() && found.size() < most_seeds; ++v)
    if (steps.degree(v) == usual->first && number++ % every == every / 2) found.push_back(v);
  return found;
}

}  // namespace

std::optional<Reading> grown_reading(const PairGraph& steps, const PairGraph& all) {
  for (const std::uint32_t seed : seeds(steps)) {
    const std::optional<Cross> cross = cross_at(steps, seed);
    if (!cross) continue;
    Front front(steps, seed, *cross);
    front.grow();
    std::optional<Reading> reading = rolled_up(steps, front);
    if (!reading) continue;
    fill_up(all, *reading);
    take_out_misfits(steps, *reading);
    fill_up(all, *reading);
    change_places(steps, all, *reading);
    return reading;
  }
  return std::nullopt;
}

}  // namespace halocline::plan
