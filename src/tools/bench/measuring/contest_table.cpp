// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/contest_table.hpp"

#include "mpi/handles/comm.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace halocline::tools {
namespace {

/// Of each competitor in each run; who was left out has the time of the one round in all of them.
struct Times {
  std::vector<std::vector<double>> seconds;
  std::vector<int> repetitions;  ///< In all runs together.
};

Times times_of(MPI_Comm comm, const std::vector<Competitor>& all, const ContestRules& rules) {
  const Remaining left = after_one_round(comm, all, rules);
  std::vector<Competitor> repeated;
  for (const std::size_t c : left.competitors) repeated.push_back(all[c]);
  Times times{{}, std::vector<int>(all.size(), 1)};
  for (const std::vector<double>& run : measure(comm, repeated, left.rules)) {
    std::vector<double>& of_run = times.seconds.emplace_back(left.seconds);
    for (std::size_t i = 0; i < repeated.size(); ++i) of_run[left.competitors[i]] = run[i];
  }
  for (const std::size_t c : left.competitors) times.repetitions[c] = left.rules.repetitions * rules.runs;
  return times;
}

}  // namespace

void show_progress(MPI_Comm comm, const std::string& text) {
  if (mpi::rank(comm) != 0) return;
  if (isatty(STDERR_FILENO))
    fmt::print(stderr, "\r{:<60}\r", text);
  else if (!text.empty())
    fmt::print(stderr, "{}\n", text);
}

void add_contest_options(Options& options, ContestRules& rules) {
  options.add_option("--repetitions", rules.repetitions, "how many turns each way has in a run")
      .capture_default_str()
      .positive();
  options
      .add_option("--runs", rules.runs,
                  "runs of all repetitions; each gives a speedup, and the median counts")
      .capture_default_str()
      .positive();
  options
      .add_option("--seconds", rules.seconds,
                  "about how long each size may take, with fewer repetitions if need be, at least 3 "
                  "(default: no limit)")
      .positive();
  options
      .add_option(
          "--hopeless", rules.hopeless,
          "a way that takes more than so many times as long as the first is run twice and then left out")
      .positive();
  options.add_option("--inner", rules.inner, "how many exchanges are timed together")
      .capture_default_str()
      .positive();
  options
      .add_option("--in-a-row", rules.in_a_row,
                  "how many times are taken one after the other in each turn of a way, as in a program that "
                  "has no other; the first quarter of them warms the caches and does not count")
      .capture_default_str()
      .positive();
}

Table contest_table(const char* heading, const char* key) {
  return Table({Column::right(heading, 9, key), Column::left("way", 20, "way", "  "),
                Column::hidden("schedule"), Column::right("time [us]", 11, "seconds"),
                Column::right("speedup", 7, "ratio"), Column::left("range", 13, "", "  "),
                Column::hidden("lowest_ratio"), Column::hidden("highest_ratio"), Column::left("schedule", 13),
                Column::right("init [us]", 9, "init_seconds"), Column::hidden("repetitions")});
}

void run_contest(Table& table, MPI_Comm comm, Count size, const std::vector<Contestant>& contestants,
                 const ContestRules& rules) {
  std::vector<Competitor> competitors;
  competitors.reserve(contestants.size());
  for (const Contestant& contestant : contestants) competitors.push_back(contestant.competitor);
  const auto [seconds, repetitions] = times_of(comm, competitors, rules);
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    const auto& [competitor, schedule, init] = contestants[c];
    const auto [middle, low, high] = speed_ups(seconds, c);
    table.add({{c == 0 ? std::to_string(size) : "", size},
               competitor.name,
               schedule,
               decimal(middle_seconds(seconds, c), 2, 1e6),
               decimal(middle, 2),
               fmt::format("{:.2f}-{:.2f}", low, high),
               decimal(low, 2),
               decimal(high, 2),
               schedule,
               {init > 0 ? fmt::format("{:.0f}", 1e6 * init) : "", init},
               repetitions[c]});
  }
}

}  // namespace halocline::tools
