// SPDX-License-Identifier: BSD-3-Clause
// Several constructions of an additive basis are compared, the best is improved.
#include "base/numbers.hpp"
#include "schedule/basis/basis.hpp"
#include "schedule/basis/basis_problem.hpp"
#include "schedule/basis/basis_search.hpp"
#include "schedule/basis/decompose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace halocline::schedule {
namespace {

constexpr std::size_t most_points_to_search = 1024;
constexpr std::size_t usual_steps = std::size_t{1} << 20;

void append(Counts& elements, std::span<const Count> element) {
  elements.insert(elements.end(), element.begin(), element.end());
}

/// The offsets that are no sums of shorter ones; nothing if tables would be too large.
Counts irreducible_offsets(const BasisProblem& problem) {
  if (!small_enough_for_tables(problem, 1)) return {};
  Counts elements;
  HopTable table(problem);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto target = problem.target(i);
    if (table.hops(target) != HopTable::unreached) continue;
    append(elements, target);
    if (!small_enough_for_tables(problem, elements.size() / problem.dimensions())) return {};
    table.add(target);
  }
  return elements;
}

/// The values that are no sums of smaller ones.
Counts irreducible_values(const Counts& ascending) {
  constexpr Count most = 1 << 16;
  if (ascending.back() > most) return ascending;
  std::vector<bool> sums(to_size(ascending.back()) + 1, false);
  sums[0] = true;
  Counts kept;
  for (const Count value : ascending) {
    const auto step = to_size(value);
    if (sums[step]) continue;
    kept.push_back(value);
    for (std::size_t sum = sums.size(); sum-- > step;) sums[sum] = sums[sum] || sums[sum - step];
  }
  return kept;
}

/// The least common unit times the powers of two, as many as the largest value needs.
Counts doubled_units(const Counts& ascending) {
  const Count unit = std::accumulate(ascending.begin(), ascending.end(), Count{0},
                                     [](Count a, Count b) { return std::gcd(a, b); });
  Counts values;
  for (Count value = unit;; value *= 2) {
    values.push_back(value);
    if (value > ascending.back() / 2) return values;
  }
}

enum class Along : std::uint8_t { values, few };

/// Elements along the axes: for each half axis the coordinates that occur, or few values they are sums of.
Counts axis_elements(const BasisProblem& problem, Along along) {
  Counts elements;
  for (std::size_t d = 0; d < problem.dimensions(); ++d)
    for (const Count sign : {1, -1}) {
      Counts values;
      for (std::size_t i = 0; i < problem.size(); ++i)
        if (problem.target(i)[d] * sign > 0) values.push_back(problem.target(i)[d] * sign);
      if (values.empty()) continue;
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      if (along == Along::few) {
        const bool tables = small_enough_for_tables(problem, values.size() * 2 * problem.dimensions());
        for (Counts fewer : {doubled_units(values), tables ? irreducible_values(values) : values})
          if (fewer.size() < values.size()) values = std::move(fewer);
      }
      for (const Count value : values) {
        elements.resize(elements.size() + problem.dimensions(), 0);
        elements[elements.size() - problem.dimensions() + d] = sign * value;
      }
    }
  return elements;
}

class BasisChoice {
 public:
  explicit BasisChoice(const BasisProblem& problem)
      : problem_(problem), fewest_(problem.fewest_elements()), best_{problem.targets, 0, false} {
    for (const Count repeated : problem.repeats) best_.volume += to_double(repeated);
    consider(irreducible_offsets(problem));
    consider(axis_elements(problem, Along::few));
    consider(axis_elements(problem, Along::values));
  }

  /// Leaves elements out and takes offsets in while that makes the basis cheaper.
  void improve() {
    if (elements() == 0 || elements() > usual_steps / elements() ||
        problem_.box.points() > usual_steps / (elements() * elements()) || problem_.box.points() == 0)
      return;
    if (std::isinf(problem_.blocks_per_round) && smallest()) return;
    for (std::size_t i = elements(); i-- > 0;) {
      Counts fewer = best_.elements;
      const auto first = fewer.begin() + to_count(i * problem_.dimensions());
      fewer.erase(first, first + to_count(problem_.dimensions()));
      consider(std::move(fewer));
    }
    if (std::isinf(problem_.blocks_per_round) || problem_.size() > usual_steps / 16 / problem_.box.points())
      return;
    while (take_best_offset()) continue;
  }

