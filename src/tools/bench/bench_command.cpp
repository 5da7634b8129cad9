// SPDX-License-Identifier: BSD-3-Clause
// halocline bench: real communication under MPI, compared by ratios within one run.

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "tools/bench/cluster.hpp"
#include "tools/common/command.hpp"

#include <CLI/App.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {

[[nodiscard]] Action declare_bench_exchange(Options& options);
[[nodiscard]] Action declare_bench_halo(Options& options);
[[nodiscard]] Action declare_bench_levels(Options& options);
[[nodiscard]] Action declare_bench_pack(Options& options);
[[nodiscard]] Action declare_bench_place(Options& options);
[[nodiscard]] Action declare_bench_plan(Options& options);

Action declare_bench(Options& options) {
  using Chosen = std::pair<CLI::App*, Action>;
  auto benchmarks = std::make_shared<std::vector<Chosen>>();
  const auto add = [&](const char* name, const char* summary, Action (*declare)(Options&)) {
    CLI::App* const app = options.app().add_subcommand(name, summary);
    Options its_own(*app);
    benchmarks->emplace_back(app, declare(its_own));
  };
  auto cluster = std::make_shared<std::string>();
  options.add_option("--cluster", *cluster,
                     "on so many nodes of so many processes made of network namespaces of this machine, at "
                     "that rate, such as 4x8@1000mbit; taken down at the end; needs root and Open MPI");
  options.app().require_subcommand(1);
  options.app().fallthrough();
  add("exchange", "exchange blocks with all neighbours, beside MPI's collectives and messages",
      declare_bench_exchange);
  add("halo",
      "exchange the halos of fields, beside MPI's collectives, messages of datatypes and packing by hand",
      declare_bench_halo);
  add("levels", "measure latency and bandwidth between processes, by what they share", declare_bench_levels);
  add("pack", "pack parts of a cube of doubles, beside MPI_Pack, in one process", declare_bench_pack);
  add("place", "measure how long the placement algorithms plan; needs no MPI", declare_bench_place);
  add("plan", "exchange the halo of a mesh as halocline plan plans it, beside the default",
      declare_bench_plan);
  return [benchmarks, cluster]() -> Answer {
    if (!cluster->empty()) run_on_cluster(*cluster);
    for (const auto& [app, action] : *benchmarks)
      if (app->parsed()) return action();
    fail(Fault::invalid_argument, "bench what?");
  };
}

}  // namespace halocline::tools
