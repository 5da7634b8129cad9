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

/// Between nodes a message costs as much as this many bytes: alpha / beta of the linear model. From 2.5 KiB
/// (TCP at 1 Gbit/s) to 10 KiB on the networks it was tried on or is known for.
constexpr Count bytes_worth_a_message = 4096;
/// The most memory that a process may be asked for to speak for its node.
constexpr Count most_gateway_bytes = Count{64} * 1024 * 1024;

/// With one message for each process, all bytes travel once; so do they with one for each node, but for
/// allgather, where a node gets a block once instead of each of its processes. What speaks against that is
/// that all of it goes through memory on both sides: it pays while messages are what costs.
std::string cheapest(const Neighborhood::State& neighborhood, const Blocks& blocks) {
  const Context& context = *neighborhood.context;
  if (!context.several_nodes()) return "direct";
  Count bytes = 0;  // of a process that all know
  for (std::size_t i = 0; i < blocks.receive.size(); ++i) bytes += blocks.bytes_of(0, static_cast<int>(i));
  const Count node_bytes = bytes * static_cast<Count>(context.largest_node());
  if (2 * node_bytes > most_gateway_bytes) return "direct";
  if (blocks.operation == Operation::allgather) return "node";
  const Count mean_message = bytes / std::max(neighborhood.distinct_targets, Count{1});
  return mean_message <= bytes_worth_a_message ? "node" : "direct";
}

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", static_cast<int>(wire), " ", shared ? "on" : "off", timed ? " timed" : "");
}

Choice wanted(const ExchangeOptions& options) {
  const auto word = [&](const std::string& argument, const char* key, const char* variable,
                        const char* otherwise) {
    return mpi::setting(argument, options.info, key, variable, otherwise);
  };
  return {checked_schedule(word(options.schedule, "halocline_schedule", "HALOCLINE_SCHEDULE", "auto")),
          parse_wire(word(options.wire, "halocline_wire", "HALOCLINE_WIRE", "auto")),
          parse_switch("shared memory", word(options.shared, "halocline_shared", "HALOCLINE_SHARED", "on")),
          parse_statistics(word(options.statistics, "halocline_statistics", "HALOCLINE_STATISTICS", "off"))};
}

Choice decided(Choice wanted, const Neighborhood::State& neighborhood, const Blocks& blocks) {
  if (wanted.schedule == "auto" || (combines(wanted.schedule) && !blocks.even()))
    wanted.schedule = cheapest(neighborhood, blocks);
  if (wanted.schedule == "node" && (!wanted.shared || !neighborhood.context->several_nodes()))
    wanted.schedule = "direct";
  return wanted;
}

}  // namespace halocline::exchange
