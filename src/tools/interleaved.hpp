// Comparing communication fairly on a noisy machine: all competitors in one run, in turns.
#pragma once

#include "tools/median.hpp"

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace halocline::tools {

/// Something to be timed. Collective; all processes have the same list.
struct Competitor {
  std::string name;
  std::function<void()> run;
};

struct Plan {
  int repetitions = 30;           ///< Of every competitor in a run.
  int runs = 5;                   ///< Ratios are taken within a run, and compared between runs.
  int inner = 1;                  ///< Calls that are timed as one.
  std::function<void()> prepare;  ///< Before each call, outside of the time: writes new data.
};

/// Seconds of one call: the slowest process counts, the median over repetitions is taken. [run][competitor]
///
/// In each repetition every competitor runs once, after a barrier and followed by one; who begins changes
/// from one repetition to the next. The result is the same on all processes. Collective.
[[nodiscard]] std::vector<std::vector<double>> measure(MPI_Comm comm,
                                                       const std::vector<Competitor>& competitors,
                                                       const Plan& plan);

/// Waits until all processes have come here, asleep: who comes late has the processors for itself.
/// Collective.
void wait_asleep(MPI_Comm comm);

}  // namespace halocline::tools
