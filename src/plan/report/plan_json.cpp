// SPDX-License-Identifier: BSD-3-Clause
// A plan as JSON, for programs: every number, and all that it takes to make it again.

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/plan/explanation.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/placement_choice.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/report/advice.hpp"
#include "plan/report/plan_file.hpp"
#include "plan/report/plan_text.hpp"
#include "schedule/by_node.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace halocline::plan {
namespace {

using nlohmann::ordered_json;

constexpr int format_version = 1;

ordered_json traffic_json(const Traffic& traffic) {
  return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

ordered_json traffic_json(const LevelTraffic& traffic) {
  return {{"self", traffic_json(traffic.self)},
          {"node", traffic_json(traffic.node)},
          {"network", traffic_json(traffic.network)}};
}

ordered_json prediction_json(const Prediction& prediction) {
  const Seconds& seconds = prediction.seconds;
  return {{"total", traffic_json(prediction.total)},
          {"largest_process", traffic_json(prediction.largest_process)},
          {"leaving_share", prediction.total.leaving_share()},
          {"j_sum", prediction.total.network.bytes},
          {"j_max", prediction.largest_node_bytes},
          {"bottleneck_node", prediction.bottleneck_node},
          {"bottleneck", traffic_json(prediction.bottleneck)},
          {"seconds", seconds.total()},
          {"seconds_of",
           {{"copies", seconds.copies},
            {"node_messages", seconds.node_messages},
            {"node_bytes", seconds.node_bytes},
            {"network_messages", seconds.network_messages},
            {"network_bytes", seconds.network_bytes},
            {"under_way", seconds.under_way}}}};
}

ordered_json plan_json(const Plan& plan) {
  ordered_json json{
      {"grid", plan.grid.extents()}, {"placement", plan.placed_by}, {"schedule", plan.schedule}};
  json.update(prediction_json(plan.prediction));
  if (plan.network)
    json["network"] = {{"network", plan.network->network},
                       {"mapping", plan.network->mapping},
                       {"weighted_hops", plan.network->score.weighted_hops},
                       {"weighted_hops_before", plan.network->score_before.weighted_hops},
                       {"fullest_link", plan.network->score.fullest_link},
                       {"fullest_link_before", plan.network->score_before.fullest_link}};
  return json;
}

ordered_json price_json(const schedule::LinearCost& price) {
  return {{"message_seconds", price.round_seconds},
          {"byte_seconds", price.byte_seconds},
          {"latency_seconds", price.latency_seconds}};
}

/// The neighbour, beyond which borders, the bytes: one list each.
ordered_json border_points_json(const std::vector<BorderPoints>& points) {
  ordered_json lists{{"neighbours", ordered_json::array()},
                     {"beyond", ordered_json::array()},
                     {"point_bytes", ordered_json::array()}};
  for (const BorderPoints& some : points) {
    lists["neighbours"].push_back(some.neighbor);
    lists["beyond"].push_back(some.beyond);
    lists["point_bytes"].push_back(some.point_bytes);
  }
  return lists;
}

ordered_json problem_json(const Explanation& both) {
  const Problem& problem = both.problem;
  const LevelCosts& prices = both.choices.prices;
  ordered_json json{
      {"exchanged", exchanged_text(problem)},
      {"mesh", problem.mesh.to_text()},
      {"stencil", problem.stencil.to_text()},
      {"halo", problem.halo},
      {"fields", problem.fields},
      {"bytes", problem.value_bytes},
      {"machine", problem.machine.to_text()},
      {"source", both.source.name},
      {"told_by", both.source.told_by},
      {"ranks", problem.machine.ranks()},
      {"nodes", problem.machine.nodes()},
      {"prices", {{"node", price_json(prices.on_node)}, {"network", price_json(prices.between_nodes)}}}};
  for (const LevelPrices::Entry& entry : prices.levels)
    json["prices"][std::string(entry.level())] = price_json(entry.cost);
  if (!both.source.hosts.empty()) json["hosts"] = both.source.hosts;
  if (!problem.fixed.empty()) json["fixed"] = problem.fixed;
  if (!problem.slabs.empty()) json["slabs"] = problem.slabs;
  if (!problem.point_bytes.empty()) json["point_bytes"] = problem.point_bytes;
  if (!problem.border_points.empty()) json["border_points"] = border_points_json(problem.border_points);
  if (problem.blocks) json["blocks"] = *problem.blocks == Operation::allgather ? "allgather" : "alltoall";
  if (problem.allocation)
    json["allocation"] = {{"network", problem.allocation->network().to_text()},
                          {"nodes", problem.allocation->nodes()}};
  return json;
}

/// What was asked for, and what of the decisions is not in the plan.
ordered_json choices_json(const Explanation& both) {
  return {{"placement", both.seating.wanted},
          {"grids", both.seating.candidates},
          {"schedule", name_of(both.choices.schedule)},
          {"shared", both.choices.shared},
          {"mapping", name_of(both.choices.network.variant)},
          {"most_rotations", both.choices.network.most_rotations}};
}

/// Node, how many cells in a row have it, next node, ...
ordered_json runs_json(const std::vector<int>& nodes) {
  auto runs = ordered_json::array();
  for (std::size_t first = 0, last = 0; first < nodes.size(); first = last) {
    while (last < nodes.size() && nodes[last] == nodes[first]) ++last;
    runs.push_back(nodes[first]);
    runs.push_back(last - first);
  }
  return runs;
}

// Reading.

template <class Value>
Value entry(const ordered_json& object, const char* name) try {
  return object.at(name).get<Value>();
} catch (const ordered_json::exception&) {
  fail(Fault::invalid_argument, "its entry \"", name, "\" is missing, or not what it should be");
}

template <class Value>
Value entry_or(const ordered_json& object, const char* name, Value otherwise) {
  return object.contains(name) ? entry<Value>(object, name) : std::move(otherwise);
}

schedule::LinearCost read_price(const ordered_json& prices, const std::string& level) {
  const auto json = entry<ordered_json>(prices, level.c_str());
  schedule::LinearCost price{entry<double>(json, "message_seconds"), entry<double>(json, "byte_seconds"),
                             entry<double>(json, "latency_seconds")};
  schedule::check(price);
  return price;
}

LevelCosts read_prices(const ordered_json& json) {
  LevelCosts prices{read_price(json, "node"), read_price(json, "network")};
  for (const auto& [level, price] : json.items())
    if (level != "node" && level != "network") prices.levels.set(level, read_price(json, level));
  return prices;
}

std::vector<BorderPoints> read_border_points(const ordered_json& json) {
  const auto neighbours = entry<Counts>(json, "neighbours"), bytes = entry<Counts>(json, "point_bytes");
  const auto beyond = entry<std::vector<Offset>>(json, "beyond");
  require(neighbours.size() == bytes.size() && neighbours.size() == beyond.size(),
          "its entry \"border_points\" has ", neighbours.size(), " neighbours, ", beyond.size(),
          " borders and ", bytes.size(), " sizes; there are as many of each");
  std::vector<BorderPoints> points;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    require(neighbours[i] >= 0, "its entry \"border_points\" names neighbour ", neighbours[i]);
    points.push_back({to_size(neighbours[i]), beyond[i], bytes[i]});
  }
  return points;
}

Problem read_problem(const ordered_json& json) {
  const Mesh mesh = Mesh::parse(entry<std::string>(json, "mesh"));
  Problem problem{mesh, Stencil::parse(entry<std::string>(json, "stencil"), mesh.dimensions()),
                  Machine::parse(entry<std::string>(json, "machine"))};
  problem.halo = entry<Counts>(json, "halo");
  problem.fields = entry<Count>(json, "fields");
  problem.value_bytes = entry<Count>(json, "bytes");
  problem.fixed = entry_or<Counts>(json, "fixed", {});
  problem.slabs = entry_or<std::vector<Counts>>(json, "slabs", {});
  problem.point_bytes = entry_or<Counts>(json, "point_bytes", {});
  if (json.contains("border_points"))
    problem.border_points = read_border_points(entry<ordered_json>(json, "border_points"));
  if (const auto blocks = entry_or<std::string>(json, "blocks", ""); !blocks.empty()) {
    require(blocks == "alltoall" || blocks == "allgather", "its entry \"blocks\" is \"", blocks,
            "\"; it is alltoall or allgather");
    problem.blocks = blocks == "alltoall" ? Operation::alltoall : Operation::allgather;
  }
  if (json.contains("allocation")) {
    const auto allocation = entry<ordered_json>(json, "allocation");
    problem.allocation = Allocation(Network::parse(entry<std::string>(allocation, "network")),
                                    entry<Counts>(allocation, "nodes"));
  }
  return problem;
}

std::vector<int> read_runs(const Counts& runs, Count cells) {
  require(runs.size() % 2 == 0, "its entry \"nodes_of_cells\" has ", runs.size(),
          " numbers; a node and how many cells it has take two");
  std::vector<int> nodes;
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    require(runs[i] >= 0 && runs[i] < cells && runs[i + 1] >= 1 && runs[i + 1] <= cells - std::ssize(nodes),
            "its entry \"nodes_of_cells\" has ", runs[i + 1], " cells on node ", runs[i], " of a grid of ",
            cells);
    nodes.insert(nodes.end(), to_size(runs[i + 1]), to_int(runs[i]));
  }
  return nodes;
}

