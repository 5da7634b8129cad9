// SPDX-License-Identifier: BSD-3-Clause
// halocline bench: real communication under MPI, compared by ratios within one run.

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "tools/bench/cluster.hpp"
#include "tools/bench/parts.hpp"
#include "tools/common/command.hpp"

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {

[[nodiscard]] Action declare_bench_exchange(Options& options);
[[nodiscard]] Action declare_bench_halo(Options& options);
[[nodiscard]] Action declare_bench_levels(Options& options);
[[nodiscard]] Action declare_bench_overlap(Options& options);
[[nodiscard]] Action declare_bench_pack(Options& options);
[[nodiscard]] Action declare_bench_place(Options& options);
[[nodiscard]] Action declare_bench_plan(Options& options);

namespace {

/// Subcommands, and what each does.
using Benchmarks = std::vector<std::pair<CLI::App*, Action>>;

void add_benchmark(Benchmarks& benchmarks, CLI::App& above, const PartBenchmark& part) {
  CLI::App* const app = above.add_subcommand(part.name, part.summary);
  Options its_own(*app);
  benchmarks.emplace_back(app, part.declare(its_own));
}

/// The benchmarks of the parts below a command of their own: some have the name of what users measure.
void add_parts(Benchmarks& benchmarks, CLI::App& bench) {
  CLI::App* const app =
      bench.add_subcommand("part", "benchmarks of single parts of the library, for its developers");
  if (bench_parts().empty()) {
    static constexpr const char* left_out =
        "left out of this build; cmake -DHALOCLINE_BENCHMARKS=ON has them";
    app->description(app->get_description() + ": " + left_out);
    app->preparse_callback([](std::size_t) {
      throw CLI::ValidationError("bench part", std::string("the benchmarks of the parts are ") + left_out);
    });
  }
  for (const PartBenchmark& part : bench_parts()) add_benchmark(benchmarks, *app, part);
}

/// What could have stood behind the last word of the line. CLI11 would miss a benchmark before it tells which
/// word is none.
[[noreturn]] void refuse_nothing(const CLI::App& bench) {
  const std::vector<CLI::App*> given = bench.get_subcommands();
  const CLI::App& last = given.empty() ? bench : *given.front();
  std::string names;
  for (const CLI::App* app : last.get_subcommands([](const CLI::App*) { return true; }))
    names += (names.empty() ? "" : ", ") + app->get_name();
  fail(Fault::invalid_argument, given.empty() ? "bench" : "bench part", " what? It is one of ", names);
}

}  // namespace

Action declare_bench(Options& options) {
  auto benchmarks = std::make_shared<Benchmarks>();
  const auto add = [&](const char* name, const char* summary, Action (*declare)(Options&)) {
    add_benchmark(*benchmarks, options.app(), {name, summary, declare});
  };
  auto cluster = std::make_shared<std::string>();
  options.add_option("--cluster", *cluster,
                     "on so many nodes of so many processes made of network namespaces of this machine, at "
                     "that rate, such as 4x8@1000mbit; taken down at the end; needs root and Open MPI");
  options.app().fallthrough();
  add("exchange", "exchange blocks with all neighbours, beside MPI's collectives and messages",
      declare_bench_exchange);
  add("halo",
      "exchange the halos of fields, beside MPI's collectives, messages of datatypes and packing by hand",
      declare_bench_halo);
  add("levels", "measure latency and bandwidth between processes, by what they share", declare_bench_levels);
  add("overlap", "exchange halos while every process computes, and see how much of it that hides",
      declare_bench_overlap);
  add("pack", "pack parts of a cube of doubles, beside MPI_Pack, in one process", declare_bench_pack);
  add("place", "measure how long the placement algorithms plan; needs no MPI", declare_bench_place);
  add("plan", "exchange the halo of a mesh as halocline plan plans it, beside the default",
      declare_bench_plan);
  add_parts(*benchmarks, options.app());
  return [benchmarks, cluster, &bench = options.app()]() -> Answer {
    if (!cluster->empty()) run_on_cluster(*cluster);
    for (const auto& [app, action] : *benchmarks)
      if (app->parsed()) return action();
    refuse_nothing(bench);
  };
}

}  // namespace halocline::tools
