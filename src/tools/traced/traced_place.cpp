// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_place.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "plan/options/option_names.hpp"
#include "plan/traced/order_choice.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/plan/filled_page.hpp"
#include "tools/traced/matrix_picture.hpp"
#include "tools/traced/traced_advice.hpp"
#include "tools/traced/traced_job.hpp"
#include "tools/traced/traced_page.hpp"
#include "tools/traced/traced_report.hpp"
#include "tools/traced/traced_times.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace halocline::tools {
namespace {

/// Those of --hosts, of the job or trace, or n0, n1, ...
std::vector<std::string> host_names(const TracedPlaceWords& words, const TracedJob& job) {
  const Count nodes = job.machine.nodes();
  std::vector<std::string> hosts = words.hosts.empty() ? job.hosts : listed_words(words.hosts);
  require(words.hosts.empty() || count_of(hosts) == nodes, "--hosts ", words.hosts, ": ", hosts.size(),
          " host names for ", nodes, " nodes");
  for (Count node = count_of(hosts); node < nodes; ++node) hosts.push_back(concat("n", node));
  return hosts;
}

/// The files that were asked for, each made before the first one is written.
std::string write_traced_files(const TracedPlaceWords& words, const Answer& answer,
                               const plan::OrderProblem& problem, const plan::OrderChoice& choice,
                               const TracedJob& job, const std::vector<std::string>& hosts,
                               const place::SeatCores* seats) {
  const bool has_names = !words.hosts.empty() || !job.hosts.empty();
  const std::string page =
      words.html.empty()
          ? ""
          : traced_page({answer, problem.matrix, choice, has_names ? hosts : std::vector<std::string>()});
  const std::string picture = words.svg.empty() ? "" : matrix_picture(problem.matrix, choice);
  if (!words.order.empty())
    write_file("--order", words.order, [&](std::ostream& file) { file << choice.after.order.to_text(); });
  if (!words.svg.empty()) write_file("--svg", words.svg, [&](std::ostream& file) { file << picture; });
  if (!words.html.empty()) write_file("--html", words.html, [&](std::ostream& file) { file << page; });
  return words.rank_file.given()
             ? words.rank_file.write(choice.after.order, job.machine, hosts, words.network.given(), seats)
             : "";
}

/// Lets the ranks of the best order change places on their nodes.
std::optional<plan::SeatedOrder> seat(const TracedPlaceWords& words, const plan::MessageMatrix& matrix,
                                      const Machine& machine, plan::OrderChoice& choice) {
  if (words.near == nullptr || !words.near->given()) return std::nullopt;
  plan::RatedOrder& best = choice.after;
  plan::SeatedOrder seated = words.near->seated(matrix, best.order, words.rank_file.cores_per_rank());
  if (seated.order == best.order) return seated;
  best.by += "+near";
  best.order = seated.order;
  const auto on_network = best.cost.on_network;
  best.cost = plan::matrix_cost(matrix, machine, best.order.positions());
  best.cost.on_network = on_network;
  return seated;
}

nlohmann::ordered_json advice_json(const std::vector<plan::Advice>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [purpose, lines] : all) list.push_back({{"purpose", purpose}, {"lines", lines}});
  return list;
}

}  // namespace

Answer answer_traced_place(const TracedPlaceWords& words) {
  if (!words.html.empty()) require_page("--html", words.html);
  if (words.rank_file.given()) words.rank_file.check();
  const ProgressBar progress("trace");
  const trace::Trace trace = whole_trace(words.trace);
  const plan::MessageMatrix matrix = plan::MessageMatrix::of(trace);
  require(matrix.pairs() > 0, "--trace ", words.trace, ": no rank sends bytes to another one");
  const TracedJob job = traced_job(trace, words.described);
  const std::vector<std::string> hosts = host_names(words, job);
  plan::OrderProblem problem{matrix, job.machine};
  if (words.network.given())
    problem.allocation = words.network.of_job(
        words.hosts.empty() && job.hosts.empty() ? std::vector<std::string>() : hosts, job.machine.nodes());
  problem.network.variant = read_option("--mapping", words.mapping, plan::mapping_named);
  problem.best.seconds = words.seconds;
  plan::OrderChoice choice = plan::choose_order(problem);
  const std::optional<plan::SeatedOrder> seated = seat(words, matrix, job.machine, choice);

  Answer answer = traced_report(matrix, choice, plan::cost_of_nodes(matrix, nodes_in_trace(trace)));
  if (words.prices != nullptr)
    add_times(answer, {matrix, choice, job.machine, words.prices->prices(job.machine)});
  answer.json["trace"] = words.trace;
  answer.json["nodes_from"] = job.source;
  answer.json["told_by"] = job.told_by;
  answer.json["how_to_get_it"] =
      advice_json(how_to_start({choice, job.machine, words.rank_file,
                                words.order.empty() ? "FILE" : words.order, words.network.given()}));
  answer.text = concat("nodes ", job.machine.node_sizes().to_text(), ": ", job.told_by, "\n") + answer.text;
  place::SeatCores seats;
  if (seated) {
    words.near->tell(*seated, answer);
    seats = NearWords::cores_of(*seated);
  }
  answer.text += write_traced_files(words, answer, problem, choice, job, hosts, seated ? &seats : nullptr);
  return answer;
}

}  // namespace halocline::tools
