#include "tools/plan_report.hpp"

#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "tools/price_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace halocline::tools {
namespace {

using nlohmann::ordered_json;
using plan::LevelTraffic;
using plan::Plan;
using plan::Prediction;

ordered_json traffic_json(const place::Traffic& traffic) {
  return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

ordered_json traffic_json(const LevelTraffic& traffic) {
  return {{"self", traffic_json(traffic.self)},
          {"node", traffic_json(traffic.node)},
          {"network", traffic_json(traffic.network)}};
}

ordered_json prediction_json(const Prediction& prediction) {
  const plan::Seconds& seconds = prediction.seconds;
  return {{"total", traffic_json(prediction.total)},
          {"largest_process", traffic_json(prediction.largest_process)},
          {"leaving_share", prediction.total.leaving_share()},
          {"j_sum", prediction.total.network.bytes},
          {"j_max", prediction.largest_node_bytes},
          {"bottleneck_node", prediction.bottleneck_node},
          {"bottleneck", traffic_json(prediction.bottleneck)},
          {"seconds", seconds.total()},
          {"seconds_of",
           {{"copies", seconds.copies},
            {"node_messages", seconds.node_messages},
            {"node_bytes", seconds.node_bytes},
            {"network_messages", seconds.network_messages},
            {"network_bytes", seconds.network_bytes}}}};
}

ordered_json plan_json(const Plan& plan) {
  ordered_json json{
      {"grid", plan.grid.extents()}, {"placement", plan.placed_by}, {"schedule", plan.schedule}};
  json.update(prediction_json(plan.prediction));
  return json;
}

ordered_json price_json(const schedule::LinearCost& price) {
  return {{"message_seconds", price.round_seconds},
          {"byte_seconds", price.byte_seconds},
          {"latency_seconds", price.latency_seconds}};
}

/// The table, a plan beside the default if there is one.
class Table {
 public:
  explicit Table(const plan::Explanation& both) : both_(both) {
    text_ = fmt::format("{:<34} {:>16}", "", "plan");
    if (both.usual) text_ += fmt::format(" {:>16} {:>9}", "default", "ratio");
    text_ += "\n";
  }

  void heading(const std::string& name) { text_ += name + "\n"; }

  template <class Of>
  void words(const char* name, const Of& of) {
    text_ += fmt::format("{:<34} {:>16}", name, of(both_.plan));
    if (both_.usual) text_ += fmt::format(" {:>16}", of(*both_.usual));
    text_ += "\n";
  }

  /// With how many times as much the default has. What there is nothing of has no row.
  template <class Of>
  void numbers(const char* name, const Of& of) {
    row(name, of, [](auto number) { return fmt::format("{}", number); });
  }
  template <class Of>
  void seconds(const char* name, const Of& of) {
    row(name, of, seconds_text);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <class Of, class Text>
  void row(const char* name, const Of& of, const Text& text) {
    const auto ours = of(both_.plan.prediction);
    if (ours == 0 && (!both_.usual || of(both_.usual->prediction) == 0)) return;
    text_ += fmt::format("{:<34} {:>16}", name, text(ours));
    if (both_.usual) {
      const auto theirs = of(both_.usual->prediction);
      const double ratio = static_cast<double>(theirs) / static_cast<double>(ours);
      text_ += fmt::format(" {:>16} {:>9}", text(theirs),
                           std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-");
    }
    text_ += "\n";
  }

  const plan::Explanation& both_;
  std::string text_;
};

void add_traffic(Table& table, const LevelTraffic Prediction::*of) {
  table.numbers("  copies to itself", [=](const Prediction& p) { return (p.*of).self.messages; });
  table.numbers("  bytes to itself", [=](const Prediction& p) { return (p.*of).self.bytes; });
  table.numbers("  messages on nodes", [=](const Prediction& p) { return (p.*of).node.messages; });
  table.numbers("  bytes on nodes", [=](const Prediction& p) { return (p.*of).node.bytes; });
  table.numbers("  messages between nodes", [=](const Prediction& p) { return (p.*of).network.messages; });
  table.numbers("  bytes between nodes", [=](const Prediction& p) { return (p.*of).network.bytes; });
}

std::string table_text(const plan::Explanation& both) {
  Table table(both);
  table.words("grid", [](const Plan& plan) { return join(plan.grid.extents(), "x"); });
  table.words("placement", [](const Plan& plan) { return plan.placed_by; });
  table.words("schedule", [](const Plan& plan) { return plan.schedule; });
  table.heading("all processes together send");
  add_traffic(table, &Prediction::total);
  table.heading("the most that one process sends");
  add_traffic(table, &Prediction::largest_process);
  table.heading("the node that takes longest sends");
  table.words("  number of the node", [](const Plan& plan) { return plan.prediction.bottleneck_node; });
  add_traffic(table, &Prediction::bottleneck);
  table.numbers("most bytes that leave a node", [](const Prediction& p) { return p.largest_node_bytes; });
  table.seconds("predicted time of an exchange", [](const Prediction& p) { return p.seconds.total(); });
  table.seconds("  copies", [](const Prediction& p) { return p.seconds.copies; });
  table.seconds("  messages on the node", [](const Prediction& p) { return p.seconds.node_messages; });
  table.seconds("  bytes on the node", [](const Prediction& p) { return p.seconds.node_bytes; });
  table.seconds("  messages out of the node", [](const Prediction& p) { return p.seconds.network_messages; });
  table.seconds("  bytes out of the node", [](const Prediction& p) { return p.seconds.network_bytes; });
  return table.text();
}

std::string schedules_text(const Plan& plan) {
  if (plan.schedules.size() < 2) return "";
  std::string text =
      fmt::format("\n{:<14} {:>18} {:>18} {:>12}\n", "schedule", "messages between", "bytes between", "time");
  for (const plan::RatedSchedule& rated : plan.schedules)
    text +=
        fmt::format("{:<14} {:>18} {:>18} {:>12}{}\n", rated.name, rated.prediction.total.network.messages,
                    rated.prediction.total.network.bytes, seconds_text(rated.prediction.seconds.total()),
                    rated.name == plan.schedule ? "  chosen" : "");
  return text;
}

std::string packing_text(const Plan& plan) {
  std::string text = fmt::format("\n{:<14} {:>12} {:>12}  of one field\n", "direction", "bytes", "pieces");
  for (const plan::Packing& message : plan.packing)
    text += fmt::format("{:<14} {:>12} {:>12}  {}\n", join(message.direction, ","), message.bytes,
                        message.pieces, message.form);
  return text;
}

std::string percent(double part, double whole) {
  const double value = 100 * part / whole;
  return value < 1000 ? fmt::format("{:.3g} %", value) : fmt::format("{:.0f} %", value);
}

/// What goes between nodes: of one plan in parts of the other, and of each in parts of all that it sends.
std::string bytes_verdict(const LevelTraffic& ours, const LevelTraffic& theirs) {
  if (ours.network.bytes == 0 && theirs.network.bytes == 0) return "Nothing leaves a node.";
  if (theirs.network.bytes == 0)
    return fmt::format("{} bytes leave their node, {} of all; with the default none do.", ours.network.bytes,
                       percent(ours.leaving_share(), 1));
  return fmt::format(
      "Between nodes go {} as many bytes as with the default: {} of all bytes leave their node, with the "
      "default {}.",
      percent(static_cast<double>(ours.network.bytes), static_cast<double>(theirs.network.bytes)),
      percent(ours.leaving_share(), 1), percent(theirs.leaving_share(), 1));
}

/// What the comparison comes to, in two sentences.
std::string verdict(const plan::Explanation& both) {
  if (!both.usual) return concat("There is no default to compare with: ", both.why_not_usual, ".");
  const double ratio = both.speedup();
  const std::string bytes = bytes_verdict(both.plan.prediction.total, both.usual->prediction.total);
  if (ratio >= 1)
    return fmt::format("By these prices the default takes {:.2f} times as long. {}", ratio, bytes);
  return fmt::format("By these prices the plan takes {:.2f} times as long as the default. {}", 1 / ratio,
                     bytes);
}

ordered_json problem_json(const plan::Problem& problem, const JobMachine& job, const LevelCosts& prices) {
  ordered_json json{
      {"mesh", problem.mesh.to_text()},
      {"stencil", problem.stencil.to_text()},
      {"halo", problem.halo},
      {"fields", problem.fields},
      {"bytes", problem.value_bytes},
      {"machine", problem.machine.to_text()},
      {"source", job.source},
      {"ranks", problem.machine.ranks()},
      {"nodes", problem.machine.nodes()},
      {"prices", {{"node", price_json(prices.on_node)}, {"network", price_json(prices.between_nodes)}}}};
  if (!job.hosts.empty()) json["hosts"] = job.hosts;
  return json;
}

std::string problem_text(const plan::Problem& problem, const JobMachine& job, const LevelCosts& prices) {
  return fmt::format(
      "mesh {}, stencil {}, halo {}, {} field{} of {} bytes a point\n"
      "{} rank{} on {} node{} ({}): {}\n"
      "a message costs, and bytes go at: on a node {}; out of a node {}\n\n",
      problem.mesh.to_text(), problem.stencil.to_text(), join(problem.halo, "x"), problem.fields,
      problem.fields == 1 ? "" : "s", problem.value_bytes, problem.machine.ranks(),
      problem.machine.ranks() == 1 ? "" : "s", problem.machine.nodes(),
      problem.machine.nodes() == 1 ? "" : "s", problem.machine.node_sizes().to_text(), job.told_by,
      price_text(prices.on_node), price_text(prices.between_nodes));
}

}  // namespace

Answer plan_report(const plan::Problem& problem, const JobMachine& job, const LevelCosts& prices,
                   const plan::Explanation& both) {
  Answer answer;
  answer.json = {{"problem", problem_json(problem, job, prices)}, {"plan", plan_json(both.plan)}};
  answer.json["default"] = both.usual ? plan_json(*both.usual) : ordered_json();
  if (both.usual)
    answer.json["speedup"] = both.speedup();
  else
    answer.json["no_default"] = both.why_not_usual;
  auto& schedules = answer.json["schedules"] = ordered_json::array();
  for (const plan::RatedSchedule& rated : both.plan.schedules) {
    ordered_json row{{"schedule", rated.name}};
    row.update(prediction_json(rated.prediction));
    schedules.push_back(std::move(row));
  }
  auto& packing = answer.json["packing"] = ordered_json::array();
  for (const plan::Packing& message : both.plan.packing)
    packing.push_back({{"direction", message.direction},
                       {"bytes", message.bytes},
                       {"pieces", message.pieces},
                       {"canonical", message.form}});
  answer.json["reasons"] = both.plan.reasons;

  answer.text = problem_text(problem, job, prices);
  for (const std::string& reason : both.plan.reasons) answer.text += reason + "\n";
  answer.text +=
      verdict(both) + "\n\n" + table_text(both) + schedules_text(both.plan) + packing_text(both.plan);
  return answer;
}

}  // namespace halocline::tools
