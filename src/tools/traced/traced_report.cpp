// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_report.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {
namespace {

constexpr std::size_t most_offsets_told = 8;

std::string percent(Count part, Count whole) {
  return fmt::format("{:.1f} %", whole == 0 ? 0 : 100 * ratio_of(part, whole));
}

/// The family that has the same offsets, or how many they are.
std::string stencil_words(const Stencil& stencil) {
  const std::size_t dimensions = stencil.dimensions();
  const auto same = [&](const Stencil& family) {
    std::vector<Offset> a = family.offsets(), b = stencil.offsets();
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  for (const char* const name : {"nearest", "hops", "moore:1", "moore:2", "moore:3", "star:2", "star:3",
                                 "star:4", "octant:1", "component"}) {
    if (name == std::string_view("component") && dimensions == 1) continue;
    if (same(Stencil::parse(name, dimensions))) return concat("stencil ", name);
  }
  return "a stencil of its own";
}

/// The offsets with the most bytes first.
std::vector<std::size_t> by_weight(const Stencil& stencil) {
  std::vector<std::size_t> numbers(stencil.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return stencil.weights()[a] > stencil.weights()[b]; });
  return numbers;
}

std::string offset_lines(const Stencil& stencil) {
  Table table({Column::right("offset", 12), Column::right("bytes of a rank", 18)});
  const std::vector<std::size_t> numbers = by_weight(stencil);
  for (std::size_t i = 0; i < std::min(numbers.size(), most_offsets_told); ++i)
    table.add(
        {fmt::format("{}", fmt::join(stencil.offsets()[numbers[i]], ",")), stencil.weights()[numbers[i]]});
  std::string text = table.to_text();
  if (numbers.size() > most_offsets_told) text += fmt::format("{:>12}\n", "...");
  return text;
}

std::string grid_words(const plan::MessageMatrix& matrix, const std::optional<plan::GridPattern>& pattern) {
  if (!pattern) return "the messages are those of no grid that is known here";
  const std::string numbering =
      pattern->numbering.empty() ? "in an order without a name" : pattern->numbering;
  std::string text =
      fmt::format("the messages are those of a grid {}, {}: {} of {} neighbours, {} of the bytes",
                  pattern->grid.to_text(), numbering, stencil_words(pattern->stencil),
                  pattern->stencil.size(), percent(pattern->explained_bytes, matrix.bytes()));
  if (pattern->absent > 0) text += fmt::format("; {} messages of it are missing", pattern->absent);
  return text;
}

nlohmann::ordered_json grid_json(const plan::MessageMatrix& matrix,
                                 const std::optional<plan::GridPattern>& pattern) {
  if (!pattern) return nullptr;
  auto offsets = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < pattern->stencil.size(); ++i)
    offsets.push_back({{"offset", pattern->stencil.offsets()[i]}, {"bytes", pattern->stencil.weights()[i]}});
  nlohmann::ordered_json numbering = nullptr;
  if (!pattern->numbering.empty()) numbering = pattern->numbering;
  return {{"extents", pattern->grid.extents()},
          {"periodic", pattern->grid.periodicity()},
          {"numbering", std::move(numbering)},
          {"stencil", std::move(offsets)},
          {"explained_bytes", pattern->explained_bytes},
          {"explained", ratio_of(pattern->explained_bytes, matrix.bytes())},
          {"absent", pattern->absent}};
}

Table cost_table() {
  return Table({Column::left("order", 18, "order"), Column::left("between", 10, "level"),
                Column::right("bytes", 18, "bytes"), Column::right("of all", 8),
                Column::right("busiest gets", 18, "busiest_in"),
                Column::right("busiest sends", 18, "busiest_out")});
}

void add_cost(Table& table, const plan::MessageMatrix& matrix, std::string_view order,
              const plan::MatrixLevelCost& cost) {
  table.add({order,
             {cost.name + "s", cost.name},
             cost.bytes,
             percent(cost.bytes, matrix.bytes()),
             cost.busiest_in,
             cost.busiest_out});
}

