// SPDX-License-Identifier: BSD-3-Clause
// The closest subset of cores: k-means clustering reduced to one cluster that always takes the given number
// of points nearest to its centre. Algorithm 1, case 3 of "Exploiting Geometric Partitioning in Task Mapping
// for Parallel Computers".

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "network/mapping.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::network {
namespace {

using Centre = std::vector<double>;

constexpr int most_rounds = 30;
constexpr std::size_t most_cornered = 6;  ///< Dimensions whose corners are tried.

struct CoreCluster {
  Counts members;
  double spread;  ///< Sum of squared distances to the centre they were chosen by.
};

CoreCluster nearest(const Points& points, const Centre& centre, std::size_t count) {
  std::vector<double> squares(points.size(), 0);
  for (std::size_t d = 0; d < points.dimensions(); ++d)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double apart = points.at(i, d) - centre[d];
      squares[i] += apart * apart;
    }
  Counts order(points.size());
  std::iota(order.begin(), order.end(), Count{0});
  const auto square = [&](Count i) { return squares[to_index(i)]; };
  std::nth_element(order.begin(), order.begin() + to_count(count - 1), order.end(),
                   [&](Count a, Count b) { return square(a) != square(b) ? square(a) < square(b) : a < b; });
  order.resize(count);
  std::sort(order.begin(), order.end());
  double spread = 0;
  for (const Count member : order) spread += square(member);
  return {std::move(order), spread};
}

Centre mean(const Points& points, const Counts& members) {
  Centre centre(points.dimensions(), 0);
  for (std::size_t d = 0; d < centre.size(); ++d) {
    for (const Count member : members) centre[d] += points.at(to_index(member), d);
    centre[d] /= to_double(members.size());
  }
  return centre;
}

/// The middle of the points, and points between it and the corners of their box.
std::vector<Centre> starts(const Points& points) {
  Counts all(points.size());
  std::iota(all.begin(), all.end(), Count{0});
  std::vector<Centre> centres{mean(points, all)};
  if (points.dimensions() > most_cornered) return centres;
  for (std::size_t corner = 0; corner < std::size_t{1} << points.dimensions(); ++corner) {
    Centre centre = centres.front();
    for (std::size_t d = 0; d < centre.size(); ++d) {
      const auto [low, high] = std::minmax_element(points.column(d).begin(), points.column(d).end());
      centre[d] = (centre[d] + ((corner >> d & 1) != 0 ? *high : *low)) / 2;
    }
    centres.push_back(std::move(centre));
  }
  return centres;
}

}  // namespace

Counts closest_cores(const Points& cores, Count count) {
  require(1 <= count && count <= count_of(cores), count, " cores cannot be chosen from ", cores.size(),
          "; it takes 1..", cores.size());
  CoreCluster best{{}, 0};
  for (const Centre& start : starts(cores)) {
    CoreCluster cluster = nearest(cores, start, to_size(count));
    for (int round = 0; round < most_rounds; ++round) {
      CoreCluster next = nearest(cores, mean(cores, cluster.members), to_size(count));
      const bool settled = next.members == cluster.members;
      cluster = std::move(next);
      if (settled) break;
    }
    if (best.members.empty() || cluster.spread < best.spread) best = std::move(cluster);
  }
  return best.members;
}

}  // namespace halocline::network
