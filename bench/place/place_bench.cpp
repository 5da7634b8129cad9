// How good placements are and how long they take: tables for the documentation.

#include "base/fail.hpp"
#include "instances.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "place/algorithms.hpp"
#include "place/best.hpp"
#include "place/cost/cost.hpp"
#include "ratios.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"
#include "uneven_set.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>

namespace halocline::bench {
namespace {

using place::Algorithm;
using place::algorithm;
using place::algorithms;
using place::LevelCost;
using place::node_cost;
using place::Problem;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::ProgressBar;
using tools::seconds_of;
using tools::Table;
using tools::wall_clock;

const std::vector<std::string> rivals{"hyperplane", "kd-tree", "strips"};

constexpr tools::Samples many{1, std::numeric_limits<int>::max(), 0.1};

Problem problem(const std::string& grid, const std::string& nodes, const std::string& stencil) {
  const Grid parsed = Grid::parse(grid);
  return {parsed, Stencil::parse(stencil, parsed.dimensions()), Machine::of_nodes(Runs::parse(nodes))};
}

/// The mean of ratios, where there are some.
Entry mean_of(const Ratios& ratios) {
  return ratios.count() == 0 ? Entry("-", nullptr) : decimal(ratios.mean(), 3);
}

void add_reference(Answer& answer) {
  struct Instance {
    const char *grid, *nodes, *stencil;
  };
  std::vector<Instance> instances;
  for (const auto& [grid, nodes] : {std::pair{"50x48", "50x48"}, std::pair{"75x64", "100x48"}})
    for (const char* const stencil : {"nearest", "hops", "component"})
      instances.push_back({grid, nodes, stencil});
  std::vector<Column> columns{Column::left("", 16, "algorithm")};
  for (const Instance& instance : instances) {
    const std::string name = fmt::format("{} {}", instance.grid, instance.stencil);
    columns.push_back(Column::right(name, 16, name));
  }
  Table table(std::move(columns));
  for (const Algorithm& candidate : algorithms()) {
    std::vector<Entry> row{candidate.name};
    for (const Instance& instance : instances) {
      const Problem placing = problem(instance.grid, instance.nodes, instance.stencil);
      const LevelCost cost = node_cost(placing, candidate.place(placing));
      row.emplace_back(fmt::format("{}/{}", cost.total.bytes, cost.largest.bytes),
                       nlohmann::ordered_json{cost.total.bytes, cost.largest.bytes});
    }
    table.add(std::move(row));
  }
  append(answer, "reference", "J_sum/J_max of the reference instances\n", table);
}

void add_quality(Answer& answer, std::uint64_t seed, bool quick, ProgressBar& progress) {
  std::vector<Column> columns{Column::left("class", 20, "class"), Column::right("count", 5, "count"),
                              Column::right("/lower bound", 12, "to_lower_bound")};
  for (const std::string& rival : rivals) columns.push_back(Column::right("/" + rival, 12, "to_" + rival));
  columns.push_back(Column::right("worst", 8, "worst"));
  columns.push_back(Column::right("optimal-us", 12, "optimal_strips_seconds"));
  columns.push_back(Column::right("best-us", 12, "best_seconds"));
  Table table(std::move(columns));
  for (const InstanceSet& set : instance_sets(seed)) {
    Ratios to_bound, to_any;
    std::vector<Ratios> to_rival(rivals.size());
    double plan_seconds = 0, best_seconds = 0;
    const std::vector<Problem> problems = chosen(set.problems, quick);
    const auto count = static_cast<double>(problems.size());
    double done = 0;
    for (const Problem& instance : problems) {
      progress.at(set.name, done++ / count);
      plan_seconds += seconds_of(wall_clock, [&] { (void)algorithm("optimal-strips").place(instance); });
      double ours = 0;
      best_seconds +=
          seconds_of(wall_clock, [&] { ours = static_cast<double>(place::best(instance).cost.j_sum()); });
      if (ours == 0) continue;
      if (const auto bound = lower_bound(instance); bound && *bound > 0) to_bound.add(ours / *bound);
      for (std::size_t i = 0; i < rivals.size(); ++i) {
        const LevelCost theirs = node_cost(instance, algorithm(rivals[i]).place(instance));
        to_rival[i].add(ours / static_cast<double>(theirs.total.bytes));
        to_any.add(ours / static_cast<double>(theirs.total.bytes));
      }
    }
    std::vector<Entry> row{set.name, problems.size(), mean_of(to_bound)};
    for (const Ratios& ratios : to_rival) row.push_back(mean_of(ratios));
    row.push_back(decimal(to_any.largest(), 3));
    row.push_back(decimal(plan_seconds / count, 0, 1e6));
    row.push_back(decimal(best_seconds / count, 0, 1e6));
    table.add(std::move(row));
  }
  append(
      answer, "quality",
      fmt::format("\nJ_sum of best, geometric means of ratios (seed {}); worst: the largest ratio to any of "
                  "the three\n",
                  seed),
      table);
}

void add_uneven(Answer& answer, bool quick, ProgressBar& progress) {
  struct Class {
    Ratios to_known, to_bound;
  };
  progress.at("uneven nodes", -1);
  std::map<std::string, Class> classes;
  for (const UnevenInstance& row : chosen(uneven_set(), quick)) {
    const Problem instance = problem(std::string(row.grid), std::string(row.nodes), std::string(row.stencil));
    const auto ours = static_cast<double>(place::best(instance).cost.j_sum());
    const auto bound = lower_bound(instance);
    for (const std::string& name :
         {fmt::format("{}-D {}", instance.grid().dimensions(), row.stencil), std::string("all")}) {
      classes[name].to_known.add(ours / static_cast<double>(row.best_known));
      if (bound && *bound > 0) classes[name].to_bound.add(ours / *bound);
    }
  }
  Table table({Column::left("class", 20, "class"), Column::right("count", 5, "count"),
               Column::right("/best known", 12, "to_best_known"), Column::right("worst", 8, "worst"),
               Column::right("/lower bound", 12, "to_lower_bound")});
  for (const auto& [name, group] : classes)
    table.add({name, group.to_known.count(), mean_of(group.to_known), decimal(group.to_known.largest(), 3),
               mean_of(group.to_bound)});
  append(answer, "uneven",
         "\nUneven nodes, J_sum of best, geometric means of ratios (bench/place/uneven_set.cpp)\n", table);
}

/// Cells and ranks of a grid at random.
struct LookUps {
  static constexpr std::size_t number = 4096;
  explicit LookUps(const Grid& grid) : dimensions(grid.dimensions()), ranks(number) {
    std::mt19937_64 random(1);
    for (Rank& rank : ranks) {
      rank = static_cast<Rank>(random() % static_cast<std::uint64_t>(grid.size()));
      const Cell cell = grid.cell(static_cast<Count>(random() % static_cast<std::uint64_t>(grid.size())));
      cells.insert(cells.end(), cell.begin(), cell.end());
    }
  }
  [[nodiscard]] std::span<const Count> cell(std::size_t i) const {
    return std::span<const Count>(cells).subspan(i * dimensions, dimensions);
  }
  std::size_t dimensions;
  std::vector<Rank> ranks;
  Counts cells;
};

/// Planning, and a look-up in both directions.
Entry times_of(const Problem& instance, const std::string& name, const LookUps& look_ups, bool quick) {
  const auto least_seconds = [&](const auto& work) {
    return tools::least_seconds(work, chosen(many, quick));
  };
  const double plan = least_seconds([&] { (void)algorithm(name).place(instance); });
  const Placement placement = algorithm(name).place(instance);
  Count sum = 0;
  Cell cell(look_ups.dimensions);
  const double locate = least_seconds([&] {
    for (const Rank rank : look_ups.ranks) {
      placement.cell(rank, cell);
      sum += cell[0];
    }
  });
  const double own = least_seconds([&] {
    for (std::size_t i = 0; i < LookUps::number; ++i) sum += placement.rank(look_ups.cell(i));
  });
  if (sum < 0) fail(Fault::internal, "cells have negative numbers");  // keeps the loops
  const double cell_seconds = locate / LookUps::number, rank_seconds = own / LookUps::number;
  return {fmt::format("{:.3f} ms {:.0f}/{:.0f} ns", 1e3 * plan, 1e9 * cell_seconds, 1e9 * rank_seconds),
          {{"plan_seconds", plan}, {"cell_seconds", cell_seconds}, {"rank_seconds", rank_seconds}}};
}

void add_times(Answer& answer, bool quick, ProgressBar& progress) {
  struct Instance {
    const char *grid, *nodes, *stencil;
  };
  constexpr std::array instances{
      Instance{"80x60", "100x48", "nearest"},        Instance{"80x60", "80x48,40x24", "nearest"},
      Instance{"80x60", "80x48,40x24", "moore:1"},   Instance{"75x64", "100x48", "nearest"},
      Instance{"75x64", "100x48", "hops"},           Instance{"75x64", "100x48", "moore:1"},
      Instance{"75x64", "100x48", "octant:1"},       Instance{"75x64", "100x48", "octant:2"},
      Instance{"20x16x15", "100x48", "nearest"},     Instance{"20x16x15", "100x48", "hops"},
      Instance{"20x16x15", "100x48", "moore:1"},     Instance{"20x16x15", "100x48", "octant:1"},
      Instance{"20x16x15", "100x48", "octant:2"},    Instance{"20x16x15", "80x48,40x24", "moore:1"},
      Instance{"1000x1000", "20000x50", "nearest"},  Instance{"1024x1000", "8000x128", "hops"},
      Instance{"1000x1000", "20000x50", "moore:1"},  Instance{"100x100x100", "20000x50", "nearest"},
      Instance{"101x100x99", "10100x99", "nearest"}, Instance{"104x100x96", "7800x128", "hops"},
      Instance{"104x100x96", "20800x48", "moore:1"},
  };
  std::vector<std::string> names = rivals;
  names.emplace_back("optimal-strips");
  std::vector<Column> columns{Column::left("grid", 12, "grid"), Column::left("nodes", 11, "nodes"),
                              Column::left("stencil", 9, "stencil")};
  for (const std::string& name : names) columns.push_back(Column::right(name, 24, name));
  columns.push_back(Column::right("best", 12, "best_seconds"));
  Table table(std::move(columns));
  for (const Instance& row : chosen(instances, quick)) {
    progress.at(fmt::format("times on {} {}", row.grid, row.stencil), -1);
    const Problem instance = problem(row.grid, row.nodes, row.stencil);
    const LookUps look_ups(instance.grid());
    std::vector<Entry> entries{row.grid, row.nodes, row.stencil};
    for (const std::string& name : names) entries.push_back(times_of(instance, name, look_ups, quick));
    const double best = tools::least_seconds([&] { (void)place::best(instance); }, chosen(many, quick));
    entries.emplace_back(fmt::format("{:.3f} ms", 1e3 * best), best);
    table.add(std::move(entries));
  }
  append(answer, "times",
         "\nPlanning in ms, then one look-up in ns (rank to cell / cell to rank), random order; best: the "
         "portfolio with default options\n",
         table);
}

Answer answer_place(std::uint64_t seed, bool quick) {
  ProgressBar progress("placements");
  Answer answer;
  add_reference(answer);
  add_quality(answer, seed, quick, progress);
  add_uneven(answer, quick, progress);
  add_times(answer, quick, progress);
  return answer;
}

}  // namespace

tools::Action declare_place(tools::Options& options) {
  struct Words {
    std::uint64_t seed = 2026;
    bool quick = false;
  };
  auto words = std::make_shared<Words>();
  options.add_option("seed", words->seed, "of the random instances").capture_default_str();
  add_quick_option(options, words->quick);
  return [words] { return answer_place(words->seed, words->quick); };
}

}  // namespace halocline::bench
