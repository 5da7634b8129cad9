// How long the shape stage takes: for every number of processes up to a million, for large ones and for many
// levels. Or no time at all: every small number against an exhaustive search.

#include "base/fail.hpp"
#include "base/join.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "shape/choose.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

namespace halocline::bench {
namespace {

using shape::by_levels;
using shape::joint;
using shape::JointShape;
using shape::Problem;
using shape::weighted_dims;
using tools::Answer;
using tools::decimal;
using tools::least_seconds;
using tools::ProgressBar;
using tools::seconds_of;
using tools::Table;
using tools::wall_clock;

struct NamedWeights {
  std::string name;
  Weights weights;
};

std::vector<NamedWeights> weights_of(std::size_t dimensions) {
  const std::vector<double> inverse{1.0 / 1000, 1.0 / 1100, 1.0 / 950, 1.0 / 1300};
  const Counts extents{1000, 1100, 950, 1300};
  const auto count = static_cast<std::ptrdiff_t>(dimensions);
  return {{"equal", Weights::equal(dimensions)},
          {"mesh", Weights::of_mesh(Mesh(Counts(extents.begin(), extents.begin() + count)))},
          {"doubles", Weights(std::vector<double>(inverse.begin(), inverse.begin() + count))}};
}

void time_every_size(Answer& answer, Count step, ProgressBar& progress) {
  Table table({Column::right("d", 4, "dimensions"), Column::left("weights", 8, "weights", "  "),
               Column::right("mean [us]", 12, "mean_seconds"),
               Column::right("worst [us]", 12, "worst_seconds"),
               Column::right("worst p", 10, "worst_processes")});
  for (std::size_t dimensions = 2; dimensions <= 4; ++dimensions)
    for (const auto& [name, weights] : weights_of(dimensions)) {
      progress.at(fmt::format("d = {}, {}", dimensions, name), -1);
      double worst = 0;
      Count worst_p = 0;
      Count calls = 0;
      const double total = seconds_of(wall_clock, [&, &own = weights] {
        for (Count p = 2; p <= 1'000'000; p += step) {
          const auto call = [&] { (void)weighted_dims(p, own); };
          double seconds = seconds_of(wall_clock, call);
          ++calls;
          // A slow call may have been interrupted: only one that stays slow is the worst.
          for (int repeat = 0; repeat < 3 && seconds > worst; ++repeat)
            seconds = std::min(seconds, seconds_of(wall_clock, call));
          if (seconds <= worst) continue;
          worst = seconds;
          worst_p = p;
        }
      });
      table.add({dimensions, name, decimal(total / static_cast<double>(calls), 3, 1e6),
                 decimal(worst, 1, 1e6), worst_p});
    }
  append(answer, "every_size", fmt::format("every {} p in 2..1000000\n", step == 1 ? "single" : "hundredth"),
         table);
}

void time_large_sizes(Answer& answer, bool quick) {
  Table table({Column::right("p", 12, "processes"), Column::right("d", 4, "dimensions"),
               Column::left("weights", 8, "weights", "  "), Column::right("best [us]", 10, "seconds"),
               Column::left("grid", 0, "grid", "  ")});
  const auto add = [&](Count p, std::size_t dimensions, const NamedWeights& named, int calls) {
    Counts grid;
    const double seconds = least_seconds([&] { grid = weighted_dims(p, named.weights); }, {calls, calls, 0});
    table.add({p, dimensions, named.name, decimal(seconds, 1, 1e6), join(grid, "x")});
  };
  for (const Count p : chosen(Counts{735134400, 1000000000, 1102701600, 999999937, 2147483647}, quick))
    for (const std::size_t dimensions : {2, 3, 4})
      for (const NamedWeights& named : weights_of(dimensions)) add(p, dimensions, named, 5);
  for (const std::size_t dimensions : chosen(std::vector<std::size_t>{5, 6, 8}, quick))
    add(735134400, dimensions, {"equal", Weights::equal(dimensions)}, 1);
  append(answer, "large_sizes", "\n", table);
}

void time_levels(Answer& answer, bool quick, ProgressBar& progress) {
  const std::vector<std::pair<Counts, Mesh>> cases{{{625, 2, 12}, Mesh({1000, 1100, 950})},
                                                   {{24, 32}, Mesh({3000, 2000})},
                                                   {{4096, 2, 4, 16}, Mesh({4000, 3000, 2000})},
                                                   {{4096, 2, 4, 16}, Mesh({4000, 3000, 2000, 1000})},
                                                   {{5040, 5040, 5040}, Mesh({100000, 70000, 30000})},
                                                   {{5040, 5040, 5040}, Mesh({10000, 7000, 3000, 8000})},
                                                   {{720720, 720720}, Mesh({10000, 7000, 3000, 8000})}};
  Table table({Column::left("levels", 16, "levels"), Column::left("mesh", 24, "mesh"),
               Column::right("by level [us]", 14, "by_level_seconds"),
               Column::right("joint [ms]", 11, "joint_seconds"),
               Column::left("joint shape", 0, "shape", "  "), Column::hidden("proven")});
  for (const auto& [levels, mesh] : chosen(cases, quick)) {
    progress.at("levels " + join(levels, ","), -1);
    const Problem problem = Problem::for_mesh(levels, mesh);
    const double by_level = seconds_of(wall_clock, [&] { (void)by_levels(problem); });
    JointShape best;
    const double together = seconds_of(wall_clock, [&] { best = joint(problem); });
    std::string text;
    for (const Counts& factors : best.shape.levels) text += "(" + join(factors, ",") + ")";
    table.add({join(levels, ","),
               mesh.to_text(),
               decimal(by_level, 1, 1e6),
               decimal(together, 3, 1e3),
               {text + (best.proven ? "" : " not proven"), text},
               {"", best.proven}});
  }
  append(answer, "levels", "\n", table);
}

/// The grid that the rules prefer among all of them, in integers: weights times counts.
Counts exhaustive(Count p, const Counts& weights) {
  Counts grid(weights.size(), 1);
  Counts best;
  std::vector<Count> best_key;
  const auto fill = [&](auto& self, std::size_t d, Count rest) -> void {
    if (d + 1 < grid.size()) {
      for (Count n = 1; n <= rest; ++n) {
        if (rest % n != 0) continue;
        grid[d] = n;
        self(self, d + 1, rest / n);
      }
      return;
    }
    grid[d] = rest;
    Count sum = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) sum += weights[i] * grid[i];
    const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
    const std::vector<Count> key{sum, *most - *least, *most};
    if (!best.empty() && key >= best_key) return;
    best_key = key;
    best = grid;
  };
  fill(fill, 0, p);
  return best_key;
}

Answer check_exhaustively() {
  ProgressBar progress("every p against an exhaustive search");
  Count wrong = 0;
  std::string first;
  for (const Counts& weights :
       std::vector<Counts>{{1}, {1, 1}, {3, 2}, {1, 1, 1}, {3, 5, 4}, {1, 1, 1, 1}, {7, 2, 3, 2}}) {
    progress.at("weights " + join(weights, ","), -1);
    const Weights exact(std::vector<double>(weights.begin(), weights.end()));
    for (Count p = 1; p <= 10'000; ++p) {
      const Counts grid = weighted_dims(p, exact);
      Count sum = 0;
      for (std::size_t i = 0; i < grid.size(); ++i) sum += weights[i] * grid[i];
      const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
      if (exhaustive(p, weights) == Counts{sum, *most - *least, *most}) continue;
      if (wrong++ == 0) first = concat("p = ", p, ", weights ", join(weights, ","), ": ", join(grid, "x"));
    }
  }
  if (wrong > 0) fail(Fault::internal, wrong, " grids are not the best; the first: ", first);
  return {"0 wrong grids for p <= 10000 and up to 4 dimensions\n", {{"wrong", wrong}}};
}

Answer answer_shape(bool quick) {
  ProgressBar progress("shapes");
  Answer answer;
  time_every_size(answer, quick ? 100 : 1, progress);
  time_large_sizes(answer, quick);
  time_levels(answer, quick, progress);
  return answer;
}

}  // namespace

tools::Action declare_shape(tools::Options& options) {
  struct Words {
    bool quick = false, exhaustive = false;
  };
  auto words = std::make_shared<Words>();
  add_quick_option(options, words->quick);
  options
      .add_flag("--exhaustive", words->exhaustive,
                "no times: every p up to 10,000 in up to 4 dimensions, against an exhaustive search")
      .excludes(options.find("--quick"));
  return [words] { return words->exhaustive ? check_exhaustively() : answer_shape(words->quick); };
}

}  // namespace halocline::bench
