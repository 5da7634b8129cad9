// halocline bench place: how long each placement algorithm plans, and how long a process looks for its cell.

#include "halocline/place/algorithms.hpp"
#include "halocline/place/cost.hpp"
#include "tools/bench/contest.hpp"
#include "tools/bench/timed.hpp"
#include "tools/common/command.hpp"
#include "tools/common/shared_options.hpp"

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
  return seconds / static_cast<double>(looked);
}

Answer answer_bench_place(const PlaceBenchWords& words) {
  const Grid grid = words.grid.grid();
  const place::Problem problem(grid, words.stencil.stencil(grid.dimensions()), words.machine.machine());
  Answer answer;
  answer.json = {{"repetitions", words.repetitions}, {"results", nlohmann::ordered_json::array()}};
  answer.text = fmt::format("{:<16} {:>14} {:>14} {:>14} {:>14}\n", "algorithm", "j_sum", "j_max",
                            "plan [us]", "look-up [ns]");
  for (const place::Algorithm& algorithm : place::algorithms()) {
    std::vector<double> plans(static_cast<std::size_t>(words.repetitions));
    for (double& seconds : plans) (void)timed(seconds, [&] { return algorithm.place(problem); });
    const Placement placement = algorithm.place(problem);
    const place::Cost cost = place::cost(problem, placement);
    const double plan = median(plans), look_up = look_up_seconds(placement, grid.size());
    answer.text += fmt::format("{:<16} {:>14} {:>14} {:>14.2f} {:>14.1f}\n", algorithm.name, cost.j_sum(),
                               cost.j_max(), 1e6 * plan, 1e9 * look_up);
    answer.json["results"].push_back({{"algorithm", algorithm.name},
                                      {"j_sum", cost.j_sum()},
                                      {"j_max", cost.j_max()},
                                      {"plan_seconds", plan},
                                      {"lookup_seconds", look_up}});
  }
  return answer;
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