/// The innermost level has single ranks, of which nothing is to be said.
void add_costs(Table& table, const plan::MessageMatrix& matrix, std::string_view order,
               const plan::MatrixCost& cost) {
  for (std::size_t level = 0; level + 1 < cost.levels.size() || level == cost.node_level; ++level)
    add_cost(table, matrix, order, cost.levels[level]);
}

std::string ratio_words(const plan::OrderChoice& choice) {
  const Count before = choice.before.cost.node().bytes, after = choice.after.cost.node().bytes;
  if (!choice.gains())
    return before == 0 ? "Nothing is to be gained: nothing goes between nodes."
                       : "Nothing is to be gained: no better order of the ranks was found than their own.";
  if (after == 0) return "Between nodes goes nothing any more.";
  if (after < before)
    return fmt::format("Between nodes go {:.2f} times fewer bytes than in the default order: {}.",
                       ratio_of(before, after), percent(after, before));
  return after == before ? "Between nodes go as many bytes as in the default order; it is better beyond that."
                         : fmt::format(
                               "Between nodes go {} of the bytes of the default order, and fewer of the "
                               "busiest node.",
                               percent(after, before));
}

/// Bytes between nodes, by those of the default order.
nlohmann::ordered_json ratio_json(const plan::OrderChoice& choice) {
  const Count before = choice.before.cost.node().bytes;
  if (before == 0) return nullptr;
  return ratio_of(choice.after.cost.node().bytes, before);
}

std::vector<std::string> hops_words(const plan::OrderChoice& choice) {
  const auto &before = choice.before.cost.on_network, &after = choice.after.cost.on_network;
  if (!before || !after) return {};
  std::vector<std::string> words{
      fmt::format("weighted hops: {:.8g} in the default order, {:.8g} in the suggested one",
                  before->weighted_hops, after->weighted_hops)};
  if (before->fullest_link > 0)
    words.push_back(fmt::format("fullest link: {:.4g} in the default order, {:.4g} in the suggested one",
                                before->fullest_link, after->fullest_link));
  return words;
}

nlohmann::ordered_json hops_json(const plan::RatedOrder& rated) {
  if (!rated.cost.on_network) return nullptr;
  return {{"weighted_hops", rated.cost.on_network->weighted_hops},
          {"fullest_link", rated.cost.on_network->fullest_link}};
}

}  // namespace

Answer traced_report(const plan::MessageMatrix& matrix, const plan::OrderChoice& choice,
                     const plan::MatrixLevelCost& recorded) {
  Table table = cost_table();
  add_cost(table, matrix, "as recorded", recorded);
  add_costs(table, matrix, "default", choice.before.cost);
  if (choice.gains()) add_costs(table, matrix, choice.after.by, choice.after.cost);
  const std::string about =
      fmt::format("{} ranks, {} bytes between {} pairs", matrix.ranks(), matrix.bytes(), matrix.pairs());
  const std::string pattern = grid_words(matrix, choice.pattern), gain = ratio_words(choice);
  std::vector<std::string> reasons{gain};
  for (std::string& words : hops_words(choice)) reasons.push_back(std::move(words));
  Answer answer;
  answer.text = about + "\n" + pattern + "\n" +
                (choice.pattern ? offset_lines(choice.pattern->stencil) : "") + "\n" + table.to_text() +
                "\n" + fmt::format("{}\n", fmt::join(reasons, "\n"));
  answer.json = {{"about", about},
                 {"ranks", matrix.ranks()},
                 {"bytes", matrix.bytes()},
                 {"pairs", matrix.pairs()},
                 {"nodes", choice.before.order.nodes().to_text()},
                 {"pattern", pattern},
                 {"grid", grid_json(matrix, choice.pattern)},
                 {"results", table.to_json()},
                 {"best", choice.after.by},
                 {"gains", choice.gains()},
                 {"ratio", ratio_json(choice)},
                 {"verdict", gain},
                 {"reasons", reasons},
                 {"network", {{"default", hops_json(choice.before)}, {"best", hops_json(choice.after)}}}};
  return answer;
}

}  // namespace halocline::tools
