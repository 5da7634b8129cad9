// The sets of placement problems the benchmark runs over, seeded, and a lower bound for their costs.
#pragma once

#include "place/problem/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halocline::bench {

struct InstanceSet {
  std::string name;
  std::vector<place::Problem> problems;
};

/// One set for each class of problems the quality targets name.
[[nodiscard]] std::vector<InstanceSet> instance_sets(std::uint64_t seed);

/// The most even grid of `cells` cells, as MPI_Dims_create makes it.
[[nodiscard]] Counts even_extents(Count cells, std::size_t dimensions);

/// No placement of the problem has a smaller J_sum, by the isoperimetric inequality. Known for stencils along
/// the axes that move along each of them; rigorous for steps of 1, a good guess for longer ones.
[[nodiscard]] std::optional<double> lower_bound(const place::Problem& problem);

}  // namespace halocline::bench
