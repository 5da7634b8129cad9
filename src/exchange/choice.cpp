#include "exchange/choice.hpp"

#include "halocline/base/error.hpp"
#include "halocline/schedule/algorithms.hpp"
#include "mpi/info.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::exchange {
namespace {

bool parse_switch(const std::string& word) {
  require(word == "on" || word == "off", "shared memory is \"", word, "\"; it is on or off");
  return word == "on";
}

std::string checked_schedule(const std::string& name) {
  if (name == "auto" || name == "node") return name;
  std::string names = "auto, node";
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    if (algorithm.name == name) return name;
    names += ", " + std::string(algorithm.name);
  }
  fail(Fault::invalid_argument, "no schedule is called \"", name, "\"; there are ", names);
}

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
  const double bytes = std::accumulate(blocks.bytes.begin(), blocks.bytes.end(), 0.0);
  if (2 * bytes * static_cast<double>(context.largest_node()) > most_gateway_bytes) return "direct";
  if (blocks.operation == Operation::allgather) return "node";
  const auto messages = static_cast<double>(std::max(neighborhood.distinct_targets, Count{1}));
  const double saved = messages * (costs.between_nodes.round_seconds - costs.on_node.round_seconds);
  const double added = bytes * (costs.between_nodes.byte_seconds + 2 * costs.on_node.byte_seconds);
  return added <= saved ? "node" : "direct";
}

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", static_cast<int>(wire), " ", shared ? "on" : "off");
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
          parse_switch(word(options.shared, "halocline_shared", "HALOCLINE_SHARED", "on")), options.costs};
}

Choice decided(Choice wanted, const Neighborhood::State& neighborhood, const Blocks& blocks) {
  if (wanted.schedule == "auto") wanted.schedule = cheapest(neighborhood, blocks, wanted.costs);
  if (wanted.schedule == "node" && (!wanted.shared || !neighborhood.context->several_nodes()))
    wanted.schedule = "direct";
  return wanted;
}

}  // namespace halocline::exchange
