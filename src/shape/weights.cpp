// SPDX-License-Identifier: BSD-3-Clause
#include "shape/weights.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace halocline {

Weight Weight::of(double value) {
  require(std::isfinite(value) && value > 0, "the weight ", value, " is not positive and finite");
  int exponent = 0;
  constexpr int digits = std::numeric_limits<double>::digits;
  auto mantissa = static_cast<Count>(std::ldexp(std::frexp(value, &exponent), digits));
  exponent -= digits;
  for (; mantissa % 2 == 0; mantissa /= 2) ++exponent;
  return {mantissa, 1, exponent};
}

double Weight::value() const { return std::ldexp(ratio_of(numerator, denominator), exponent); }

Weights::Weights(std::vector<Weight> weights) : weights_(std::move(weights)) {
  if (weights_.empty()) fail(Fault::invalid_dimensions, "a grid needs at least one dimension, not 0 weights");
}

Weights Weights::equal(std::size_t dimensions) { return Weights(std::vector<Weight>(dimensions)); }

Weights Weights::of_mesh(const Mesh& mesh, const Counts& halo) {
  if (!halo.empty() && halo.size() != mesh.dimensions())
    fail(Fault::invalid_dimensions, halo.size(), " halo widths for a mesh of ", mesh.dimensions(),
         " dimensions");
  std::vector<Weight> weights;
  for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
    const Count width = halo.empty() ? 1 : halo[d];
    require(width >= 0, "the halo width ", width, " of dimension ", d, " is negative; 0 means no exchange");
    const Count shared = std::gcd(width, mesh.extents()[d]);
    weights.push_back({width / shared, mesh.extents()[d] / shared, 0});
  }
  return Weights(std::move(weights));
}

Weights::Weights(const std::vector<double>& values) {
  if (values.empty()) fail(Fault::invalid_dimensions, "a grid needs at least one dimension, not 0 weights");
  for (std::size_t d = 0; d < values.size(); ++d) {
    require(std::isfinite(values[d]) && values[d] > 0, "the weight ", values[d], " of dimension ", d,
            " is not positive and finite");
    weights_.push_back(Weight::of(values[d]));
  }
}

}  // namespace halocline
