#include "exchange/choice.hpp"

#include "halocline/base/error.hpp"
#include "halocline/schedule/algorithms.hpp"
#include "mpi/info.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

bool parse_switch(const char* what, const std::string& word) {
  require(word == "on" || word == "off", what, " is \"", word, "\"; it is on or off");
  return word == "on";
}

/// Are times to be taken? "print" is for whoever shows them.
bool parse_statistics(const std::string& word) { return word == "print" || parse_switch("statistics", word); }

std::string checked_schedule(const std::string& name) {
  if (name == "auto" || name == "node" || name == "mixed") return name;
  std::string names = "auto, node, mixed";
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    if (algorithm.name == name) return name;
    names += ", " + std::string(algorithm.name);
  }
  fail(Fault::invalid_argument, "no schedule is called \"", name, "\"; there are ", names);
}

/// Does it send the blocks of others on?
bool combines(const std::string& schedule) {
  return schedule != "direct" && schedule != "node" && schedule != "mixed";
}

/// The most memory that a process may be asked for to speak for its node.
constexpr double most_gateway_bytes = 64.0 * 1024 * 1024;

/// The schedule that should be the fastest, by the blocks of a process that all know. What is gathered goes
/// to each node once instead of to each of its processes, whatever its length.
std::string cheapest(const Neighborhood::State& neighborhood, const Blocks& blocks, const LevelCosts& costs) {
  const Context& context = *neighborhood.context;
  if (!context.several_nodes()) return "direct";
  const auto longest = static_cast<double>(schedule::longest_by_node(costs));
  double all = 0, short_ones = 0;
  for (std::size_t i = 0; i < blocks.receive.size(); ++i) {
    const auto bytes = static_cast<double>(blocks.bytes_of(0, static_cast<int>(i)));
    all += bytes;
    if (bytes <= longest) short_ones += bytes;
  }
  const auto affordable = [&](double bytes) {
    return 2 * bytes * static_cast<double>(context.largest_node()) <= most_gateway_bytes;
  };
  if (blocks.gathered()) return affordable(all) ? "node" : "direct";
  return short_ones > 0 && affordable(short_ones) ? "mixed" : "direct";
}

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", longest_by_node, " ", static_cast<int>(wire), " ", shared ? "on" : "off",
                timed ? " timed" : "");
}

Choice wanted(const ExchangeOptions& options, const mpi::Environment& environment) {
  if (options.costs)
    for (const schedule::LinearCost& level : {options.costs->between_nodes, options.costs->on_node})
      schedule::check(level);
  const auto word = [&](const std::string& argument, const char* key, const char* variable,
                        const char* otherwise) {
    return mpi::setting(argument, options.info, key, variable, otherwise, environment);
  };
  return {checked_schedule(word(options.schedule, "halocline_schedule", "HALOCLINE_SCHEDULE", "auto")),
          Choice{}.longest_by_node,
          parse_wire(word(options.wire, "halocline_wire", "HALOCLINE_WIRE", "auto")),
          parse_switch("shared memory", word(options.shared, "halocline_shared", "HALOCLINE_SHARED", "on")),
          parse_statistics(word(options.statistics, "halocline_statistics", "HALOCLINE_STATISTICS", "off")),
          options.costs,
          mpi::chosen_engine(options.info)};
}

Choice decided(Choice wanted, const Neighborhood::State& neighborhood, const Blocks& blocks) {
  if (!wanted.costs) wanted.costs = neighborhood.context->prices();
  if (wanted.schedule == "auto" || (combines(wanted.schedule) && !blocks.even()))
    wanted.schedule = cheapest(neighborhood, blocks, *wanted.costs);
  const bool by_gateways = wanted.schedule == "node" || wanted.schedule == "mixed";
  if (by_gateways && (!wanted.shared || !neighborhood.context->several_nodes())) wanted.schedule = "direct";
  if (wanted.schedule == "mixed") wanted.longest_by_node = schedule::longest_by_node(*wanted.costs);
  return wanted;
}

}  // namespace halocline::exchange
