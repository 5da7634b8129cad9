// SPDX-License-Identifier: BSD-3-Clause
// A plan for people: the reasons, a table beside the default, and how to get it.

#include "plan/report/plan_text.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/table.hpp"
#include "halocline/plan/explanation.hpp"
#include "plan/prices/price_text.hpp"
#include "plan/report/advice.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace halocline::plan {
namespace {

/// The table, a plan beside the default if there is one.
class Comparison {
 public:
  explicit Comparison(const Explanation& both) : both_(both), table_(columns(both)) {}

  void heading(const char* name) { table_.add({name}); }

  template <class Of>
  void words(const char* name, const Of& of) {
    std::vector<std::string> row{name, of(both_.plan)};
    if (both_.usual) row.push_back(of(*both_.usual));
    table_.add(row);
  }

  /// With how many times as much the default has. What there is nothing of has no row.
  template <class Of>
  void numbers(const char* name, const Of& of) {
    add(name, of, [](Count value) { return std::to_string(value); });
  }
  template <class Of>
  void seconds(const char* name, const Of& of) {
    add(name, of, seconds_text);
  }

  [[nodiscard]] std::string text() const { return table_.to_text(); }

 private:
  static std::vector<Column> columns(const Explanation& both) {
    std::vector<Column> columns{Column::left("", 34), Column::right("plan", 16)};
    if (both.usual)
      columns.insert(columns.end(), {Column::right("default", 16), Column::right("default / plan", 17)});
    return columns;
  }

  template <class Of, class Text>
  void add(const char* name, const Of& of, const Text& text) {
    const auto ours = of(both_.plan.prediction);
    if (ours == 0 && (!both_.usual || of(both_.usual->prediction) == 0)) return;
    std::vector<std::string> row{name, text(ours)};
    if (both_.usual) {
      const auto theirs = of(both_.usual->prediction);
      const double times = static_cast<double>(theirs) / static_cast<double>(ours);
      row.push_back(text(theirs));
      row.push_back(std::isfinite(times) ? with_digits(times, 2) : "-");
    }
    table_.add(row);
  }

