// How long the shape stage takes: halocline_bench shape [--exhaustive] [--quick]
//   (none)         every number of processes up to a million, large and many-level cases
//   --quick        the first only for every hundredth number
//   --exhaustive   no timing: every p <= 10,000 in up to 4 dimensions against an exhaustive search

#include "base/join.hpp"
#include "benchmarks.hpp"
#include "shape/choose.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace halocline::shape {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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

void time_every_size(Count step) {
  std::printf("every %s p in 2..1000000\n", step == 1 ? "single" : "hundredth");
  std::printf("%4s  %-8s %12s %12s %10s\n", "d", "weights", "mean [us]", "worst [us]", "worst p");
  for (std::size_t dimensions = 2; dimensions <= 4; ++dimensions)
    for (const auto& [name, weights] : weights_of(dimensions)) {
      std::fprintf(stderr, "d = %zu, %s ...\n", dimensions, name.c_str());
      double worst = 0;
      Count worst_p = 0;
      Count calls = 0;
      const double total = seconds_of([&, &own = weights] {
        for (Count p = 2; p <= 1'000'000; p += step) {
          const auto call = [&] { (void)weighted_dims(p, own); };
          double seconds = seconds_of(call);
          ++calls;
          // A slow call may have been interrupted: only one that stays slow is the worst.
          for (int repeat = 0; repeat < 3 && seconds > worst; ++repeat)
            seconds = std::min(seconds, seconds_of(call));
          if (seconds <= worst) continue;
          worst = seconds;
          worst_p = p;
        }
      });
      std::printf("%4zu  %-8s %12.3f %12.1f %10lld\n", dimensions, name.c_str(),
                  total / static_cast<double>(calls) * 1e6, worst * 1e6, static_cast<long long>(worst_p));
    }
}

void time_large_sizes() {
  std::printf("\n%12s %4s  %-8s %10s  %s\n", "p", "d", "weights", "best [us]", "grid");
  for (const Count p : {735134400, 1000000000, 1102701600, 999999937, 2147483647})
    for (const std::size_t dimensions : {2, 3, 4})
      for (const auto& [name, weights] : weights_of(dimensions)) {
        Counts grid;
        double best = 1e9;
        for (int repeat = 0; repeat < 5; ++repeat)
          best = std::min(best, seconds_of([&, &own = weights] { grid = weighted_dims(p, own); }));
        std::printf("%12lld %4zu  %-8s %10.1f  %s\n", static_cast<long long>(p), dimensions, name.c_str(),
                    best * 1e6, join(grid, "x").c_str());
      }
  for (const std::size_t dimensions : {5, 6, 8}) {
    Counts grid;
    const double seconds = seconds_of([&] { grid = weighted_dims(735134400, Weights::equal(dimensions)); });
    std::printf("%12d %4zu  %-8s %10.1f  %s\n", 735134400, dimensions, "equal", seconds * 1e6,
                join(grid, "x").c_str());
  }
}

void time_levels() {
  const std::vector<std::pair<Counts, Mesh>> cases{{{625, 2, 12}, Mesh({1000, 1100, 950})},
                                                   {{24, 32}, Mesh({3000, 2000})},
                                                   {{4096, 2, 4, 16}, Mesh({4000, 3000, 2000})},
                                                   {{4096, 2, 4, 16}, Mesh({4000, 3000, 2000, 1000})},
                                                   {{5040, 5040, 5040}, Mesh({100000, 70000, 30000})},
                                                   {{5040, 5040, 5040}, Mesh({10000, 7000, 3000, 8000})},
                                                   {{720720, 720720}, Mesh({10000, 7000, 3000, 8000})}};
  std::printf("\n%-16s %-24s %14s %11s  %s\n", "levels", "mesh", "by level [us]", "joint [ms]",
              "joint shape");
  for (const auto& [levels, mesh] : cases) {
    std::fprintf(stderr, "levels %s ...\n", join(levels, ",").c_str());
    const Problem problem = Problem::for_mesh(levels, mesh);
    const double by_level = seconds_of([&] { (void)by_levels(problem); });
    JointShape best;
    const double together = seconds_of([&] { best = joint(problem); });
    std::string text;
    for (const Counts& factors : best.shape.levels) text += "(" + join(factors, ",") + ")";
    std::printf("%-16s %-24s %14.1f %11.3f  %s%s\n", join(levels, ",").c_str(), mesh.to_text().c_str(),
                by_level * 1e6, together * 1e3, text.c_str(), best.proven ? "" : " not proven");
  }
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

/// Returns how many results were not as good as they should be.
int check_exhaustively() {
  int wrong = 0;
  for (const Counts& weights :
       std::vector<Counts>{{1}, {1, 1}, {3, 2}, {1, 1, 1}, {3, 5, 4}, {1, 1, 1, 1}, {7, 2, 3, 2}}) {
    std::fprintf(stderr, "weights %s ...\n", join(weights, ",").c_str());
    const Weights exact(std::vector<double>(weights.begin(), weights.end()));
    for (Count p = 1; p <= 10'000; ++p) {
      const Counts grid = weighted_dims(p, exact);
      Count sum = 0;
      for (std::size_t i = 0; i < grid.size(); ++i) sum += weights[i] * grid[i];
      const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
      if (exhaustive(p, weights) == Counts{sum, *most - *least, *most}) continue;
      ++wrong;
      std::printf("p = %lld, weights %s: %s is not the best grid\n", static_cast<long long>(p),
                  join(weights, ",").c_str(), join(grid, "x").c_str());
    }
  }
  std::printf("%d wrong grids for p <= 10000 and up to 4 dimensions\n", wrong);
  return wrong;
}

}  // namespace
}  // namespace halocline::shape

int halocline::bench::shape(int argc, char** argv) {
  using namespace halocline::shape;
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--exhaustive") return check_exhaustively() == 0 ? 0 : 1;
  if (argc > 2 || (!option.empty() && option != "--quick")) {
    std::fprintf(stderr, "use: halocline_bench shape [--quick | --exhaustive]\n");
    return 2;
  }
  time_every_size(option == "--quick" ? 100 : 1);
  time_large_sizes();
  time_levels();
  return 0;
}
