// SPDX-License-Identifier: BSD-3-Clause
// Comparing communication fairly on a noisy machine: all competitors in one run, in turns.
#pragma once

#include "tools/bench/measuring/median.hpp"

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace halocline::tools {

/// Something to be timed. Collective; all processes have the same list.
struct Competitor {
  std::string name;
  std::function<void()> run;
  std::function<void()> settle = {};  ///< After it, outside of the time: completes what it has begun.
};

/// How a contest is run.
struct ContestRules {
  int repetitions = 30;  ///< Of every competitor in a run.
  int runs = 5;          ///< Ratios are taken within a run, and compared between runs.
  int inner = 1;         ///< Calls that are timed as one.
  int in_a_row = 1;      ///< Times that are taken in one turn; the first quarter of them does not count.
  double seconds = 0;    ///< Fewer repetitions where all would take longer; 0: it may take any time.
  double hopeless = 0;   ///< Not again who takes longer than so many times the first one; 0: everybody.
  /// Before each time that is taken, outside of it: writes new data for the one whose turn it is.
  std::function<void(const Competitor&)> prepare;
};

/// What is left of a contest after one round of it.
struct Remaining {
  std::vector<std::size_t> competitors;  ///< Those that are worth repeating, the first one among them.
  ContestRules rules;                    ///< At least 3 repetitions, if the rules have as many.
  std::vector<double> seconds;           ///< Of the one round, of all.
};

/// Runs everybody once, and once more to see how long that takes, if `rules` limit time or hope; otherwise
/// nothing is run and nobody left out. Who seems hopeless is asked a second time. The result is the same on
/// all processes. Collective.
[[nodiscard]] Remaining after_one_round(MPI_Comm comm, const std::vector<Competitor>& competitors,
                                        const ContestRules& rules);

/// Seconds of one call: the slowest process counts, the median over repetitions is taken. [run][competitor]
///
/// In each repetition every competitor runs once, after a barrier and followed by one, in an order by chance:
/// what ran before leaves its traces, such as connections that are busy or idle, and nobody shall always have
/// the same predecessor. Where each runs several times in a row, it does so between such barriers each time,
/// and finds in the caches what itself has left there. The result is the same on all processes. Collective.
[[nodiscard]] std::vector<std::vector<double>> measure(MPI_Comm comm,
                                                       const std::vector<Competitor>& competitors,
                                                       const ContestRules& rules);

/// How many times as fast as the first competitor one is, over the runs.
struct SpeedUps {
  double middle, low, high;
};
[[nodiscard]] SpeedUps speed_ups(const std::vector<std::vector<double>>& seconds, std::size_t competitor);
/// The median over the runs.
[[nodiscard]] double middle_seconds(const std::vector<std::vector<double>>& seconds, std::size_t competitor);

/// Waits until all processes have come here, asleep: who comes late has the processors for itself.
/// Collective.
void wait_asleep(MPI_Comm comm);

}  // namespace halocline::tools
