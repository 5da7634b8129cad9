// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/plan/plan.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "place/algorithms.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/grid_contest.hpp"
#include "plan/placement/network_contest.hpp"
#include "plan/prediction/packing.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/prices/price_text.hpp"
#include "schedule/by_node.hpp"
#include "shape/choose.hpp"

#include <algorithm>
#include <functional>

namespace halocline::plan {
namespace {

/// As choose_uncosted_grid; what has no grid is named.
GridChoice grid_for(const Problem& problem, const GridOptions& options) {
  try {
    return choose_uncosted_grid({problem.mesh, problem.stencil, problem.machine, problem.halo, problem.fixed},
                                options);
  } catch (const Error& error) {
    if (error.fault() != Fault::invalid_dimensions) throw;
    fail(error.fault(), "mesh ", problem.mesh.to_text(), " with a halo of ", join(problem.halo, "x"), ": ",
         error.what());
  }
}

struct RatedSchedules {
  std::vector<RatedSchedule> all;
  std::size_t chosen = 0;
};

/// Every schedule that comes into question, or the one that was asked for.
RatedSchedules rate_schedules(const Placed& placed, const Choices& choices) {
  if (choices.schedule != ScheduleChoice::automatic) {
    require_schedule_fits(placed.sizes(), choices.schedule);
    return {{{name_of(choices.schedule), predict(placed, choices.schedule, choices.prices)}}};
  }
  const Demand demand = placed.demand();
  const std::vector<ScheduleTime> times =
      schedules_in_question(demand, choices.prices, placed.means(choices.shared));
  RatedSchedules rated{{}, to_index(&fastest(times) - times.data())};
  const std::vector<Prediction> predictions = predict(placed, times, choices.prices);
  for (std::size_t i = 0; i < times.size(); ++i)
    rated.all.push_back({name_of(times[i].schedule), predictions[i]});
  return rated;
}

std::string why_this_grid(const Problem& problem, std::size_t candidates) {
  if (candidates == 0) return "given";
  if (candidates == 1) return "the only one that comes into question";
  return concat("of ", candidates, " grids that were tried, it sends the fewest bytes between ",
                problem.machine.nodes() > 1 ? "nodes" : "processes");
}

std::string grid_reason(const Problem& problem, const Placed& placed, std::size_t candidates) {
  const std::string sentence =
      concat("Grid ", join(placed.placement.grid().extents(), "x"), ": ", why_this_grid(problem, candidates));
  if (problem.blocks) return sentence + ".";
  Counts share;
  for (std::size_t d = 0; d < problem.mesh.dimensions(); ++d)
    share.push_back(placed.decomposition.largest_extent(d));
  return concat(sentence, ". A process owns ", placed.decomposition.even() ? "" : "at most ",
                join(share, "x"), checked_product(share) == 1 ? " point." : " points.");
}

/// Schedules that forward blocks send some of them twice: what a placement keeps on nodes shows without them.
LevelTraffic sent_directly(const Placed& placed, const RatedSchedule& first, const LevelCosts& prices) {
  return combines(schedule_named(first.name)) ? predict(placed, ScheduleChoice::direct, prices).total
                                              : first.prediction.total;
}

std::string placement_reason(const Seating& seating, const LevelTraffic& sent) {
  const char* const why = seating.algorithm == not_placed ? "ranks stay where they are. "
                          : seating.wanted == best_placement
                              ? "the cheapest of all algorithms, by exact cost. "
                              : "as asked for. ";
  return concat("Placement ", seating.algorithm, ": ", why, rounded(100 * (1 - sent.leaving_share())),
                " % of all bytes stay on their node.");
}

std::string network_reason(const OnNetwork& on) {
  const auto change = [](double now, double before) {
    return now < before ? concat(rounded(100 * now / before), " % of what it was") : std::string("as it was");
  };
  const bool by_links = network::variant(on.mapping).aim == network::Aim::fullest_link;
  const std::string way = change(on.score.weighted_hops, on.score_before.weighted_hops);
  const std::string load = change(on.score.fullest_link, on.score_before.fullest_link);
  return concat(
      "Network ", on.network, ": nodes change places by the mapping ", on.mapping, ". ",
      by_links ? concat("The load of the fullest link is ", load, ", the way") : std::string("The way"),
      " of all bytes between nodes is ", way, ".");
}

/// Lets whole nodes change places on the network, if it is known.
std::optional<OnNetwork> fit(const Problem& problem, const Choices& choices, GridChoice& choice) {
  if (!problem.allocation) return std::nullopt;
  const place::Problem placing(choice.grid,
                               with_message_sizes(problem.mesh, choice.grid, problem.stencil, problem.halo),
                               problem.machine);
  auto [algorithm, fitted] =
      fit_to_network(placing, {choice.algorithm, choice.placement}, name_of(choices.grid.algorithm),
                     *problem.allocation, choices.network);
  choice.algorithm = std::move(algorithm);
  OnNetwork on_network = summary(*problem.allocation, name_of(choices.network.variant), fitted);
  choice.placement = std::move(fitted.placement);
  return on_network;
}

std::string schedule_reason(const std::vector<RatedSchedule>& rated, const RatedSchedule& chosen) {
  if (rated.size() == 1 && chosen.name == "direct")
    return "Schedule direct: one message to each process; there is nothing to compare it with.";
  if (rated.size() == 1) return concat("Schedule ", chosen.name, ": as asked for.");
  std::string others;
  for (const RatedSchedule& other : rated)
    if (&other != &chosen)
      others += concat(others.empty() ? "" : ", ", as_fast_as(chosen.prediction.seconds.total(),
                                                              other.prediction.seconds.total(), other.name));
  const bool least = std::all_of(rated.begin(), rated.end(), [&](const RatedSchedule& other) {
    return other.prediction.seconds.total() >= chosen.prediction.seconds.total();
  });
  return concat("Schedule ", chosen.name, ": ",
                least ? "the fastest" : "the simplest of those within 5 % of the fastest",
                " by these prices. It is ", others, ".");
}

std::string packing_reason(const std::vector<Packing>& packing) {
  const Packing& worst = *std::max_element(
      packing.begin(), packing.end(), [](const Packing& a, const Packing& b) { return a.pieces < b.pieces; });
  return concat("Packing: the most scattered message, in direction ", join(worst.direction, ","), ", has ",
                worst.bytes, " bytes in ", worst.pieces, worst.pieces == 1 ? " piece." : " pieces.");
}

}  // namespace

void check_choices(const Choices& choices) {
  schedule::check(choices.prices);
  (void)name_of(choices.schedule);
}

Problem Problem::of_blocks(const Grid& grid, const Stencil& offsets, const Counts& bytes, Operation operation,
                           Machine machine) {
  require(bytes.size() == offsets.size(), bytes.size(), " blocks for ", offsets.size(), " neighbours");
  for (const Count block : bytes)
    require(operation == Operation::alltoall || block == bytes[0], "blocks of ", bytes[0], " and ", block,
            " bytes to be gathered; they have one size");
  Problem problem{Mesh(grid.extents(), grid.periodicity()), offsets, std::move(machine)};
  problem.fixed = grid.extents();
  problem.point_bytes = bytes;
  problem.blocks = operation;
  return problem;
}

Decomposition Problem::cut(const Grid& grid) const {
  return slabs.empty() ? Decomposition(mesh, grid) : Decomposition(grid, slabs);
}

Seating choose_seating(const Problem& problem, const Choices& choices) {
  const Problem complete = ready(problem);
  GridChoice choice = grid_for(complete, choices.grid);
  std::optional<OnNetwork> network = fit(complete, choices, choice);
  return {std::move(choice.grid),          std::move(choice.placement), std::move(choice.algorithm),
          name_of(choices.grid.algorithm), choice.candidates,           std::move(network),
          std::move(choice.stencil)};
}

Plan plan_for(const Problem& problem, const Seating& seating, const Choices& choices) {
  check_choices(choices);
  const Problem complete = ready(problem);
  const Placed placed(complete, seating.placement);
  require_wide_shares(placed.decomposition, complete.halo);
  RatedSchedules rated = rate_schedules(placed, choices);
  const RatedSchedule& chosen = rated.all[rated.chosen];
  Plan plan{seating.grid,       seating.placement,
            seating.algorithm,  chosen.name,
            chosen.prediction,  {},
            packing_of(placed), {},
            seating.network};
  plan.reasons = {grid_reason(complete, placed, seating.candidates),
                  placement_reason(seating, sent_directly(placed, rated.all.front(), choices.prices))};
  if (seating.network) plan.reasons.push_back(network_reason(*seating.network));
  plan.reasons.push_back(schedule_reason(rated.all, chosen));
  if (!plan.packing.empty()) plan.reasons.push_back(packing_reason(plan.packing));
  plan.schedules = std::move(rated.all);
  return plan;
}

Plan make_plan(const Problem& problem, const Choices& choices) {
  check_choices(choices);
  return plan_for(problem, choose_seating(problem, choices), choices);
}

Plan default_plan(const Problem& problem, const LevelCosts& prices) {
  schedule::check(prices);
  const Problem complete = ready(problem);
  const std::size_t dimensions = complete.mesh.dimensions();
  Counts dims = shape::weighted_dims(complete.machine.ranks(), Weights::equal(dimensions), complete.fixed);
  Counts free;
  const auto is_free = [&](std::size_t d) { return complete.fixed.empty() || complete.fixed[d] == 0; };
  for (std::size_t d = 0; d < dimensions; ++d)
    if (is_free(d)) free.push_back(dims[d]);
  std::sort(free.begin(), free.end());
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (!is_free(d)) continue;
    dims[d] = free.back();
    free.pop_back();
  }
  const Grid grid(dims, complete.mesh.periodicity());
  const Placement placement =
      place::algorithm("blocked").place(place::Problem(grid, complete.stencil, complete.machine));
  const Placed placed(complete, placement);
  require_wide_shares(placed.decomposition, complete.halo);
  Prediction prediction = predict_plain(placed, prices);
  return {grid,
          placement,
          "blocked",
          "direct",
          prediction,
          {{"direct", prediction}},
          packing_of(placed),
          {"Grid, order of ranks and messages are what MPI_Dims_create, MPI_Cart_create without reordering "
           "and one message a neighbour give."}};
}

}  // namespace halocline::plan
