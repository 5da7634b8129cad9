// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/link_loads.hpp"

#include "base/numbers.hpp"

namespace halocline::network {
namespace {

/// Adds the weight to the links that leave the routers from..from + steps - 1 of a line, around its end.
void load(double* line, Count stride, Count extent, Count from, Count steps, double weight) {
  const Count end = from + steps;
  line[from * stride] += weight;
  if (end < extent) line[end * stride] -= weight;
  if (end <= extent) return;
  line[0] += weight;
  line[(end - extent) * stride] -= weight;
}

}  // namespace

LinkLoads::LinkLoads(const CartesianRoutes& routes, const RouterCoordinates& coordinates)
    : routes_(routes), coordinates_(coordinates), changes_(to_size(routes.links()), 0) {}

void LinkLoads::add(const TaskMessages::Run& run) {
  const std::size_t dimensions = routes_.dimensions();
  for (Count i = 0; i < run.length; ++i) {
    Count here = 0;
    for (std::size_t d = 0; d < dimensions; ++d) here += coordinates_.at(d, run.from + i) * routes_.stride(d);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count from = coordinates_.at(d, run.from + i);
      const Count to = coordinates_.at(d, run.to + i);
      if (from == to) continue;
      const Count stride = routes_.stride(d);
      const Count extent = routes_.extent(d);
      const Count steps = routes_.steps(d, from, to);
      const bool down = steps < 0;
      double* const line = changes_.data() + routes_.first_link(d, down) + here - from * stride;
      // Downwards the routers passed are the same, seen from the other end.
      const Count lowest = from + steps + 1;
      load(line, stride, extent, down ? (lowest < 0 ? lowest + extent : lowest) : from, down ? -steps : steps,
           run.weight);
      here += (to - from) * stride;
    }
  }
}

std::vector<double> LinkLoads::sum() && {
  const Count routers = routes_.routers();
  for (std::size_t d = 0; d < routes_.dimensions(); ++d) {
    const Count stride = routes_.stride(d);
    const Count block = stride * routes_.extent(d);
    for (const bool down : {false, true}) {
      double* const links = changes_.data() + routes_.first_link(d, down);
      for (Count start = 0; start < routers; start += block)
        for (Count link = start + stride; link < start + block; ++link) links[link] += links[link - stride];
    }
  }
  return std::move(changes_);
}

}  // namespace halocline::network
