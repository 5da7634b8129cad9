// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/basis/basis_problem.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/flat_offsets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace halocline::schedule {
namespace {

double length(std::span<const Count> offset) {
  return std::accumulate(offset.begin(), offset.end(), 0.0,
                         [](double sum, Count c) { return sum + std::abs(to_double(c)); });
}

std::size_t half_axis(std::size_t dimension, Count coordinate) {
  return 2 * dimension + (coordinate > 0 ? 1 : 0);
}

/// Of sums of `elements` different values as many need one of them as there are, and as many need `hops` as
/// there are choices of so many: with the most frequent sums as the shortest, no fewer hops than this.
double sum_of_hops(std::span<const double> most_first, std::size_t elements) {
  double sum = 0, choices = 1;
  std::size_t next = 0;
  for (std::size_t hops = 1; hops <= elements; ++hops) {
    choices = choices * to_double(elements - hops + 1) / to_double(hops);
    for (double k = 0; k < choices && next < most_first.size(); ++k)
      sum += to_double(hops) * most_first[next++];
  }
  return sum;
}

}  // namespace

BasisProblem::BasisProblem(const Stencil& stencil, const BasisOptions& options)
    : stride(stencil.dimensions()),
      blocks_per_round(options.blocks_per_round),
      box(flat_offsets(stencil), stride) {
  require(blocks_per_round >= 0, "the price of ", blocks_per_round,
          " blocks for a round is not a number from 0 upwards");
  const Counts offsets = flat_offsets(stencil);
  const auto offset = [&](std::size_t i) { return std::span(offsets).subspan(i * stride, stride); };
  std::vector<double> lengths;
  std::vector<std::size_t> sorted;
  for (std::size_t i = 0; i < stencil.size(); ++i) {
    lengths.push_back(length(offset(i)));
    if (lengths.back() > 0) sorted.push_back(i);
  }
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    if (lengths[a] != lengths[b]) return lengths[a] < lengths[b];
    return std::ranges::lexicographical_compare(offset(a), offset(b));
  });
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const auto next = offset(sorted[k]);
    if (k > 0 && std::ranges::equal(next, offset(sorted[k - 1]))) {
      ++repeats.back();
      continue;
    }
    targets.insert(targets.end(), next.begin(), next.end());
    repeats.push_back(1);
  }
}

BasisPrice BasisProblem::price(std::size_t rounds, double volume) const {
  const auto number = to_double(rounds);
  return std::isinf(blocks_per_round) ? BasisPrice{number, volume}
                                      : BasisPrice{blocks_per_round * number + volume, number};
}

std::vector<std::size_t> BasisProblem::fewest_on_half_axes() const {
  std::vector<std::size_t> fewest(2 * stride, 0);
  for (std::size_t i = 0; i < size(); ++i) {
    const auto offset = target(i);
    const auto is_set = [](Count c) { return c != 0; };
    if (std::ranges::count_if(offset, is_set) != 1) continue;
    const auto axis = std::ranges::find_if(offset, is_set);
    ++fewest[half_axis(to_index(axis - offset.begin()), *axis)];
  }
  // n elements have 2^n - 1 sums that are not empty.
  for (std::size_t& number : fewest) number = to_size(std::bit_width(number));
  return fewest;
}

std::size_t BasisProblem::fewest_elements() const {
  const std::vector<std::size_t> fewest = fewest_on_half_axes();
  return std::max(std::accumulate(fewest.begin(), fewest.end(), std::size_t{0}),
                  size() > 0 ? std::size_t{1} : std::size_t{0});
}

double BasisProblem::least_volume() const {
  std::vector<std::map<Count, double>> blocks(2 * stride);  // that have to go so far along each half axis
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t d = 0; d < stride; ++d)
      if (const Count c = target(i)[d]; c != 0) blocks[half_axis(d, c)][c] += to_double(repeats[i]);
  const std::vector<std::size_t> elements = fewest_on_half_axes();
  double least = 0;
  for (std::size_t half = 0; half < blocks.size(); ++half) {
    std::vector<double> most_first;
    for (const auto& [distance, number] : blocks[half]) most_first.push_back(number);
    std::sort(most_first.begin(), most_first.end(), std::greater<>());
    least += sum_of_hops(most_first, elements[half]);
  }
  return std::max(least, to_double(std::accumulate(repeats.begin(), repeats.end(), Count{0})));
}

HopTable::HopTable(const BasisProblem& problem) : problem_(&problem), hops_(problem.box.points(), unreached) {
  hops_[problem.box.index(Counts(problem.dimensions(), 0))] = 0;
}

void HopTable::add(std::span<const Count> element) {
  problem_->box.for_each_sum(element, [this](std::size_t x, std::size_t sum) {
    if (hops_[x] != unreached) hops_[sum] = std::min(hops_[sum], static_cast<std::uint16_t>(hops_[x] + 1));
  });
}

std::optional<double> HopTable::volume() const {
  double volume = 0;
  for (std::size_t i = 0; i < problem_->size(); ++i) {
    const std::uint16_t found = hops(problem_->target(i));
    if (found == unreached) return std::nullopt;
    volume += to_double(problem_->repeats[i]) * found;
  }
  return volume;
}

}  // namespace halocline::schedule
