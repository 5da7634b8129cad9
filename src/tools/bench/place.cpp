// SPDX-License-Identifier: BSD-3-Clause
// halocline bench place: how long each placement algorithm plans, and how long a process looks for its cell.

#include "base/numbers.hpp"
#include "place/algorithms.hpp"
#include "place/cost/cost.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/common/command.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace halocline::tools {
namespace {

struct PlaceBenchWords {
  GridWords grid;
  MachineWords machine;
  StencilWords stencil;
  int repetitions = 11;
};

/// Of one look-up, over ranks spread evenly.
double look_up_seconds(const Placement& placement, Rank ranks) {
  constexpr Rank most = 10000;
  const Rank looked = std::min(ranks, most);
  double seconds = 0;
  Count sum = 0;
  (void)timed(seconds, [&] {
    for (Rank i = 0; i < looked; ++i) sum += placement.cell(i * (ranks / looked))[0];
    return sum;
  });
  return seconds / to_double(looked);
}

Answer answer_bench_place(const PlaceBenchWords& words) {
  const Grid grid = words.grid.grid();
  const place::Problem problem(grid, words.stencil.stencil(grid.dimensions()), words.machine.machine());
  Table table({Column::left("algorithm", 16, "algorithm"), Column::right("j_sum", 14, "j_sum"),
               Column::right("j_max", 14, "j_max"), Column::right("plan [us]", 14, "plan_seconds"),
               Column::right("look-up [ns]", 14, "lookup_seconds")});
  for (const place::Algorithm& algorithm : place::algorithms()) {
    std::vector<double> plans(to_size(words.repetitions));
    for (double& seconds : plans) (void)timed(seconds, [&] { return algorithm.place(problem); });
    const Placement placement = algorithm.place(problem);
    const place::Cost cost = place::cost(problem, placement);
    const double plan = median(plans), look_up = look_up_seconds(placement, grid.size());
    table.add({algorithm.name, cost.j_sum(), cost.j_max(), decimal(plan, 2, 1e6), decimal(look_up, 1, 1e9)});
  }
  return {table.to_text(), {{"repetitions", words.repetitions}, {"results", table.to_json()}}};
}

}  // namespace

Action declare_bench_place(Options& options) {
  auto words = std::make_shared<PlaceBenchWords>();
  words->grid.declare(options);
  words->machine.declare(options);
  words->stencil.declare(options);
  options.add_option("--repetitions", words->repetitions, "of each plan; the median counts")
      .capture_default_str()
      .positive();
  return [words] { return answer_bench_place(*words); };
}

}  // namespace halocline::tools
