// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/job.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "base/split.hpp"
#include "network/mapping_problem.hpp"
#include "place/best.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/prediction/prediction.hpp"
#include "plan/transport/allowed_schedule.hpp"

#include <limits>
#include <numeric>
#include <sstream>

namespace halocline::simulate {
namespace {

constexpr std::size_t word_count = 12;
constexpr const char* no_mesh = "none";
constexpr Count most_block_bytes = Count{1} << 30;

std::string listed(const std::vector<std::string>& names, const char* separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

Counts sizes_of(const std::string& text) {
  return Scanner("list of numbers", text, "64,1024").whole_list(&Scanner::integer);
}

std::optional<MeshHalo> mesh_of(std::span<const char* const> words) {
  if (words[0] == std::string_view(no_mesh)) return std::nullopt;
  return MeshHalo{Mesh::parse(words[0]), sizes_of(words[1]), sizes_of(words[2]).front()};
}

}  // namespace

PlaceName PlaceName::parse(const std::string& text) {
  const std::size_t plus = text.find('+');
  PlaceName name{text.substr(0, plus), plus == std::string::npos ? "" : text.substr(plus + 1)};
  plan::require_placement_name(name.algorithm);
  if (plus != std::string::npos) (void)network::variant(name.mapping);
  return name;
}

Job Job::parse(std::span<const char* const> words) {
  require(words.size() == word_count, words.size(), " words describe no job; it takes ", word_count);
  const Grid grid = Grid::parse(words[2]);
  Job job{Cluster::parse(words[0]),
          Machine::parse(words[1]),
          grid,
          Stencil::parse(words[3], grid.dimensions()),
          words[4],
          listed_words(words[5]),
          sizes_of(words[6]),
          words[7] == std::string_view("checked"),
          mesh_of(words.subspan(8)),
          words[11] == std::string_view("shared")};
  job.check();
  return job;
}

void Job::check() const {
  cluster.require_room(machine);
  (void)place::Problem(grid, stencil, machine);
  (void)PlaceName::parse(placement);
  require(!schedules.empty(), "no schedule is named");
  for (const std::string& name : schedules) {
    plan::require_schedule_name(name);
    if (!plan::is_possible(plan::schedule_named(name), {.shared = shared}))
      fail(Fault::unsupported, "the schedule ", name,
           " needs memory that the processes of a node share, and they share none");
  }
  require(!bytes.empty(), "no size is named");
  for (const Count size : bytes)
    require(size >= 1, mesh ? "a point of " : "a block of ", size, " bytes; it takes 1 to ",
            most_block_bytes);
  const plan::Problem complete = plan::ready(problem(bytes.front()));
  require(complete.stencil == stencil, "halos of ", join(complete.halo, "x"),
          " leave nothing to send to some neighbours of the stencil ", stencil.to_text());
  const Decomposition decomposition(complete.mesh, grid);
  plan::require_wide_shares(decomposition, complete.halo);
  for (const std::string& name : schedules)
    plan::require_schedule_fits(plan::sizes_of(complete, decomposition), plan::schedule_named(name));
  for (const Count size : bytes)
    for (const Count block : BlockTable(*this, size).largest())
      require(block <= most_block_bytes, "a block of ", block, " bytes; it takes 1 to ", most_block_bytes);
}

std::vector<std::string> Job::fitting_schedules() const {
  const bool even = Decomposition(problem(1).mesh, grid).even();
  std::vector<std::string> names;
  for (const ScheduleChoice schedule :
       plan::schedules_on({.shared = shared, .even = even, .several_nodes = machine.nodes() > 1}))
    names.push_back(plan::name_of(schedule));
  return names;
}

plan::Problem Job::problem(Count value_bytes) const {
  plan::Problem problem{mesh ? mesh->mesh : Mesh(grid.extents(), grid.periodicity()), stencil, machine};
  if (mesh) problem.halo = mesh->halo;
  if (mesh) problem.fields = mesh->fields;
  problem.fixed = grid.extents();
  problem.value_bytes = value_bytes;
  return problem;
}

plan::Candidate Job::placed() const {
  const plan::Problem exchanged = plan::ready(problem(1));
  const place::Problem placing(grid, plan::with_message_sizes(exchanged.mesh, grid, stencil, exchanged.halo),
                               machine);
  const auto [algorithm, mapping] = PlaceName::parse(placement);
  plan::PlacementChoice choice = plan::choose_placement(placing, algorithm);
  plan::Candidate placed{std::move(choice.algorithm), std::move(choice.placement)};
  if (mapping.empty()) return placed;
  Counts nodes(to_size(machine.nodes()));
  std::iota(nodes.begin(), nodes.end(), Count{0});
  auto [winner, on_network] =
      plan::fit_to_network(placing, std::move(placed), algorithm, Allocation(cluster.network, nodes),
                           {.variant = plan::mapping_named(mapping)});
  return {std::move(winner), std::move(on_network.placement)};
}

BlockTable::BlockTable(const Job& job, Count value_bytes)
    : problem_(plan::ready(job.problem(value_bytes))), decomposition_(problem_.mesh, job.grid) {}

Count BlockTable::bytes(Count cell, std::size_t neighbour) const {
  const plan::BlockSizes sizes = plan::sizes_of(problem_, decomposition_);
  return sizes.bytes(neighbour, decomposition_.grid().cell(cell));
}

Counts BlockTable::largest() const {
  // The first shares are the largest.
  Counts all;
  for (std::size_t i = 0; i < problem_.stencil.size(); ++i) all.push_back(bytes(0, i));
  return all;
}

Result Result::parse(const std::string& line) {
  std::istringstream in(line);
  std::string word, checked;
  Result result{};
  in >> word >> result.schedule >> result.bytes >> result.seconds >> checked;
  if (!in || word != "result") fail(Fault::internal, "the simulated program wrote \"", line, "\"");
  result.checked = checked == "checked";
  return result;
}

std::string Result::to_line() const {
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "result " << schedule << " " << bytes << " " << seconds << (checked ? " checked" : " unchecked");
  return out.str();
}

std::vector<std::string> job_words(const std::string& cluster, const Job& job) {
  return {cluster,
          job.machine.to_text(),
          job.grid.to_text(),
          job.stencil.to_text(),
          job.placement,
          listed(job.schedules, ","),
          join(job.bytes, ","),
          job.checked ? "checked" : "unchecked",
          job.mesh ? job.mesh->mesh.to_text() : no_mesh,
          job.mesh ? join(job.mesh->halo, ",") : no_mesh,
          job.mesh ? std::to_string(job.mesh->fields) : no_mesh,
          job.shared ? "shared" : "messages"};
}

}  // namespace halocline::simulate
