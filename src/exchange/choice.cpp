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
  if (name == "auto" || name == "node") return name;
  std::string names = "auto, node";
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    if (algorithm.name == name) return name;
    names += ", " + std::string(algorithm.name);
  }
  fail(Fault::invalid_argument, "no schedule is called \"", name, "\"; there are ", names);
}

/// Does it send the blocks of others on?
bool combines(const std::string& schedule) { return schedule != "direct" && schedule != "node"; }

/// The most memory that a process may be asked for to speak for its node.
constexpr double most_gateway_bytes = 64.0 * 1024 * 1024;

/// With one message for each process, all bytes travel once; so do they with one for each node, but for
/// allgather, where a node gets a block once instead of each of its processes. What speaks against that is
/// that nothing is on its way before all of it was written, and that it is copied once more on both sides: it
/// pays while messages are what costs. A message is worth 2.5 KiB (TCP at 1 Gbit/s) to 10 KiB on the networks
/// this was tried on or is known for.
std::string cheapest(const Neighborhood::State& neighborhood, const Blocks& blocks, const LevelCosts& costs) {
  const Context& context = *neighborhood.context;
  if (!context.several_nodes()) return "direct";
  double bytes = 0;  // of a process that all know
  for (std::size_t i = 0; i < blocks.receive.size(); ++i)
    bytes += static_cast<double>(blocks.bytes_of(0, static_cast<int>(i)));
  if (2 * bytes * static_cast<double>(context.largest_node()) > most_gateway_bytes) return "direct";
  if (blocks.operation == Operation::allgather) return "node";
  const auto messages = static_cast<double>(std::max(neighborhood.distinct_targets, Count{1}));
  const double saved = messages * (costs.between_nodes.round_seconds - costs.on_node.round_seconds);
  const double added = bytes * (costs.between_nodes.byte_seconds + 2 * costs.on_node.byte_seconds);
  return added <= saved ? "node" : "direct";
}

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", static_cast<int>(wire), " ", shared ? "on" : "off", timed ? " timed" : "");
}

Choice wanted(const ExchangeOptions& options) {
  for (const schedule::LinearCost& level : {options.costs.between_nodes, options.costs.on_node})
    schedule::check(level);
  const auto word = [&](const std::string& argument, const char* key, const char* variable,
                        const char* otherwise) {
    return mpi::setting(argument, options.info, key, variable, otherwise);
  };
  return {checked_schedule(word(options.schedule, "halocline_schedule", "HALOCLINE_SCHEDULE", "auto")),
          parse_wire(word(options.wire, "halocline_wire", "HALOCLINE_WIRE", "auto")),
          parse_switch("shared memory", word(options.shared, "halocline_shared", "HALOCLINE_SHARED", "on")),
          parse_statistics(word(options.statistics, "halocline_statistics", "HALOCLINE_STATISTICS", "off")),
          options.costs,
          mpi::chosen_engine(options.info)};
}

Choice decided(Choice wanted, const Neighborhood::State& neighborhood, const Blocks& blocks) {
  if (wanted.schedule == "auto" || (combines(wanted.schedule) && !blocks.even()))
    wanted.schedule = cheapest(neighborhood, blocks, wanted.costs);
  if (wanted.schedule == "node" && (!wanted.shared || !neighborhood.context->several_nodes()))
    wanted.schedule = "direct";
  return wanted;
}

}  // namespace halocline::exchange
