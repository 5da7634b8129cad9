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

/// How long may be what two processes on different nodes have for each other, if it shall go with what their
/// nodes have for each other? What speaks against that is that nothing is on its way before all of it was
/// written, and that it is copied once more on both sides: it pays while messages are what costs. A message
/// is worth 2.5 KiB (TCP at 1 Gbit/s) to 10 KiB on the networks this was tried on or is known for.
Count longest_by_node(const LevelCosts& costs) {
  const double saved = costs.between_nodes.round_seconds - costs.on_node.round_seconds;
  const double added_by_byte = costs.between_nodes.byte_seconds + 2 * costs.on_node.byte_seconds;
  constexpr auto any = static_cast<double>(Count{1} << 62);
  return saved <= 0 ? 0 : static_cast<Count>(std::min(saved / added_by_byte, any));
}

/// Sets the schedule that should be the fastest. What is gathered goes to each node once instead of to each
/// of its processes, whatever its length.
void choose_cheapest(Choice& choice, const Neighborhood::State& neighborhood, const Blocks& blocks) {
  const Context& context = *neighborhood.context;
  choice.schedule = "direct";
  if (!context.several_nodes()) return;
  if (!blocks.gathered()) choice.longest_by_node = longest_by_node(choice.costs);
  double by_node = 0;  // bytes of a process that all know
  for (std::size_t i = 0; i < blocks.receive.size(); ++i)
    if (const Count bytes = blocks.bytes_of(0, static_cast<int>(i)); bytes <= choice.longest_by_node)
      by_node += static_cast<double>(bytes);
  const bool too_much = 2 * by_node * static_cast<double>(context.largest_node()) > most_gateway_bytes;
  if (by_node > 0 && !too_much) choice.schedule = "node";
}

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", longest_by_node, " ", static_cast<int>(wire), " ", shared ? "on" : "off",
                timed ? " timed" : "");
}

Choice wanted(const ExchangeOptions& options) {
  for (const schedule::LinearCost& level : {options.costs.between_nodes, options.costs.on_node})
    schedule::check(level);
  const auto word = [&](const std::string& argument, const char* key, const char* variable,
                        const char* otherwise) {
    return mpi::setting(argument, options.info, key, variable, otherwise);
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
  if (wanted.schedule == "auto" || (combines(wanted.schedule) && !blocks.even()))
    choose_cheapest(wanted, neighborhood, blocks);
  if (wanted.schedule == "node" && (!wanted.shared || !neighborhood.context->several_nodes()))
    wanted.schedule = "direct";
  return wanted;
}

}  // namespace halocline::exchange
