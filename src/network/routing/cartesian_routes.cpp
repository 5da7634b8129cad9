// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/cartesian_routes.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

namespace halocline::network {

CartesianRoutes::CartesianRoutes(const Network::Cartesian& network)
    : network_(network), strides_(network.extents.size()) {
  for (std::size_t d = dimensions(); d-- > 0;) {
    strides_[d] = routers_;
    routers_ *= extent(d);
  }
}

Count CartesianRoutes::links() const {
  try {
    return checked_multiply(2 * to_count(dimensions()), routers_);
  } catch (const Error&) {
    fail(Fault::unsupported, "the links of ", routers_, " routers cannot be numbered in 64 bits");
  }
}

double CartesianRoutes::bandwidth(Count link) const {
  const auto dimension = to_index(link / routers_ / 2);
  const bool down = link / routers_ % 2 != 0;
  const Count x = coordinate(link % routers_, dimension);
  // A link has the number of its lower end.
  return network_.bandwidth(dimension, down ? (x + extent(dimension) - 1) % extent(dimension) : x);
}

}  // namespace halocline::network
