// halocline bench: real communication under MPI, compared by ratios within one run.

#include "halocline/base/error.hpp"
#include "tools/bench_cluster.hpp"
#include "tools/command.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {

[[nodiscard]] Action declare_bench_exchange(CLI::App& options);
[[nodiscard]] Action declare_bench_halo(CLI::App& options);
[[nodiscard]] Action declare_bench_levels(CLI::App& options);
[[nodiscard]] Action declare_bench_pack(CLI::App& options);
[[nodiscard]] Action declare_bench_place(CLI::App& options);

Action declare_bench(CLI::App& options) {
  using Chosen = std::pair<CLI::App*, Action>;
  auto benchmarks = std::make_shared<std::vector<Chosen>>();
  const auto add = [&](const char* name, const char* summary, Action (*declare)(CLI::App&)) {
    CLI::App* const app = options.add_subcommand(name, summary);
    benchmarks->emplace_back(app, declare(*app));
  };
  auto cluster = std::make_shared<std::string>();
  options.add_option("--cluster", *cluster,
                     "on so many nodes of so many processes made of network namespaces of this machine, at "
                     "that rate, such as 4x8@1000mbit; taken down at the end; needs root and Open MPI");
  options.require_subcommand(1);
  options.fallthrough();
  add("exchange", "blocks with all neighbours, beside MPI's collectives and messages",
      declare_bench_exchange);
  add("halo", "the halos of fields, beside MPI's collectives, messages of datatypes and packing by hand",
      declare_bench_halo);
  add("levels", "latency and bandwidth between processes, by what they share", declare_bench_levels);
  add("pack", "parts of a cube of doubles, beside MPI_Pack, in one process", declare_bench_pack);
  add("place", "how long the placement algorithms plan; needs no MPI", declare_bench_place);
  return [benchmarks, cluster]() -> Answer {
    if (!cluster->empty()) run_on_cluster(*cluster);
    for (const auto& [app, action] : *benchmarks)
      if (app->parsed()) return action();
    fail(Fault::invalid_argument, "bench what?");
  };
}

}  // namespace halocline::tools
