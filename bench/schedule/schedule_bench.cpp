// Schedules of the usual neighbourhoods: rounds, blocks, scratch, and how long it takes to make them.
// Times are processor time, the least of several runs.

#include "part.hpp"
#include "parts.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/cost.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/local.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using schedule::Algorithm;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::ProgressBar;
using tools::Table;

/// Offsets whose largest coordinate is 3 or 7.
Stencil shales() {
  std::vector<Offset> offsets;
  for (Count a = -7; a <= 7; ++a)
    for (Count b = -7; b <= 7; ++b)
      for (Count c = -7; c <= 7; ++c) {
        const Count largest = std::max({std::abs(a), std::abs(b), std::abs(c)});
        if (largest == 3 || largest == 7) offsets.push_back({a, b, c});
      }
  return Stencil(std::move(offsets));
}

struct Row {
  std::string name;
  Stencil stencil;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (std::size_t dimensions = 2; dimensions <= 5; ++dimensions)
    for (Count radius = 1; radius <= 3; ++radius)
      all.push_back({fmt::format("moore d={} r={}", dimensions, radius), Stencil::moore(dimensions, radius)});
  all.push_back({"octant d=3 r=1", Stencil::octant(3, 1)});
  all.push_back({"octant d=3 r=3", Stencil::octant(3, 3)});
  all.push_back({"octant d=4 r=3", Stencil::octant(4, 3)});
  all.push_back({"star d=3 r=3", Stencil::star(3, 3)});
  all.push_back({"shales d=3 3,7", shales()});
  return all;
}

constexpr tools::Samples many{20, 500, 0.2};

Table schedule_table() {
  std::vector<Column> columns{Column::left("neighbourhood", 16, "neighbourhood"),
                              Column::right("s", 6, "size")};
  for (const Algorithm& algorithm : schedule::algorithms()) {
    const auto key = [&](const char* what) { return fmt::format("{}_{}", algorithm.name, what); };
    columns.push_back(Column::right(fmt::format("{:<12}", algorithm.name), 12, key("rounds"), " | "));
    columns.push_back(Column::right("blocks", 7, key("blocks")));
    columns.push_back(Column::right("scratch", 8, key("scratch")));
    columns.push_back(Column::right("us", 10, key("seconds")));
  }
  return Table(std::move(columns));
}

void add_schedules(Answer& answer, Operation operation, const std::string& name, bool quick,
                   ProgressBar& progress) {
  Table table = schedule_table();
  for (const Row& neighbourhood : chosen(rows(), quick)) {
    progress.at(fmt::format("{} {}", name, neighbourhood.name), -1);
    std::vector<Entry> row{neighbourhood.name, neighbourhood.stencil.size()};
    for (const Algorithm& algorithm : schedule::algorithms()) {
      const Schedule made = algorithm.make(neighbourhood.stencil, operation);
      const schedule::Cost cost = schedule::cost(made);
      const double seconds = tools::least_seconds(
          [&] { (void)algorithm.make(neighbourhood.stencil, operation); }, chosen(many, quick));
      row.emplace_back(cost.rounds);
      row.emplace_back(cost.volume);
      row.emplace_back(made.scratch().size());
      row.push_back(decimal(seconds, 1, 1e6));
    }
    table.add(std::move(row));
  }
  append(answer, name.c_str(),
         (answer.text.empty() ? "" : "\n") + name + ": rounds, blocks sent, scratch blocks\n", table);
}

/// All that a process does before it can begin: reduce, make, merge, and its own part.
void add_local(Answer& answer, bool quick) {
  Table table({Column::left("algorithm", 14, "algorithm"), Column::left("operation", 10, "operation"),
               Column::right("periodic", 10, "periodic_seconds"), Column::right("open", 10, "open_seconds")});
  const Stencil stencil = Stencil::moore(3, 1);
  for (const Algorithm& algorithm : schedule::algorithms())
    for (const Operation operation : {Operation::alltoall, Operation::allgather}) {
      std::vector<Entry> row{algorithm.name, operation == Operation::alltoall ? "alltoall" : "allgather"};
      for (const bool wraps : {true, false}) {
        const Grid grid({8, 8, 8}, Periodicity(3, wraps));
        const double seconds = tools::least_seconds(
            [&] {
              const Schedule made = schedule::on(algorithm, stencil, operation, grid);
              (void)LocalSchedule(made, grid, 100).rounds();
            },
            chosen(many, quick));
        row.push_back(decimal(seconds, 1, 1e6));
      }
      table.add(std::move(row));
    }
  append(answer, "one_process", "\nmoore d=3 r=1 on 8x8x8, for one process, us\n", table);
}

Answer answer_schedule(bool quick) {
  ProgressBar progress("schedules");
  Answer answer;
  add_schedules(answer, Operation::alltoall, "alltoall", quick, progress);
  add_schedules(answer, Operation::allgather, "allgather", quick, progress);
  progress.at("schedules of one process", -1);
  add_local(answer, quick);
  return answer;
}

}  // namespace

tools::Action declare_schedule(tools::Options& options) {
  auto quick = std::make_shared<bool>(false);
  add_quick_option(options, *quick);
  return [quick] { return answer_schedule(*quick); };
}

}  // namespace halocline::bench
