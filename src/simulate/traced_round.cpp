// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/traced_round.hpp"

#include "base/fail.hpp"
#include "plan/traced/order_choice.hpp"
#include "trace/trace_file.hpp"

#include <string_view>
#include <utility>

namespace halocline::simulate {
namespace {

constexpr std::size_t words_of_round = 5;
constexpr const char* default_order = "default";
constexpr const char* suggested_order = "suggested";
constexpr Count most_message_bytes = Count{1} << 30;

place::Order order_of(const plan::MessageMatrix& matrix, const Machine& machine, std::string_view name) {
  plan::OrderChoice choice = plan::choose_order({matrix, machine});
  return std::move((name == default_order ? choice.before : choice.after).order);
}

}  // namespace

TracedRound TracedRound::parse(std::span<const char* const> words) {
  require(words.size() == words_of_round, words.size(), " words describe no round of a trace; it takes ",
          words_of_round);
  const Machine machine = Machine::parse(words[2]);
  const plan::MessageMatrix matrix = plan::MessageMatrix::of(trace::read(words[3]));
  TracedRound round{Cluster::parse(words[1]), machine, matrix.one_of_each(),
                    order_of(matrix, machine, words[4])};
  round.check();
  return round;
}

void TracedRound::check() const {
  cluster.require_room(machine);
  messages.for_each([](std::size_t source, std::size_t target, Count bytes) {
    require(bytes <= most_message_bytes, "a message of ", bytes, " bytes from rank ", source, " to rank ",
            target, "; the simulator has room for ", most_message_bytes);
  });
}

std::vector<std::string> traced_round_words(const std::string& cluster, const Machine& machine,
                                            const std::string& trace, bool default_one) {
  return {traced_round_word, cluster, machine.to_text(), trace,
          default_one ? default_order : suggested_order};
}

}  // namespace halocline::simulate
