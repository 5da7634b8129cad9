// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/levels/level_costs.hpp"

#include "base/numbers.hpp"
#include "tools/bench/measuring/median.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halocline::tools {

LinearTime fit(std::span<const MessageTime> samples) {
  // Minimises the sum of ((alpha + beta * n) / t - 1)^2: linear equations in alpha and beta.
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const MessageTime& sample : samples) {
    const double u = 1 / sample.seconds, v = to_double(sample.bytes) / sample.seconds;
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
    const double model = line.alpha_seconds + line.beta_seconds_per_byte * to_double(sample.bytes);
    line.largest_error = std::max(line.largest_error, std::abs(model / sample.seconds - 1));
  }
  return line;
}

namespace {

using MeasuredPoints = std::vector<std::pair<double, double>>;

Evidence evidence_of(const MeasuredPoints& points) {
  std::vector<double> slopes, above, misses;
  Count rising = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (points[i].first != points[j].first) {
        slopes.push_back((points[i].second - points[j].second) / (points[i].first - points[j].first));
        rising += slopes.back() > 0 ? 1 : 0;
      }
  if (slopes.empty()) return {};
  Evidence found;
  found.rising = ratio_of(rising, slopes.size());
  found.slope = median(std::move(slopes));
  for (const auto& [x, seconds] : points) above.push_back(seconds - found.slope * x);
  found.intercept = median(std::move(above));
  for (const auto& [x, seconds] : points)
    misses.push_back(std::abs((found.intercept + found.slope * x) / std::max(seconds, 1e-12) - 1));
  found.missed = median(std::move(misses));
  return found;
}

/// What speaks against times of more and more of something.
std::string doubt_about(const Evidence& evidence, const char* more, const char* noun) {
  constexpr double least_rising = 0.75, most_missed = 0.3;
  if (evidence.rising < least_rising)
    return fmt::format("{} took longer in {:.0f} % of comparisons only", more, 100 * evidence.rising);
  if (evidence.missed > most_missed)
    return fmt::format("the line misses half of the times of {} by {:.0f} % or more", noun,
                       100 * evidence.missed);
  return "";
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

BurstPrice burst_price(std::span<const BurstTime> times, Count ways_out, std::span<const MessageTime> alone) {
  MeasuredPoints by_messages, by_bytes;
  for (const BurstTime& time : times) {
    if (time.bytes == 1)
      by_messages.emplace_back(time.messages, time.seconds);
    else
      by_bytes.emplace_back(to_double(time.bytes) * to_double(ways_out), time.seconds);
  }
  BurstPrice price{{}, evidence_of(by_messages), evidence_of(by_bytes), false};
  const double one = alone.front().seconds, alpha = price.messages.slope, beta = price.bytes.slope;
  price.cost = {alpha > 0 ? alpha : one, beta > 0 ? beta : fit(alone).beta_seconds_per_byte};
  price.latency_of_bursts = one <= alpha;
  price.cost.latency_seconds =
      std::max(0.0, price.latency_of_bursts ? price.messages.intercept : one - price.cost.round_seconds);
  return price;
}

std::string doubt_about(const BurstPrice& price) {
  const std::string doubt = doubt_about(price.messages, "more messages", "messages");
  return doubt.empty() ? doubt_about(price.bytes, "longer messages", "longer messages") : doubt;
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
