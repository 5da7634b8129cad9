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

/// Up to here the bytes that a process sends are few enough for messages of the whole node.
constexpr Count most_bytes_by_node = Count{4} * 1024 * 1024;

}  // namespace

std::string Choice::to_text() const {
  return concat(schedule, " ", static_cast<int>(wire), " ", shared ? "on" : "off");
}

Choice wanted(const ExchangeOptions& options) {
  const auto word = [&](const std::string& argument, const char* key, const char* variable,
                        const char* otherwise) {
    return mpi::setting(argument, options.info, key, variable, otherwise);
  };
  return {checked_schedule(word(options.schedule, "halocline_schedule", "HALOCLINE_SCHEDULE", "auto")),
          parse_wire(word(options.wire, "halocline_wire", "HALOCLINE_WIRE", "auto")),
          parse_switch(word(options.shared, "halocline_shared", "HALOCLINE_SHARED", "on"))};
}

Choice decided(Choice wanted, Neighborhood::State& neighborhood, const Blocks& blocks) {
  const bool several_nodes = neighborhood.context->several_nodes();
  if (wanted.schedule == "auto") {
    const Count bytes = std::accumulate(blocks.bytes.begin(), blocks.bytes.end(), Count{0});
    wanted.schedule = several_nodes && bytes <= most_bytes_by_node ? "node" : "direct";
  }
  if (wanted.schedule == "node" && (!wanted.shared || !several_nodes)) wanted.schedule = "direct";
  return wanted;
}

}  // namespace halocline::exchange
