// SPDX-License-Identifier: BSD-3-Clause
// halocline place: what each placement costs, and where it puts the processes; of a grid that is described,
// or of a program that was traced.

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/placement/seat_table.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/command.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"
#include "tools/plan/near_words.hpp"
#include "tools/plan/place_picture.hpp"
#include "tools/plan/rank_file_words.hpp"
#include "tools/traced/traced_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

namespace halocline::tools {
namespace {

struct PlaceWords {
  GridWords grid;
  MachineWords machine;
  StencilWords stencil;
  NetworkWords network;
  std::string mapping = plan::name_of(plan::NetworkOptions{}.variant);
  std::string algorithm{plan::best_placement};
  std::uint64_t seed = 0;
  double seconds = place::BestOptions{}.seconds;
  std::string map;
  std::string svg;
  RankFileWords rank_file;
  NearWords near;
  std::string hosts;
  std::string trace;
  std::string order;
};

struct PlacementResult {
  std::string algorithm;
  Placement placement;
  double plan_seconds;
  place::Cost cost;
  std::optional<plan::NetworkPlacement> on_network = {};  ///< Its placement is the one above.
};

PlacementResult placed_by(const place::Problem& problem, std::string_view name, double budget_seconds) {
  double seconds = 0;
  plan::PlacementChoice choice =
      timed(seconds, [&] { return plan::choose_placement(problem, name, {.seconds = budget_seconds}); });
  if (choice.cost.levels.empty()) choice.cost = place::cost(problem, choice.placement);
  return {std::move(choice.algorithm), std::move(choice.placement), seconds, std::move(choice.cost)};
}

std::vector<PlacementResult> results_of(const PlaceWords& words, const place::Problem& problem,
                                        ProgressBar& progress) {
  std::vector<PlacementResult> results;
  if (words.algorithm == "all") {
    for (const place::Algorithm& algorithm : place::algorithms()) {
      progress.at(std::string(algorithm.name), ratio_of(results.size(), place::algorithms().size()));
      results.push_back(placed_by(problem, algorithm.name, words.seconds));
    }
  } else {
    read_option("--algorithm", words.algorithm, plan::require_placement_name);
    results.push_back(placed_by(problem, words.algorithm, words.seconds));
  }
  return results;
}

/// Lets the nodes of a placement change places on the network; where the fullest link counts, another
/// placement than the best may win.
void fit_to_network(const PlaceWords& words, const place::Problem& problem, const Allocation& allocation,
                    PlacementResult& result) {
  const NodeMapping mapping = read_option("--mapping", words.mapping, plan::mapping_named);
  double seconds = 0;
  auto [algorithm, on_network] = timed(seconds, [&] {
    return plan::fit_to_network(problem, {result.algorithm, result.placement}, words.algorithm, allocation,
                                {.variant = mapping});
  });
  result.plan_seconds += seconds;
  result.algorithm = std::move(algorithm);
  result.on_network = std::move(on_network);
  result.placement = result.on_network->placement;
  result.cost = place::cost(problem, result.placement);
}

PlacementResult& best_of(std::vector<PlacementResult>& results) {
  return *std::min_element(
      results.begin(), results.end(), [](const PlacementResult& a, const PlacementResult& b) {
        const auto merit = [](const PlacementResult& result) {
          const auto [fullest_link, hops, rotation] =
              result.on_network ? result.on_network->score : network::Score{};
          return std::tuple(fullest_link, result.cost.j_sum(), result.cost.j_max(), hops);
        };
        return merit(a) < merit(b);
      });
}

/// The levels at which something can be said: groups of more than one rank.
nlohmann::ordered_json levels_json(const place::Cost& cost) {
  auto list = nlohmann::ordered_json::array();
  for (const place::LevelCost& level : cost.levels)
    list.push_back({{"name", level.name},
                    {"messages", level.total.messages},
                    {"bytes", level.total.bytes},
                    {"largest_messages", level.largest.messages},
                    {"largest_bytes", level.largest.bytes}});
  return list;
}

/// The node of each cell, row by row, one a line.
void write_map(std::ostream& file, const place::Problem& problem, const Placement& placement) {
  constexpr Count chunk = 1 << 16;
  std::vector<Rank> owners;
  for (Count first = 0; first < problem.grid().size(); first += chunk) {
    owners.resize(to_size(std::min(chunk, problem.grid().size() - first)));
    placement.ranks(first, owners);
    for (const Rank owner : owners) file << problem.machine().node_of(owner) << '\n';
  }
}

/// The nodes of a job: what they are called, and where they are in the network if there is one.
struct JobNodes {
  std::vector<std::string> hosts;
  std::optional<Allocation> allocation;
};

/// Hosts are named by --hosts, else by the allocation, else n0, n1, ...
JobNodes job_nodes(const PlaceWords& words, Count nodes) {
  JobNodes job{listed_words(words.hosts), {}};
  std::optional<NamedAllocation> named;
  if (words.network.given()) named = words.network.allocation();
  if (named && named->hosts.empty()) job.allocation = named->allocation;
  if (named && !named->hosts.empty()) {
    if (job.hosts.empty()) job.hosts = named->hosts;
    job.allocation =
        read_option("--hosts", words.hosts, [&](const std::string&) { return named->of_hosts(job.hosts); });
  }
  if (job.hosts.empty())
    for (Count node = 0; node < nodes; ++node) job.hosts.push_back(concat("n", node));
  require(!job.allocation || job.allocation->size() == nodes, "--network and --allocation are about ",
          job.allocation ? job.allocation->size() : 0, " nodes, --nodes or --levels about ", nodes,
          "; --hosts chooses among nodes with names");
  return job;
}

/// Says for people how to launch with a rank file.
std::string write_files(const PlaceWords& words, const place::Problem& problem, const JobNodes& job,
                        const PlacementResult& result, const place::SeatCores* seats) {
  const Placement& placement = result.placement;
  if (!words.map.empty())
    write_file("--map", words.map, [&](std::ostream& file) { write_map(file, problem, placement); });
  if (!words.svg.empty())
    write_file("--svg", words.svg,
               [&](std::ostream& file) { file << place_picture(problem, placement, result.algorithm); });
  if (!words.rank_file.given()) return "";
  return words.rank_file.write(placement, problem.machine(), job.hosts, job.allocation.has_value(), seats);
}

/// Rank and cell have the same number.
place::Order order_of(const Placement& placement, const Machine& machine) {
  std::vector<Rank> ranks;
  for (Rank position = 0; position < machine.ranks(); ++position)
    ranks.push_back(placement.grid().index(placement.cell(position)));
  return {machine.node_sizes(), std::move(ranks)};
}

/// Lets the cells of each node change places there.
plan::SeatedOrder seat(NearWords& words, Count cores_per_rank, const place::Problem& problem,
                       PlacementResult& result) {
  plan::SeatedOrder seated = words.seated(plan::messages_on_grid(problem.grid(), problem.stencil()),
                                          order_of(result.placement, problem.machine()), cores_per_rank);
  result.placement = plan::seat_table(problem.grid(), seated.order.positions());
  result.cost = place::cost(problem, result.placement);
  return seated;
}

/// What is told of each placement; of hops with a network, of links where the fullest one counts.
Table table_of(const std::vector<PlacementResult>& results, bool on_network, bool by_links) {
  std::vector<Column> columns{Column::left("algorithm", 16, "algorithm"), Column::right("j_sum", 14, "j_sum"),
                              Column::right("j_max", 14, "j_max"),
                              Column::right("plan [s]", 14, "plan_seconds"), Column::hidden("levels")};
  if (on_network)
    columns.insert(columns.end(),
                   {Column::hidden("weighted_hops"), Column::right("hops before", 16, "weighted_hops_before"),
                    Column::right("weighted hops", 16)});
  if (by_links)
    columns.insert(columns.end(),
                   {Column::hidden("fullest_link"), Column::right("link before", 12, "fullest_link_before"),
                    Column::right("fullest link", 12)});
  if (on_network) columns.push_back(Column::hidden("rotation"));
  Table table(std::move(columns));
  for (const PlacementResult& result : results) {
    std::vector<Entry> row{result.algorithm,
                           result.cost.j_sum(),
                           result.cost.j_max(),
                           decimal(result.plan_seconds, 6),
                           {"", levels_json(result.cost)}};
    if (on_network) {
      const auto& [placement, group_of_node, score, before] = *result.on_network;
      const Entry hops = significant(score.weighted_hops, 8), link = significant(score.fullest_link, 4);
      row.insert(row.end(), {hops, significant(before.weighted_hops, 8), hops});
      if (by_links) row.insert(row.end(), {link, significant(before.fullest_link, 4), link});
      row.emplace_back(score.rotation);
    }
    table.add(std::move(row));
  }
  return table;
}

Answer answer_traced(PlaceWords& words) {
  std::optional<TracedJob> described;
  if (words.machine.given()) described = TracedJob{words.machine.machine(), {}, "options", "as described"};
  return answer_traced_place({words.trace,
                              words.order,
                              words.svg,
                              std::move(described),
                              words.network,
                              words.mapping,
                              words.hosts,
                              words.rank_file,
                              words.seconds,
                              nullptr,
                              {},
                              &words.near});
}

Answer answer_place(PlaceWords& words) {
  if (!words.trace.empty()) return answer_traced(words);
  require(words.order.empty(), "--order ", words.order,
          ": an order is made of a --trace; --rankfile is for grids");
  require(words.grid.given(), "--grid or --trace is missing, such as --grid 50x48");
  const Grid grid = words.grid.grid();
  const Stencil stencil = words.stencil.stencil(grid.dimensions());
  const place::Problem problem(grid, stencil, words.machine.machine(), words.seed);
  const JobNodes job = job_nodes(words, problem.machine().nodes());
  ProgressBar progress(words.algorithm);
  std::vector<PlacementResult> results = results_of(words, problem, progress);
  if (job.allocation)
    for (PlacementResult& result : results) fit_to_network(words, problem, *job.allocation, result);
  PlacementResult& best = best_of(results);
  std::optional<plan::SeatedOrder> seated;
  if (words.near.given()) seated = seat(words.near, words.rank_file.cores_per_rank(), problem, best);

  const bool by_links = job.allocation && network::variant(words.mapping).aim == network::Aim::fullest_link;
  const Table table = table_of(results, job.allocation.has_value(), by_links);
  Answer answer{table.to_text(), {{"results", table.to_json()}, {"best", best.algorithm}}};
  if (results.size() > 1) answer.text += fmt::format("\nbest: {}\n", best.algorithm);
  place::SeatCores seats;
  if (seated) {
    words.near.tell(*seated, answer);
    seats = NearWords::cores_of(*seated);
  }
  answer.text += write_files(words, problem, job, best, seated ? &seats : nullptr);
  return answer;
}

/// What a trace says needs no words, and nothing else.
void declare_traced(Options& options, PlaceWords& words) {
  Option trace =
      options.add_option("--trace", words.trace,
                         "place the ranks of a program by the messages in this file, which halocline trace "
                         "recorded, instead of a "
                         "grid; nodes that are not described are those of this job or of the trace");
  for (const char* const other : {"--grid", "--periodic", "--stencil", "--algorithm", "--seed", "--map"})
    trace.excludes(options.find(other));
  options
      .add_option("--order", words.order,
                  "with --trace: write which rank each process shall have, node after node, to this file")
      .excludes(options.find("--wrapper"));
}

}  // namespace

Action declare_place(Options& options) {
  auto words = std::make_shared<PlaceWords>();
  words->grid.declare_optional(options);
  words->machine.declare(options);
  words->stencil.declare(options);
  const Option network = words->network.declare(options);
  declare_mapping(options, words->mapping).needs(network);
  std::string names;
  for (const place::Algorithm& algorithm : place::algorithms()) names += concat(algorithm.name, ", ");
  options.add_option("--algorithm", words->algorithm, names + "all (each of them) or best (a portfolio)")
      .capture_default_str();
  options.add_option("--seed", words->seed, "seed of the random placement").capture_default_str();
  options.add_option("--seconds", words->seconds, "the time that best may spend on comparing")
      .capture_default_str();
  options.add_option("--map", words->map,
                     "write the node of each cell, row by row, one a line, to this file");
  options.add_option("--svg", words->svg,
                     "write a picture of the grid coloured by node to this file; with --trace of who sends "
                     "to whom, before and after");
  words->rank_file.declare(options);
  words->near.declare(options);
  options.add_option(
      "--hosts", words->hosts,
      "names of the nodes for --rankfile, and in --allocation if that has names (default: those of "
      "--allocation, or n0,n1,...)");
  declare_traced(options, *words);
  return [words] { return answer_place(*words); };
}

}  // namespace halocline::tools
