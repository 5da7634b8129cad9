// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/settings/plan_in_use.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/log.hpp"
#include "base/text_file.hpp"
#include "plan/options/option_names.hpp"

namespace halocline::mpi {
namespace {

/// Why the plan does not fit the nodes and what lies between them; empty if it does.
std::string why_not_here(const plan::Decisions& plan, const Machine& machine, const JobNetwork* network) {
  if (plan.algorithm == plan::not_placed) return "it is of processes that nobody had placed";
  if (std::string why = plan::why_not_on(plan.problem.machine, machine); !why.empty()) return why;
  const std::optional<Allocation>& planned = plan.problem.allocation;
  if (!planned) return network == nullptr ? "" : "it knows nothing of the network that is described here";
  if (network == nullptr)
    return concat("it is for the network ", planned->network().to_text(), ", and here none is described");
  const Counts& nodes = network->allocation.nodes();
  const Allocation here(network->allocation.network(),
                        Counts(nodes.begin(), nodes.begin() + machine.nodes()));
  if (here != *planned) return "it is for other nodes of the network, or for another network";
  if (const std::string mapping = plan::name_of(plan.choices.network.variant); network->mapping != mapping)
    return concat("it maps nodes by ", mapping, ", and here ", network->mapping, " is wanted");
  return "";
}

PlannedSeats seats_unless(std::string why_not, const plan::Decisions& plan) {
  if (!why_not.empty()) return {std::nullopt, std::move(why_not)};
  return {plan::seating_of(plan), ""};
}

bool keeps(const Counts& fixed, const Counts& extents) {
  for (std::size_t d = 0; d < fixed.size(); ++d)
    if (fixed[d] != 0 && fixed[d] != extents[d]) return false;
  return true;
}

std::string why_not_for(const plan::Decisions& plan, const plan::MeshProblem& here) {
  if (plan.problem.blocks) return "it is for blocks on a grid, and here is a mesh";
  if (plan.problem.mesh != here.mesh)
    return concat("it is for the mesh ", plan.problem.mesh.to_text(), ", and here is ", here.mesh.to_text());
  if (plan.problem.stencil != here.stencil)
    return concat("it is for the stencil ", plan.problem.stencil.to_text(), ", and here is ",
                  here.stencil.to_text());
  const Counts halo = here.halo.empty() ? Counts(here.mesh.dimensions(), 1) : here.halo;
  if (plan.problem.halo != halo)
    return concat("it is for a halo of ", join(plan.problem.halo, "x"), ", and here is ", join(halo, "x"));
  if (!keeps(here.fixed, plan.grid))
    return concat("its grid ", join(plan.grid, "x"), " has not the extents ", join(here.fixed, "x"),
                  " that are fixed here");
  return "";
}

}  // namespace

std::string usable_plan(const std::string& path) try {
  constexpr std::size_t most_bytes = std::size_t{1} << 28;
  std::optional<std::string> text = read_text_file(path, most_bytes);
  require(text.has_value(), "there is no such file");
  (void)plan::read_decisions(*text);
  return std::move(*text);
} catch (const Error& error) {
  say_once(concat(plan_use, "=", path, ": ", error.what(), "; it is not used"));
  return "";
}

std::shared_ptr<const plan::Decisions> plan_in_use(const Environment& environment) {
  const std::string text = environment.value(plan_use);
  if (text.empty()) return nullptr;
  // Programs make many communicators and exchanges by the same plan.
  struct Known {
    std::string text;
    std::shared_ptr<const plan::Decisions> plan;
  };
  thread_local Known known;
  if (known.text != text) known = {text, std::make_shared<const plan::Decisions>(plan::read_decisions(text))};
  return known.plan;
}

PlannedSeats planned_seats(const plan::Decisions& plan, const plan::MeshProblem& here,
                           const JobNetwork* network) {
  std::string why_not = why_not_for(plan, here);
  if (why_not.empty()) why_not = why_not_here(plan, here.machine, network);
  return seats_unless(std::move(why_not), plan);
}

PlannedSeats planned_seats(const plan::Decisions& plan, const Grid& grid, const Machine& machine,
                           const JobNetwork* network) {
  const Grid planned(plan.grid, plan.problem.mesh.periodicity());
  if (planned != grid)
    return {std::nullopt, concat("it is for the grid ", planned.to_text(), ", and here is ", grid.to_text())};
  return seats_unless(why_not_here(plan, machine, network), plan);
}

}  // namespace halocline::mpi
