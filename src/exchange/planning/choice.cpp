// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/choice.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "base/settings.hpp"
#include "exchange/planning/option_words.hpp"
#include "mpi/settings/info.hpp"
#include "plan/transport/allowed_schedule.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "schedule/by_node.hpp"

#include <map>

namespace halocline::exchange {
namespace {

/// What the plan has for blocks like these; all processes know the same. @pre prices are known
ScheduleChoice planned_schedule(NeighborhoodState& neighborhood, const Blocks& blocks, const Choice& wanted) {
  const Context& context = *neighborhood.context;
  const auto bytes = [&](Count cell, std::size_t neighbour) {
    return blocks.bytes_of(cell, to_int(neighbour));
  };
  const plan::Demand demand{context.grid(),          neighborhood.offsets, blocks.operation,
                            context.nodes().node_of, context.node_count(), bytes,
                            context.sites()};
  const auto schedule = [&](const std::string& name) -> const Schedule& {
    return neighborhood.schedule(name, blocks.operation);
  };
  return plan::choose_schedule(demand, *wanted.costs, {wanted.shared, blocks.even(), schedule});
}

/// As planned_schedule(), looked up where blocks of these sizes came before.
ScheduleChoice known_schedule(NeighborhoodState& neighborhood, const Blocks& blocks, const Choice& wanted) {
  constexpr std::size_t most_known = 64;
  if (!blocks.even() || !neighborhood.context->several_nodes())
    return planned_schedule(neighborhood, blocks, wanted);
  std::string key = concat(blocks.signature(), wanted.shared ? " shared" : "");
  const auto add = [&](std::string_view level, const schedule::LinearCost& price) {
    key += concat(" ", level, " ", price.round_seconds, " ", price.byte_seconds, " ", price.latency_seconds);
  };
  add("node", wanted.costs->on_node);
  add("network", wanted.costs->between_nodes);
  for (const LevelPrices::Entry& entry : wanted.costs->levels) add(entry.level(), entry.cost);
  std::map<std::string, ScheduleChoice>& known = neighborhood.planned;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  if (known.size() == most_known) known.clear();
  return known[key] = planned_schedule(neighborhood, blocks, wanted);
}

}  // namespace

std::string Choice::to_text() const {
  return concat(plan::name_of(schedule), " ", longest_by_node, " ", static_cast<int>(wire), " ",
                shared ? one_copy ? "on" : "buffered" : "off", timed ? " timed" : "",
                has_thread ? " thread" : "");
}

Choice wanted(const ExchangeOptions& options, const mpi::Environment& environment) {
  if (options.costs) schedule::check(*options.costs);
  const auto word = [&](const Setting& setting, const char* otherwise) {
    return mpi::setting("", options.info, setting.key, setting.variable, otherwise, environment);
  };
  const ScheduleChoice schedule =
      options.schedule ? *options.schedule : plan::schedule_named(word(settings::schedule, "auto"));
  (void)plan::name_of(schedule);  // refuses what is none
  const SharedMemory shared = options.shared ? *options.shared : parse_shared(word(settings::shared, "on"));
  return {
      schedule,
      schedule,
      Choice{}.longest_by_node,
      options.wire ? *options.wire : parse_wire(word(settings::wire, "auto")),
      shared != SharedMemory::off,
      shared == SharedMemory::on,
      wanted_statistics(options, environment) != StatisticsChoice::off,
      options.costs,
      mpi::chosen_engine(options.info),
      {},
      parse_progress(mpi::setting("", MPI_INFO_NULL, "", settings::progress.variable, "off", environment))};
}

StatisticsChoice wanted_statistics(const ExchangeOptions& options, const mpi::Environment& environment) {
  if (options.statistics) return *options.statistics;
  return parse_statistics(mpi::setting("", options.info, settings::statistics.key,
                                       settings::statistics.variable, "off", environment));
}

int wanted_threads(const ExchangeOptions& options) {
  Count threads = options.threads.value_or(1);
  if (!options.threads) {
    const std::string word =
        mpi::setting("", options.info, settings::threads.key, settings::threads.variable, "1", {});
    Scanner scan(settings::threads.variable, word, "4");
    threads = scan.integer();
    scan.expect_end();
  }
  constexpr Count most = 4096;
  require(threads >= 1 && threads <= most, settings::threads.variable, " or ", settings::threads.option, ": ",
          threads, " threads for copies; there are from 1 to ", most);
  return to_int(threads);
}

Choice decided(Choice wanted, NeighborhoodState& neighborhood, const Blocks& blocks) {
  if (!wanted.costs) wanted.costs = neighborhood.context->prices();
  if (blocks.device) wanted.on_devices = blocks.device->choice();
  const bool on_device = wanted.on_devices && wanted.on_devices->messages_on_device;
  const plan::ScheduleGround ground{wanted.shared, blocks.even(), neighborhood.context->several_nodes(),
                                    on_device};
  wanted.schedule = plan::allowed_schedule(wanted.schedule, ground);
  if (wanted.schedule == ScheduleChoice::automatic)
    wanted.schedule = plan::allowed_schedule(known_schedule(neighborhood, blocks, wanted), ground);
  wanted.longest_by_node = plan::longest_together(wanted.schedule, *wanted.costs);
  if (on_device) {  // MPI alone reaches it
    wanted.wire = Wire::automatic;
    wanted.shared = false;
  }
  return wanted;
}

}  // namespace halocline::exchange
