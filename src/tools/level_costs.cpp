#include "tools/level_costs.hpp"

#include "tools/median.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halocline::tools {

LinearTime fit(std::span<const MessageTime> samples) {
  // Minimises the sum of ((alpha + beta * n) / t - 1)^2: linear equations in alpha and beta.
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const MessageTime& sample : samples) {
    const double u = 1 / sample.seconds, v = static_cast<double>(sample.bytes) / sample.seconds;
    aa += u * u, ab += u * v, bb += v * v, a += u, b += v;
  }
  const double determinant = aa * bb - ab * ab;
  LinearTime line{a / aa, 0, 0};  // all of one size: nothing is known of bytes
  if (determinant > 1e-12 * aa * bb) {
    line.alpha_seconds = (a * bb - b * ab) / determinant;
    line.beta_seconds_per_byte = (b * aa - a * ab) / determinant;
    if (line.alpha_seconds < 0) line = {0, b / bb, 0};
    if (line.beta_seconds_per_byte < 0) line = {a / aa, 0, 0};
  }
  for (const MessageTime& sample : samples) {
    const double model = line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(sample.bytes);
    line.largest_error = std::max(line.largest_error, std::abs(model / sample.seconds - 1));
  }
  return line;
}

namespace {

/// The median of the slopes between any two points; 0 if there are none.
double median_slope(std::span<const std::pair<double, double>> points) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (points[i].first != points[j].first)
        slopes.push_back((points[i].second - points[j].second) / (points[i].first - points[j].first));
  return slopes.empty() ? 0 : median(std::move(slopes));
}

}  // namespace

std::vector<BurstTime> bursts(Count largest_bytes) {
  constexpr int most_messages = 32, step = 4, sizes = 8;
  std::vector<BurstTime> all{{1, 1, 0}};
  for (int messages = step; messages <= most_messages; messages += step) all.push_back({messages, 1, 0});
  for (int size = 1; size <= sizes; ++size) all.push_back({1, largest_bytes * size / sizes, 0});
  return all;
}

Count largest_burst_bytes(Count processes) {
  constexpr Count node_bytes = Count{4} << 20, least = Count{4} << 10, most = Count{1} << 20;
  return std::clamp(node_bytes / std::max<Count>(processes, 1), least, most);
}

schedule::LinearCost burst_cost(std::span<const BurstTime> times, Count ways_out,
                                std::span<const MessageTime> alone) {
  std::vector<std::pair<double, double>> by_messages, by_bytes;
  for (const BurstTime& time : times) {
    if (time.bytes == 1)
      by_messages.emplace_back(time.messages, time.seconds);
    else
      by_bytes.emplace_back(static_cast<double>(time.bytes) * static_cast<double>(ways_out), time.seconds);
  }
  const double one = alone.front().seconds, alpha = median_slope(by_messages), beta = median_slope(by_bytes);
  schedule::LinearCost cost{alpha > 0 ? alpha : one, beta > 0 ? beta : fit(alone).beta_seconds_per_byte};
  cost.latency_seconds = std::max(0.0, one - cost.round_seconds);
  return cost;
}

Count processes_at_once(const Runs& node_sizes) {
  const auto all_of = [&](Count most) {
    Count sum = 0;
    for (const Run& run : node_sizes.runs()) sum += run.repeats * std::min(run.value, most);
    return sum;
  };
  Count most = 0;
  for (const Run& run : node_sizes.runs()) most = std::max(most, run.value);
  while (most > 0 && all_of(most) < 2 * most) --most;
  return most;
}

}  // namespace halocline::tools
