// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/planned.hpp"

#include "base/fail.hpp"
#include "base/log.hpp"
#include "base/settings.hpp"
#include "base/text_file.hpp"
#include "mpi/communicators/comm_seating.hpp"
#include "mpi/settings/info.hpp"
#include "mpi/settings/plan_in_use.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/given_seats.hpp"
#include "plan/prediction/same_messages.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>

namespace halocline::exchange {
namespace {

/// The processes of a communicator, whoever placed them.
mpi::CommSeating seating_of(const Context& context) {
  if (const auto known = mpi::CommSeatings::find(context.comm())) return *known;
  plan::GivenSeats seats = plan::given_seats(context.grid(), context.nodes().node_of);
  return {std::move(seats.machine),
          {context.grid(), std::move(seats.placement), std::string(plan::not_placed),
           std::string(plan::not_placed)},
          std::nullopt,
          context.grid().extents()};
}

/// FILE.json, FILE.2.json, ... for one plan after the other.
std::filesystem::path numbered(const std::filesystem::path& path, std::size_t number) {
  if (number == 1) return path;
  return path.parent_path() / concat(path.stem().string(), ".", number, path.extension().string());
}

void tell(const plan::Explanation& both, const std::string& where) {
  static std::map<std::string, std::map<std::string, std::size_t>> told;  // where, what, the how manyth
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  std::map<std::string, std::size_t>& before = told[where];
  const std::string text = both.to_text();
  if (!before.emplace(text, before.size() + 1).second) return;
  if (where == "print")
    std::fputs(("halocline: the plan of an exchange\n" + text).c_str(), stderr);
  else
    write_text_file(numbered(where, before.size()), both.to_json());
}

}  // namespace

plan::Problem blocks_problem(const NeighborhoodState& neighborhood, Operation operation, const Counts& bytes,
                             const Machine& machine) {
  return plan::Problem::of_blocks(neighborhood.context->grid(), neighborhood.offsets, bytes, operation,
                                  machine);
}

plan::Explanation explained(const NeighborhoodState& neighborhood, const Choice& choice,
                            const Described& described) {
  mpi::CommSeating known = seating_of(*neighborhood.context);
  plan::Problem problem = described(known.machine);
  problem.fixed = known.fixed;
  problem.allocation = known.allocation;
  plan::Choices choices;
  choices.grid.algorithm = plan::wanted_algorithm(known.seating.wanted);
  choices.prices = *choice.costs;
  choices.shared = choice.shared || (choice.on_devices && choice.on_devices->messages_on_device);
  if (known.seating.network) choices.network.variant = plan::mapping_named(known.seating.network->mapping);
  choices.schedule = choice.asked == ScheduleChoice::automatic ? choice.asked : choice.schedule;
  plan::Explanation both = plan::explain(problem, choices, known.seating, plan::MachineSource::of_job());
  if (both.plan.schedule != plan::name_of(choice.schedule)) {  // by a plan in use, or for messages of devices
    choices.schedule = choice.schedule;
    both = plan::explain(problem, choices, std::move(known.seating), plan::MachineSource::of_job());
  }
  if (choice.on_devices) both.plan.reasons.push_back(choice.on_devices->to_text());
  return both;
}

std::string obey_plan(Choice& choice, const mpi::Environment& environment,
                      const NeighborhoodState& neighborhood, const Described& described) {
  const auto plan = mpi::plan_in_use(environment);
  if (!plan || choice.asked != ScheduleChoice::automatic) return "";
  const Context& context = *neighborhood.context;
  const mpi::CommSeating here = seating_of(context);
  const Grid planned(plan->grid, plan->problem.mesh.periodicity());
  if (planned != context.grid())
    return concat("it is for the grid ", planned.to_text(), ", and here is ", context.grid().to_text());
  if (std::string why_not = plan::why_not_on(plan->problem.machine, here.machine); !why_not.empty())
    return why_not;
  if (std::string why_not = plan::why_other_messages(plan->problem, described(here.machine), planned);
      !why_not.empty())
    return why_not;
  choice.schedule = plan::schedule_named(plan->schedule);
  return "";
}

void tell_plan(const ExchangeOptions& options, const NeighborhoodState& neighborhood, const Choice& choice,
               const Described& described) {
  if (!neighborhood.context->is_first()) return;
  const std::string where = mpi::setting("", options.info, settings::plan.key, settings::plan.variable, "");
  if (where.empty()) return;
  try {
    tell(explained(neighborhood, choice, described), where);
  } catch (const std::exception& error) {
    say_once(concat("the plan of an exchange cannot be told: ", error.what()));
  }
}

}  // namespace halocline::exchange
