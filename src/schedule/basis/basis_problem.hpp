// SPDX-License-Identifier: BSD-3-Clause
// What the constructions of additive bases share: the different offsets to be summed, and the price of a
// basis.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/basis/basis.hpp"
#include "schedule/basis/reachable_sums.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace halocline::schedule {

/// What is to be small: one number, or rounds before volume.
struct BasisPrice {
  double first, second;
  auto operator<=>(const BasisPrice&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 is confused
};

struct BasisProblem {
  /// Throws Error{invalid_argument} for options that make no sense.
  BasisProblem(const Stencil& stencil, const BasisOptions& options);

  [[nodiscard]] std::size_t dimensions() const { return stride; }
  [[nodiscard]] std::size_t size() const { return repeats.size(); }
  [[nodiscard]] std::span<const Count> target(std::size_t i) const {
    return std::span(targets).subspan(i * stride, stride);
  }
  [[nodiscard]] BasisPrice price(std::size_t rounds, double volume) const;
  /// No basis has fewer elements: sums on a half axis have all their parts there.
  [[nodiscard]] std::size_t fewest_elements() const;
  /// No basis of so few elements sends fewer blocks: all of it lies on half axes, so every coordinate of an
  /// offset is a sum of its own.
  [[nodiscard]] double least_volume() const;

  std::size_t stride;
  Counts targets;  ///< The different offsets but zero, one after the other, by length.
  std::vector<Count> repeats;
  double blocks_per_round;
  ReachableSums box;

 private:
  /// For each dimension downwards and upwards.
  [[nodiscard]] std::vector<std::size_t> fewest_on_half_axes() const;
};

/// The basis for the problem; schedule/basis/basis.hpp says which.
[[nodiscard]] Basis additive_basis(const BasisProblem& problem);

/// The least number of different elements that sum to each point of the box; a table that elements are added
/// to.
class HopTable {
 public:
  static constexpr std::uint16_t unreached = std::numeric_limits<std::uint16_t>::max();

  explicit HopTable(const BasisProblem& problem);

  void add(std::span<const Count> element);
  [[nodiscard]] std::uint16_t hops(std::size_t index) const { return hops_[index]; }
  [[nodiscard]] std::uint16_t hops(std::span<const Count> point) const {
    return hops_[problem_->box.index(point)];
  }
  /// The blocks sent if these are the elements; none if an offset is no sum of them.
  [[nodiscard]] std::optional<double> volume() const;

 private:
  const BasisProblem* problem_;
  std::vector<std::uint16_t> hops_;
};

}  // namespace halocline::schedule
