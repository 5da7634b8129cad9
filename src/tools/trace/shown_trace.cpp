// SPDX-License-Identifier: BSD-3-Clause
#include "tools/trace/shown_trace.hpp"

#include "base/numbers.hpp"
#include "tools/common/table.hpp"
#include "trace/summary.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace halocline::tools {
namespace {

constexpr std::array<std::string_view, trace::way_names.size()> words_of_ways{
    "messages", "neighbourhood collectives", "one-sided"};

Table volumes(std::string heading, const std::string& calls) {
  return Table({Column::left(std::move(heading), 28), Column::hidden("what"), Column::right(calls, 12, calls),
                Column::right("bytes", 18, "bytes")});
}

void add_volume(Table& table, std::string_view words, std::string_view key, const trace::Volume& volume) {
  table.add({Entry(std::string(words), {}), key, volume.messages, volume.bytes});
}

/// Where they lie between: programs read true, false or null.
Entry where(const std::optional<bool>& between_nodes) {
  if (!between_nodes) return {"not known", nullptr};
  return {*between_nodes ? "between nodes" : "on a node", *between_nodes};
}

/// A part of the answer: what it is called in JSON, and its table.
void add_part(Answer& answer, const char* key, const Table& table) {
  answer.json[key] = table.to_json();
  if (table.rows() > 0) answer.text += "\n" + table.to_text();
}

Table pair_table(const trace::Summary& summary) {
  Table table({Column::right("source", 8, "source"), Column::right("target", 8, "target"),
               Column::right("messages", 12, "messages"), Column::right("bytes", 18, "bytes"),
               Column::left("where", 13, "between_nodes", "  ")});
  for (const trace::Pair& pair : summary.largest)
    table.add({pair.source, pair.target, pair.volume.messages, pair.volume.bytes, where(pair.between_nodes)});
  return table;
}

Table time_table(const trace::Summary& summary) {
  Table table({Column::left("time in MPI", 28, "what"), Column::right("calls", 12, "calls"),
               Column::right("seconds of all", 18, "seconds"),
               Column::right("of the longest", 16, "longest_seconds")});
  for (std::size_t kind = 0; kind < summary.times.size(); ++kind)
    if (const trace::TimeSum& sum = summary.times[kind]; sum.calls > 0)
      table.add(
          {trace::activity_names[kind], sum.calls, decimal(sum.seconds, 6), decimal(sum.longest_seconds, 6)});
  return table;
}

}  // namespace

Answer shown_trace(const trace::Trace& recorded, std::size_t most_pairs) {
  const trace::Summary summary = trace::summarize(recorded, most_pairs);
  const Count parts = count_of(recorded.processes());
  Answer answer;
  answer.json = {{"ranks", recorded.ranks()},
                 {"parts", parts},
                 {"nodes", summary.nodes},
                 {"seconds", summary.seconds},
                 {"partners", summary.pairs}};
  answer.text =
      fmt::format("{} rank{} on {} node{}, {:.3f} s\n", recorded.ranks(), recorded.ranks() == 1 ? "" : "s",
                  summary.nodes, summary.nodes == 1 ? "" : "s", summary.seconds);
  if (parts != recorded.ranks())
    answer.text += fmt::format("only {} of them left {}: what the others sent is missing\n", parts,
                               parts == 1 ? "a part" : "parts");

  Table ways = volumes("from rank to rank", "messages");
  for (std::size_t way = 0; way < summary.by_way.size(); ++way)
    add_volume(ways, words_of_ways[way], trace::way_names[way], summary.by_way[way]);
  add_part(answer, "ways", ways);

  Table places = volumes("where", "messages");
  add_volume(places, "to itself", "itself", summary.within_process);
  add_volume(places, "on a node", "node", summary.within_nodes);
  add_volume(places, "between nodes", "network", summary.between_nodes);
  if (summary.with_outside.messages > 0)
    add_volume(places, "from or to other worlds", "outside", summary.with_outside);
  if (summary.unknown.messages > 0) add_volume(places, "not known", "unknown", summary.unknown);
  add_part(answer, "places", places);

  const Table pairs = pair_table(summary);
  if (pairs.rows() > 0)
    answer.text += fmt::format("\nof {} pair{} those with the most bytes:", summary.pairs,
                               summary.pairs == 1 ? "" : "s");
  add_part(answer, "pairs", pairs);

  Table collectives = volumes("handed in to collectives", "calls");
  for (std::size_t kind = 0; kind < summary.collectives.size(); ++kind)
    if (summary.collectives[kind].messages > 0)
      add_volume(collectives, trace::collective_names[kind], trace::collective_names[kind],
                 summary.collectives[kind]);
  add_part(answer, "collectives", collectives);
  add_part(answer, "times", time_table(summary));
  return answer;
}

}  // namespace halocline::tools