void require_plan(const ordered_json& json) {
  require(json.is_object() && json.contains("format"), "it is no plan: it has no entry \"format\"");
  const auto format = entry<ordered_json>(json, "format");
  require(entry<std::string>(format, "name") == "halocline plan", "it is no plan, but \"",
          entry<std::string>(format, "name"), "\"");
  const auto version = entry<Count>(format, "version");
  require(version == format_version, "it is a plan of version ", version, "; this program reads version ",
          format_version);
}

ordered_json parsed(std::string_view text) try {
  return ordered_json::parse(text);
} catch (const ordered_json::parse_error& error) {
  const std::size_t end = std::min(error.byte, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + to_count(end), '\n');
  fail(Fault::invalid_argument, "line ", line, " is not JSON, or the text ends too soon");
} catch (const ordered_json::out_of_range& error) {  // a number that is none here, such as 1e999
  fail(Fault::invalid_argument, "it cannot be read: ", error.what());
}

}  // namespace

std::string Explanation::to_json() const {
  ordered_json json{{"format", {{"name", "halocline plan"}, {"version", format_version}}},
                    {"problem", problem_json(*this)},
                    {"choices", choices_json(*this)},
                    {"plan", plan_json(plan)}};
  if (seating.stencil) json["plan"]["placed_along"] = seating.stencil->to_text();
  if (plan.placed_by == not_placed)
    json["plan"]["nodes_of_cells"] = runs_json(nodes_of(problem.machine, plan.placement));
  json["default"] = usual ? plan_json(*usual) : ordered_json();
  if (usual)
    json["speedup"] = speedup();
  else
    json["no_default"] = why_not_usual;
  auto& schedules = json["schedules"] = ordered_json::array();
  for (const RatedSchedule& rated : plan.schedules) {
    ordered_json row{{"schedule", rated.name}};
    row.update(prediction_json(rated.prediction));
    schedules.push_back(std::move(row));
  }
  auto& packing = json["packing"] = ordered_json::array();
  for (const Packing& message : plan.packing)
    packing.push_back({{"direction", message.direction},
                       {"bytes", message.bytes},
                       {"pieces", message.pieces},
                       {"canonical", message.form}});
  json["reasons"] = plan.reasons;
  auto& how = json["how_to_get_it"] = ordered_json::array();
  for (const Advice& advice : how_to_get_it(*this))
    how.push_back({{"purpose", advice.purpose}, {"lines", advice.lines}});
  // Host names may be in any encoding.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Decisions read_decisions(std::string_view text) {
  const ordered_json json = parsed(text);
  require_plan(json);
  const auto problem_part = entry<ordered_json>(json, "problem");
  const auto choices = entry<ordered_json>(json, "choices");
  const auto plan = entry<ordered_json>(json, "plan");
  Decisions read{read_problem(problem_part),
                 {},
                 {},
                 entry<Counts>(plan, "grid"),
                 entry<std::string>(plan, "placement"),
                 entry<std::string>(choices, "placement"),
                 entry<std::size_t>(choices, "grids"),
                 {},
                 entry<std::string>(plan, "schedule")};
  read.choices.prices = read_prices(entry<ordered_json>(problem_part, "prices"));
  read.choices.schedule = schedule_named(entry<std::string>(choices, "schedule"));
  read.choices.shared = entry<bool>(choices, "shared");
  read.choices.grid.algorithm = wanted_algorithm(read.wanted);
  read.choices.network = {mapping_named(entry<std::string>(choices, "mapping")),
                          entry<Count>(choices, "most_rotations")};
  read.source = {entry<std::string>(problem_part, "source"), entry<std::string>(problem_part, "told_by"),
                 entry_or<std::vector<std::string>>(problem_part, "hosts", {})};
  const Grid grid(read.grid, read.problem.mesh.periodicity());
  require(grid.size() == read.problem.machine.ranks(), "its grid ", grid.to_text(), " has ", grid.size(),
          " cells, its machine ", read.problem.machine.ranks(), " ranks");
  require_schedule_name(read.schedule);
  if (plan.contains("placed_along"))
    read.placed_along = Stencil::parse(entry<std::string>(plan, "placed_along"), grid.dimensions());
  if (plan.contains("network")) {
    const auto network = entry<ordered_json>(plan, "network");
    read.hops_before = entry<double>(network, "weighted_hops_before");
    read.fullest_link_before = entry<double>(network, "fullest_link_before");
  }
  if (read.algorithm == not_placed)
    read.nodes_of_cells = read_runs(entry<Counts>(plan, "nodes_of_cells"), grid.size());
  else
    require_placement_name(read.algorithm);
  return read;
}

}  // namespace halocline::plan