  void search() {
    if (!std::isinf(problem_.blocks_per_round) || problem_.box.points() == 0 ||
        problem_.box.points() > most_points_to_search)
      return;
    // Where no basis can be smaller, only volume is left to be gained.
    if (smallest() && best_.volume <= problem_.least_volume()) return;
    best_ = search_basis(problem_, std::move(best_), smallest() ? usual_steps / 64 : usual_steps);
  }

  Basis result() && {
    const bool proven = std::isinf(problem_.blocks_per_round) && (best_.complete || smallest());
    return {sorted(best_.elements), proven};
  }

 private:
  [[nodiscard]] std::size_t elements() const { return best_.elements.size() / problem_.dimensions(); }
  [[nodiscard]] bool smallest() const { return elements() == fewest_; }
  [[nodiscard]] BasisPrice price(const FoundBasis& found) const {
    return problem_.price(found.elements.size() / problem_.dimensions(), found.volume);
  }

  void consider(Counts candidate) {
    const std::optional<double> volume = volume_of(candidate);
    if (!volume) return;
    FoundBasis found{std::move(candidate), *volume, false};
    if (price(found) < price(best_)) best_ = std::move(found);
  }

  [[nodiscard]] std::optional<double> volume_of(const Counts& candidate) const {
    if (candidate.empty()) return std::nullopt;
    if (!small_enough_for_tables(problem_, candidate.size() / problem_.dimensions())) {
      const Routes routes = decompose(problem_, candidate, Detour::free);
      double volume = 0;
      for (std::size_t i = 0; i < problem_.size(); ++i)
        volume += to_double(problem_.repeats[i] * (routes.firsts[i + 1] - routes.firsts[i]));
      return volume;
    }
    HopTable table(problem_);
    for (std::size_t at = 0; at < candidate.size(); at += problem_.dimensions())
      table.add(std::span(candidate).subspan(at, problem_.dimensions()));
    return table.volume();
  }

  /// Takes in the offset that makes the basis cheapest; false if none does.
  bool take_best_offset() {
    HopTable table(problem_);
    for (std::size_t at = 0; at < best_.elements.size(); at += problem_.dimensions())
      table.add(std::span(best_.elements).subspan(at, problem_.dimensions()));
    FoundBasis better = best_;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      if (table.hops(problem_.target(i)) <= 1) continue;
      HopTable more = table;
      more.add(problem_.target(i));
      FoundBasis found{best_.elements, *more.volume(), false};
      append(found.elements, problem_.target(i));
      if (price(found) < price(better)) better = std::move(found);
    }
    if (better.elements.size() == best_.elements.size()) return false;
    best_ = std::move(better);
    return true;
  }

  [[nodiscard]] Counts sorted(const Counts& flat) const {
    const std::size_t dimensions = problem_.dimensions();
    std::vector<Offset> list;
    for (std::size_t at = 0; at < flat.size(); at += dimensions)
      list.emplace_back(flat.begin() + to_count(at), flat.begin() + to_count(at + dimensions));
    const auto length = [](const Offset& offset) {
      return std::accumulate(offset.begin(), offset.end(), 0.0,
                             [](double sum, Count c) { return sum + std::abs(to_double(c)); });
    };
    std::sort(list.begin(), list.end(), [&](const Offset& a, const Offset& b) {
      return length(a) != length(b) ? length(a) < length(b) : a < b;
    });
    Counts result;
    for (const Offset& offset : list) append(result, offset);
    return result;
  }

  const BasisProblem& problem_;
  std::size_t fewest_;
  FoundBasis best_;
};

}  // namespace

Basis additive_basis(const BasisProblem& problem) {
  if (problem.size() == 0) return {{}, true};
  BasisChoice choice(problem);
  choice.improve();
  choice.search();
  return std::move(choice).result();
}

Basis additive_basis(const Stencil& stencil, const BasisOptions& options) {
  return additive_basis(BasisProblem(stencil, options));
}

}  // namespace halocline::schedule