  const Explanation& both_;
  TextTable table_;
};

void add_traffic(Comparison& table, const LevelTraffic Prediction::*of) {
  table.numbers("  copies to itself", [=](const Prediction& p) { return (p.*of).self.messages; });
  table.numbers("  bytes to itself", [=](const Prediction& p) { return (p.*of).self.bytes; });
  table.numbers("  messages on nodes", [=](const Prediction& p) { return (p.*of).node.messages; });
  table.numbers("  bytes on nodes", [=](const Prediction& p) { return (p.*of).node.bytes; });
  table.numbers("  messages between nodes", [=](const Prediction& p) { return (p.*of).network.messages; });
  table.numbers("  bytes between nodes", [=](const Prediction& p) { return (p.*of).network.bytes; });
}

std::string table_text(const Explanation& both) {
  Comparison table(both);
  table.words("grid", [](const Plan& plan) { return join(plan.grid.extents(), "x"); });
  table.words("placement", [](const Plan& plan) { return plan.placed_by; });
  table.words("schedule", [](const Plan& plan) { return plan.schedule; });
  table.heading("all processes together send");
  add_traffic(table, &Prediction::total);
  table.heading("the most that one process sends");
  add_traffic(table, &Prediction::largest_process);
  table.heading("the node that takes longest sends");
  table.words("  number of the node",
              [](const Plan& plan) { return std::to_string(plan.prediction.bottleneck_node); });
  add_traffic(table, &Prediction::bottleneck);
  table.numbers("most bytes that leave a node", [](const Prediction& p) { return p.largest_node_bytes; });
  table.seconds("predicted time of an exchange", [](const Prediction& p) { return p.seconds.total(); });
  table.seconds("  copies", [](const Prediction& p) { return p.seconds.copies; });
  table.seconds("  messages on the node", [](const Prediction& p) { return p.seconds.node_messages; });
  table.seconds("  bytes on the node", [](const Prediction& p) { return p.seconds.node_bytes; });
  table.seconds("  messages out of the node", [](const Prediction& p) { return p.seconds.network_messages; });
  table.seconds("  bytes out of the node", [](const Prediction& p) { return p.seconds.network_bytes; });
  table.seconds("  messages under way", [](const Prediction& p) { return p.seconds.under_way; });
  return table.text();
}

std::string schedules_text(const Plan& plan) {
  if (plan.schedules.size() < 2) return "";
  TextTable table({Column::left("schedule", 14), Column::right("messages between", 18),
                   Column::right("bytes between", 18), Column::right("time", 12),
                   Column::left("", 0, "", "")});
  for (const RatedSchedule& rated : plan.schedules) {
    const Traffic& between = rated.prediction.total.network;
    table.add({rated.name, std::to_string(between.messages), std::to_string(between.bytes),
               seconds_text(rated.prediction.seconds.total()),
               rated.name == plan.schedule ? "  chosen" : ""});
  }
  return "\n" + table.to_text();
}

std::string packing_text(const Plan& plan) {
  if (plan.packing.empty()) return "";
  TextTable table({Column::left("direction", 14), Column::right("bytes", 12), Column::right("pieces", 12),
                   Column::left("of one field", 0, "", "  ")});
  for (const Packing& message : plan.packing)
    table.add({join(message.direction, ","), std::to_string(message.bytes), std::to_string(message.pieces),
               message.form});
  return "\n" + table.to_text();
}

std::string percent(double part, double whole) { return in_full(100 * part / whole) + " %"; }

/// What goes between nodes: of one plan in parts of the other, and of each in parts of all that it sends.
std::string bytes_verdict(const LevelTraffic& ours, const LevelTraffic& theirs) {
  if (ours.network.bytes == 0 && theirs.network.bytes == 0) return "Nothing leaves a node.";
  if (theirs.network.bytes == 0)
    return concat("It sends ", ours.network.bytes, " bytes between nodes, ", percent(ours.leaving_share(), 1),
                  " of its bytes; the default sends none.");
  return concat("It sends ", percent(to_double(ours.network.bytes), to_double(theirs.network.bytes)),
                " of the bytes that the default sends between nodes: ", percent(ours.leaving_share(), 1),
                " of its bytes leave their node, ", percent(theirs.leaving_share(), 1), " of the default's.");
}

/// What the comparison comes to, in two sentences.
std::string verdict(const Explanation& both) {
  if (!both.usual) return concat("There is no default to compare with: ", both.why_not_usual, ".");
  const Prediction &ours = both.plan.prediction, &theirs = both.usual->prediction;
  return concat("By these prices the plan is ",
                as_fast_as(ours.seconds.total(), theirs.seconds.total(), "the default"), ". ",
                bytes_verdict(ours.total, theirs.total));
}

std::string several(Count number, const char* what) {
  return concat(number, " ", what, number == 1 ? "" : "s");
}

std::string range_text(const Counts& bytes) {
  const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  return *least == *most ? several(*least, "byte") : concat(*least, " to ", *most, " bytes");
}

std::string problem_text(const Explanation& both) {
  const Machine& machine = both.problem.machine;
  const LevelCosts& prices = both.choices.prices;
  return concat(
      exchanged_text(both.problem), "\n", several(machine.ranks(), "rank"), " on ",
      several(machine.nodes(), "node"), " (", machine.node_sizes().to_text(), "): ", both.source.told_by,
      "\nprices (cost of a message, speed of bytes, time under way): ", prices_text(prices), "\n\n");
}

std::string advice_text(const Explanation& both) {
  std::string text;
  for (const Advice& advice : how_to_get_it(both)) {
    text += "\n" + advice.purpose + "\n";
    for (const std::string& line : advice.lines) text += "  " + line + "\n";
  }
  return text;
}

}  // namespace

std::string exchanged_text(const Problem& problem) {
  const std::string stencil = Stencil(problem.stencil.offsets()).to_text();
  if (problem.blocks)
    return concat("blocks of ", range_text(problem.point_bytes),
                  *problem.blocks == Operation::allgather ? ", gathered along " : " along ", stencil,
                  " on the grid ", problem.mesh.to_text());
  const std::string mesh =
      concat("mesh ", problem.mesh.to_text(), problem.slabs.empty() ? "" : " cut as given");
  const char* const borders = problem.border_points.empty() ? "" : ", longer along open borders";
  if (!problem.point_bytes.empty())
    return concat(mesh, ", stencil ", stencil, ", halos of different widths, ",
                  range_text(problem.point_bytes), " along a face", borders);
  return concat(mesh, ", stencil ", problem.stencil.to_text(), ", halo ", join(problem.halo, "x"), borders,
                ", ", several(problem.fields, "field"), " of ", problem.value_bytes, " bytes a point");
}

std::string Explanation::seats_to_text() const {
  std::string text = problem_text(*this);
  for (std::size_t i = 0; i < (plan.network ? 3U : 2U); ++i) text += plan.reasons[i] + "\n";
  return text;
}

std::string Explanation::to_text() const {
  std::string text = problem_text(*this);
  for (const std::string& reason : plan.reasons) text += reason + "\n";
  return text + verdict(*this) + "\n\n" + table_text(*this) + schedules_text(plan) + packing_text(plan) +
         advice_text(*this);
}

}  // namespace halocline::plan
