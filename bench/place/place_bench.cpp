// How good placements are and how long they take: tables for the documentation.
// Usage: halocline_bench place [seed]

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "instances.hpp"
#include "place/algorithms.hpp"
#include "place/best.hpp"
#include "place/cost/cost.hpp"
#include "uneven_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>

namespace halocline::bench {
namespace {

using place::Algorithm;
using place::algorithm;
using place::algorithms;
using place::LevelCost;
using place::node_cost;
using place::Problem;

const std::vector<std::string> rivals{"hyperplane", "kd-tree", "strips"};

double seconds_of(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The least of several runs, for about a tenth of a second.
double least_seconds(const std::function<void()>& run) {
  double least = seconds_of(run);
  for (double spent = least; spent < 0.1;) {
    const double next = seconds_of(run);
    spent += next;
    least = std::min(least, next);
  }
  return least;
}

Problem problem(const std::string& grid, const std::string& nodes, const std::string& stencil) {
  const Grid parsed = Grid::parse(grid);
  return {parsed, Stencil::parse(stencil, parsed.dimensions()), Machine::of_nodes(Runs::parse(nodes))};
}

/// A geometric mean that knows whether it has seen anything.
class Mean {
 public:
  void add(double ratio) {
    sum_ += std::log(ratio);
    ++count_;
  }
  [[nodiscard]] std::string text() const {
    if (count_ == 0) return "-";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3f", std::exp(sum_ / count_));
    return buffer;
  }

 private:
  double sum_ = 0;
  int count_ = 0;
};

void print_reference() {
  std::printf("J_sum/J_max of the reference instances\n%-16s", "");
  const std::vector<std::pair<std::string, std::string>> grids{{"50x48", "50x48"}, {"75x64", "100x48"}};
  const std::vector<std::string> stencils{"nearest", "hops", "component"};
  for (const auto& [grid, nodes] : grids)
    for (const std::string& stencil : stencils) std::printf(" %16s", (grid + " " + stencil).c_str());
  std::printf("\n");
  for (const Algorithm& candidate : algorithms()) {
    std::printf("%-16s", std::string(candidate.name).c_str());
    for (const auto& [grid, nodes] : grids)
      for (const std::string& stencil : stencils) {
        const Problem instance = problem(grid, nodes, stencil);
        const LevelCost cost = node_cost(instance, candidate.place(instance));
        std::printf(" %16s",
                    (std::to_string(cost.total.bytes) + "/" + std::to_string(cost.largest.bytes)).c_str());
      }
    std::printf("\n");
  }
}

void print_quality(std::uint64_t seed) {
  std::printf(
      "\nJ_sum of best, geometric means of ratios (seed %llu); worst: the largest ratio to any of the "
      "three\n",
      static_cast<unsigned long long>(seed));
  std::printf("%-20s %5s %12s %12s %12s %12s %8s %12s %12s\n", "class", "count", "/lower bound",
              "/hyperplane", "/kd-tree", "/strips", "worst", "optimal-us", "best-us");
  for (const InstanceSet& set : instance_sets(seed)) {
    Mean to_bound;
    std::vector<Mean> to_rival(rivals.size());
    double worst = 0, plan_seconds = 0, best_seconds = 0;
    std::size_t done = 0;
    for (const Problem& instance : set.problems) {
      std::fprintf(stderr, "\r%s: %zu of %zu ", set.name.c_str(), ++done, set.problems.size());
      plan_seconds += seconds_of([&] { (void)algorithm("optimal-strips").place(instance); });
      double ours = 0;
      best_seconds += seconds_of([&] { ours = static_cast<double>(place::best(instance).cost.j_sum()); });
      if (ours == 0) continue;
      if (const auto bound = lower_bound(instance); bound && *bound > 0) to_bound.add(ours / *bound);
      for (std::size_t i = 0; i < rivals.size(); ++i) {
        const double theirs =
            static_cast<double>(node_cost(instance, algorithm(rivals[i]).place(instance)).total.bytes);
        to_rival[i].add(ours / theirs);
        worst = std::max(worst, ours / theirs);
      }
    }
    std::fprintf(stderr, "\r%60s\r", "");
    const auto count = static_cast<double>(set.problems.size());
    std::printf("%-20s %5zu %12s %12s %12s %12s %8.3f %12.0f %12.0f\n", set.name.c_str(), set.problems.size(),
                to_bound.text().c_str(), to_rival[0].text().c_str(), to_rival[1].text().c_str(),
                to_rival[2].text().c_str(), worst, 1e6 * plan_seconds / count, 1e6 * best_seconds / count);
  }
}

void print_uneven() {
  struct Class {
    Mean to_known, to_bound;
    std::size_t count = 0;
    double worst = 0;
  };
  std::map<std::string, Class> classes;
  for (const UnevenInstance& row : uneven_set()) {
    const Problem instance = problem(std::string(row.grid), std::string(row.nodes), std::string(row.stencil));
    const auto ours = static_cast<double>(place::best(instance).cost.j_sum());
    const double ratio = ours / static_cast<double>(row.best_known);
    const std::string own = std::to_string(instance.grid().dimensions()) + "-D " + std::string(row.stencil);
    for (const std::string& name : {own, std::string("all")}) {
      Class& group = classes[name];
      group.to_known.add(ratio);
      group.worst = std::max(group.worst, ratio);
      ++group.count;
      if (const auto bound = lower_bound(instance); bound && *bound > 0) group.to_bound.add(ours / *bound);
    }
  }
  std::printf("\nUneven nodes, J_sum of best, geometric means of ratios (bench/place/uneven_set.cpp)\n");
  std::printf("%-20s %5s %12s %8s %12s\n", "class", "count", "/best known", "worst", "/lower bound");
  for (const auto& [name, group] : classes)
    std::printf("%-20s %5zu %12s %8.3f %12s\n", name.c_str(), group.count, group.to_known.text().c_str(),
                group.worst, group.to_bound.text().c_str());
}

void print_times() {
  struct Instance {
    const char *grid, *nodes, *stencil;
  };
  const std::vector<Instance> instances{
      {"80x60", "100x48", "nearest"},        {"80x60", "80x48,40x24", "nearest"},
      {"80x60", "80x48,40x24", "moore:1"},   {"75x64", "100x48", "nearest"},
      {"75x64", "100x48", "hops"},           {"75x64", "100x48", "moore:1"},
      {"75x64", "100x48", "octant:1"},       {"75x64", "100x48", "octant:2"},
      {"20x16x15", "100x48", "nearest"},     {"20x16x15", "100x48", "hops"},
      {"20x16x15", "100x48", "moore:1"},     {"20x16x15", "100x48", "octant:1"},
      {"20x16x15", "100x48", "octant:2"},    {"20x16x15", "80x48,40x24", "moore:1"},
      {"1000x1000", "20000x50", "nearest"},  {"1024x1000", "8000x128", "hops"},
      {"1000x1000", "20000x50", "moore:1"},  {"100x100x100", "20000x50", "nearest"},
      {"101x100x99", "10100x99", "nearest"}, {"104x100x96", "7800x128", "hops"},
      {"104x100x96", "20800x48", "moore:1"},
  };
  std::printf(
      "\nPlanning in ms, then one look-up in ns (rank to cell / cell to rank), random order; best: the "
      "portfolio with default options\n");
  std::printf("%-12s %-11s %-9s", "grid", "nodes", "stencil");
  std::vector<std::string> names = rivals;
  names.emplace_back("optimal-strips");
  for (const std::string& name : names) std::printf(" %24s", name.c_str());
  std::printf(" %12s\n", "best");
  for (const Instance& row : instances) {
    const Problem instance = problem(row.grid, row.nodes, row.stencil);
    const Grid& grid = instance.grid();
    std::printf("%-12s %-11s %-9s", row.grid, row.nodes, row.stencil);
    for (const std::string& name : names) {
      const double plan = least_seconds([&] { (void)algorithm(name).place(instance); });
      const Placement placement = algorithm(name).place(instance);
      constexpr std::size_t look_ups = 4096;
      std::mt19937_64 random(1);
      std::vector<Rank> ranks(look_ups);
      Counts cells;
      for (Rank& rank : ranks) {
        rank = static_cast<Rank>(random() % static_cast<std::uint64_t>(grid.size()));
        const Cell cell = grid.cell(static_cast<Count>(random() % static_cast<std::uint64_t>(grid.size())));
        cells.insert(cells.end(), cell.begin(), cell.end());
      }
      Count sum = 0;
      Cell cell(grid.dimensions());
      const double locate = least_seconds([&] {
        for (const Rank rank : ranks) {
          placement.cell(rank, cell);
          sum += cell[0];
        }
      });
      const double own = least_seconds([&] {
        for (std::size_t i = 0; i < look_ups; ++i)
          sum +=
              placement.rank(std::span<const Count>(cells).subspan(i * grid.dimensions(), grid.dimensions()));
      });
      if (sum < 0) std::abort();  // keeps the loops
      char text[64];
      std::snprintf(text, sizeof text, "%.3f ms %.0f/%.0f ns", 1e3 * plan, 1e9 * locate / look_ups,
                    1e9 * own / look_ups);
      std::printf(" %24s", text);
    }
    std::printf(" %9.3f ms\n", 1e3 * least_seconds([&] { (void)place::best(instance); }));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::place(int count, char** arguments) {
  const auto seed = number_argument<std::uint64_t>(count, arguments, 1, 2026, 0);
  print_reference();
  print_quality(seed);
  print_uneven();
  print_times();
  return 0;
}
