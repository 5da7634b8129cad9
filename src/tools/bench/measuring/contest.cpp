// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/contest.hpp"

#include "base/numbers.hpp"
#include "mpi/handles/call.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/turns.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace halocline::tools {
namespace {

double seconds_once(MPI_Comm comm, const Competitor& competitor, const ContestRules& rules) {
  if (rules.prepare) rules.prepare(competitor);
  HALOCLINE_MPI(Barrier, comm);
  const double seconds = seconds_of(wall_clock, competitor.run, rules.inner);
  if (competitor.settle) competitor.settle();
  HALOCLINE_MPI(Barrier, comm);
  return seconds;
}

/// Those of a turn that count.
std::size_t counted(const ContestRules& rules) {
  return static_cast<std::size_t>(rules.in_a_row - rules.in_a_row / 4);
}

void take_turn(MPI_Comm comm, const Competitor& competitor, const ContestRules& rules, double* seconds) {
  for (std::size_t i = counted(rules); i < static_cast<std::size_t>(rules.in_a_row); ++i)
    (void)seconds_once(comm, competitor, rules);
  for (std::size_t i = 0; i < counted(rules); ++i) seconds[i] = seconds_once(comm, competitor, rules);
}

}  // namespace

void wait_asleep(MPI_Comm comm) {
  MPI_Request all_here = MPI_REQUEST_NULL;
  HALOCLINE_MPI(Ibarrier, comm, &all_here);
  for (int done = 0; !done;) {
    HALOCLINE_MPI(Test, &all_here, &done, MPI_STATUS_IGNORE);
    if (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::vector<std::vector<double>> measure(MPI_Comm comm, const std::vector<Competitor>& competitors,
                                         const ContestRules& rules) {
  const std::size_t number = competitors.size();
  const std::size_t of_turn = counted(rules);
  const std::size_t times = of_turn * to_size(rules.repetitions);
  for (const Competitor& competitor : competitors) {  // first use is never typical
    competitor.run();
    if (competitor.settle) competitor.settle();
  }
  std::vector<std::vector<double>> medians;
  std::mt19937 chance;  // with its usual seed: all processes draw the same
  for (int run = 0; run < rules.runs; ++run) {
    std::vector<double> mine(number * times), slowest(number * times);
    for (std::size_t turn = 0; turn < times; turn += of_turn)
      for (const std::size_t c : shuffled(number, chance))
        take_turn(comm, competitors[c], rules, mine.data() + c * times + turn);
    HALOCLINE_MPI(Allreduce, mine.data(), slowest.data(), to_int(mine.size()), MPI_DOUBLE, MPI_MAX, comm);
    std::vector<double>& of_run = medians.emplace_back();
    for (std::size_t c = 0; c < number; ++c) {
      const auto first = slowest.begin() + static_cast<std::ptrdiff_t>(c * times);
      of_run.push_back(median({first, first + static_cast<std::ptrdiff_t>(times)}));
    }
  }
  return medians;
}

SpeedUps speed_ups(const std::vector<std::vector<double>>& seconds, std::size_t competitor) {
  std::vector<double> all(seconds.size());
  std::transform(seconds.begin(), seconds.end(), all.begin(),
                 [&](const std::vector<double>& run) { return run.front() / run[competitor]; });
  return {median(all), *std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}

double middle_seconds(const std::vector<std::vector<double>>& seconds, std::size_t competitor) {
  std::vector<double> all(seconds.size());
  std::transform(seconds.begin(), seconds.end(), all.begin(),
                 [&](const std::vector<double>& run) { return run[competitor]; });
  return median(all);
}

Remaining after_one_round(MPI_Comm comm, const std::vector<Competitor>& competitors,
                          const ContestRules& rules) {
  constexpr double fewest = 3;
  Remaining left{{}, rules, std::vector<double>(competitors.size(), 0)};
  const auto hopeless = [&](std::size_t c) {
    return c > 0 && rules.hopeless > 0 && left.seconds[c] > rules.hopeless * left.seconds.front();
  };
  if (rules.seconds > 0 || rules.hopeless > 0) {
    ContestRules once = rules;
    once.repetitions = once.runs = once.in_a_row = 1;
    left.seconds = measure(comm, competitors, once).front();
    // One that was disturbed gets a second chance.
    for (std::size_t c = 1; c < competitors.size(); ++c)
      if (hopeless(c))
        left.seconds[c] = std::min(left.seconds[c], measure(comm, {competitors[c]}, once).front().front());
  }
  double round = 0;
  for (std::size_t c = 0; c < competitors.size(); ++c) {
    if (hopeless(c)) continue;
    left.competitors.push_back(c);
    round += left.seconds[c] * rules.inner * rules.in_a_row;
  }
  if (rules.seconds > 0 && round > 0) {
    const double affordable = std::max(fewest, rules.seconds / (round * rules.runs));
    if (affordable < rules.repetitions) left.rules.repetitions = static_cast<int>(affordable);
  }
  return left;
}

}  // namespace halocline::tools
