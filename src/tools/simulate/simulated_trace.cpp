// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate/simulated_trace.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "plan/traced/order_choice.hpp"
#include "plan/traced/order_time.hpp"
#include "simulate/traced_round.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/table.hpp"
#include "tools/simulate/simulated_run.hpp"
#include "tools/traced/traced_job.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace halocline::tools {
namespace {

double simulated_seconds(const std::vector<std::string>& words) {
  std::optional<double> seconds;
  run_simulated(
      words, [&](const simulate::Result& result) { seconds = result.seconds; }, [](int /*percent*/) {});
  if (!seconds) fail(Fault::internal, "the simulated program wrote no result");
  return *seconds;
}

/// What is compared: both orders, or the default one if there is no better.
struct TimedOrder {
  const plan::RatedOrder& order;
  double simulated_seconds, predicted_seconds;
};

Table table_of(const std::vector<TimedOrder>& orders) {
  Table table({Column::left("order", 18, "order"), Column::right("time [us]", 11, "seconds"),
               Column::right("speedup", 8, "ratio"), Column::right("predicted [us]", 15, "predicted_seconds"),
               Column::right("between nodes", 16, "bytes")});
  for (const TimedOrder& timed : orders)
    table.add({timed.order.by, decimal(timed.simulated_seconds, 2, 1e6),
               decimal(orders.front().simulated_seconds / timed.simulated_seconds, 2),
               decimal(timed.predicted_seconds, 2, 1e6), timed.order.cost.node().bytes});
  return table;
}

}  // namespace

Answer simulate_trace(const std::string& path, const SimulatedMachine& machine, const Machine& nodes) {
  const trace::Trace trace = whole_trace(path);
  (void)traced_job(trace, TracedJob{nodes, {}, "options", "as described"});
  const plan::MessageMatrix matrix = plan::MessageMatrix::of(trace), round = matrix.one_of_each();
  const plan::OrderChoice choice = plan::choose_order({matrix, nodes});
  simulate::TracedRound{machine.cluster, nodes, round, choice.before.order}.check();
  const LevelCosts prices = machine.cluster.prices(false, nodes.nodes());
  std::vector<TimedOrder> orders;
  for (const plan::RatedOrder* const rated : {&choice.before, &choice.after}) {
    const bool is_default = rated == &choice.before;
    if (!is_default && !choice.gains()) continue;
    const ProgressBar progress(rated->by);
    orders.push_back({*rated,
                      simulated_seconds(simulate::traced_round_words(machine.text, nodes, path, is_default)),
                      plan::order_time(round, nodes, rated->order, prices).seconds.total()});
  }
  const Table table = table_of(orders);
  Answer answer;
  answer.text = fmt::format(
      "{} ranks of {} on {} nodes of {}: a message of its mean size on each of {} pairs\n\n{}{}",
      trace.ranks(), path, nodes.nodes(), machine.name, matrix.pairs(), table.to_text(),
      choice.gains() ? ""
                     : "\nNothing is to be gained: no better order of the ranks was found than their own.\n");
  answer.json = {{"ranks", trace.ranks()}, {"machine", machine.name}, {"results", table.to_json()}};
  return answer;
}

}  // namespace halocline::tools
