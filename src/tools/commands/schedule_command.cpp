// SPDX-License-Identifier: BSD-3-Clause
// halocline schedule: the rounds and blocks of neighbourhood collectives with combined messages.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "schedule/cost.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/simulator.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/command.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>

namespace halocline::tools {
namespace {

struct ScheduleWords {
  Count dimensions = 0;
  StencilWords stencil;
  std::string operation = "alltoall";
  std::string algorithm = "all";
  std::string grid;
  PeriodicWords periodic;
  std::string block_bytes;
};

std::vector<const schedule::Algorithm*> algorithms_of(const std::string& text) {
  std::vector<const schedule::Algorithm*> chosen;
  if (text == "all") {
    for (const schedule::Algorithm& algorithm : schedule::algorithms()) chosen.push_back(&algorithm);
    return chosen;
  }
  for (const std::string& name : listed_words(text))
    chosen.push_back(
        read_option("--algorithm", name, [](const std::string& n) { return &schedule::algorithm(n); }));
  require(!chosen.empty(), "--algorithm is empty; it is a list such as direct,torus");
  return chosen;
}

Operation operation_of(const std::string& text) {
  if (text == "alltoall") return Operation::alltoall;
  require(text == "allgather", "--operation ", text, ": it is neither alltoall nor allgather");
  return Operation::allgather;
}

std::optional<Grid> grid_of(const ScheduleWords& words) {
  if (words.grid.empty()) return std::nullopt;
  const Grid open = read_option("--grid", words.grid, Grid::parse);
  return Grid(open.extents(), words.periodic.periodicity(open.dimensions()));
}

/// --dims, or what the grid says.
std::size_t dimensions_of(const ScheduleWords& words, const std::optional<Grid>& grid) {
  require(words.dimensions > 0 || grid, "--dims ", words.dimensions,
          ": the dimensions of the stencil are missing, or a --grid that tells them");
  require(!grid || words.dimensions == 0 || words.dimensions == to_count(grid->dimensions()), "--dims ",
          words.dimensions, " does not fit --grid ", words.grid);
  require(words.dimensions <= most_dimensions, "--dims ", words.dimensions, ": more than ", most_dimensions,
          " dimensions");
  return grid ? grid->dimensions() : to_size(words.dimensions);
}

/// One size for all blocks, or one for each.
Counts block_bytes_of(const ScheduleWords& words, std::size_t neighbours) {
  return read_option("--block-bytes", words.block_bytes, [&](const std::string& text) {
    Counts bytes = parse_counts(text);
    if (bytes.size() == 1) bytes.assign(neighbours, bytes.front());
    require(bytes.size() == neighbours, bytes.size(), " block sizes for ", neighbours,
            " neighbours; there is one for each, or one for all");
    return bytes;
  });
}

struct MadeSchedule {
  Schedule schedule;
  double seconds;
  bool checked;  ///< Was it simulated? What is wrong is an error.
};

constexpr std::array wires{schedule::SimulatedWire::packed, schedule::SimulatedWire::zero_copy};

/// Small enough to be run for all processes, so that all schedules together take a second or two.
bool can_be_simulated(const Schedule& schedule, const Grid& grid, std::size_t schedules) {
  constexpr Count most_moves = 1 << 20;
  const auto moves = to_count(schedule.parts().moves.size() + 1);
  return grid.size() <= most_moves / moves / to_count(wires.size() * schedules);
}

/// One of so many schedules.
MadeSchedule make(const schedule::Algorithm& algorithm, const Stencil& stencil, Operation operation,
                  const std::optional<Grid>& grid, std::size_t schedules) {
  double seconds = 0;
  Schedule schedule = timed(seconds, [&] {
    return grid ? schedule::on(algorithm, stencil, operation, *grid) : algorithm.make(stencil, operation);
  });
  MadeSchedule result{std::move(schedule), seconds, false};
  if (!grid || !can_be_simulated(result.schedule, *grid, schedules)) return result;
  for (const schedule::SimulatedWire wire : wires) {
    const schedule::Simulation simulation = schedule::simulate(result.schedule, *grid, wire, 1);
    if (!simulation.fault.empty())
      fail(Fault::internal, algorithm.name, " on ", grid->to_text(), " is wrong: ", simulation.fault);
  }
  result.checked = true;
  return result;
}

Answer answer_schedule(const ScheduleWords& words) {
  const std::optional<Grid> grid = grid_of(words);
  const std::size_t dimensions = dimensions_of(words, grid);
  (void)words.periodic.periodicity(dimensions);  // nonsense is refused without a grid, too
  const Stencil stencil = words.stencil.stencil(dimensions);
  const Operation operation = operation_of(words.operation);
  const bool sized = !words.block_bytes.empty();

  std::vector<Column> columns{Column::left("algorithm", 14, "algorithm"),
                              Column::right("rounds", 8, "rounds"), Column::right("volume", 10, "volume"),
                              Column::right("scratch blocks", 15, "scratch_blocks"),
                              Column::right("time [s]", 12, "seconds")};
  if (sized) columns.push_back(Column::right("bytes", 16, "bytes"));
  if (grid) columns.push_back(Column::left("checked", 0, "checked", "  "));
  Table table(std::move(columns));
  ProgressBar progress("schedule");
  const std::vector<const schedule::Algorithm*> algorithms = algorithms_of(words.algorithm);
  for (const schedule::Algorithm* algorithm : algorithms) {
    progress.at(std::string(algorithm->name), ratio_of(table.rows(), algorithms.size()));
    const MadeSchedule result = make(*algorithm, stencil, operation, grid, algorithms.size());
    const schedule::Cost cost = schedule::cost(result.schedule);
    std::vector<Entry> row{algorithm->name, cost.rounds, cost.volume, result.schedule.scratch().size(),
                           decimal(result.seconds, 6)};
    if (sized)
      row.emplace_back(schedule::message_bytes(result.schedule, block_bytes_of(words, stencil.size())));
    if (grid) row.emplace_back(result.checked ? "yes" : "too large", result.checked);
    table.add(std::move(row));
  }
  return {table.to_text(),
          {{"neighbours", stencil.size()}, {"operation", words.operation}, {"results", table.to_json()}}};
}

}  // namespace

Action declare_schedule(Options& options) {
  auto words = std::make_shared<ScheduleWords>();
  options.add_option("--dims", words->dimensions, "dimensions of the stencil (default: those of the grid)");
  words->stencil.declare(options);
  options.add_option("--operation", words->operation, "alltoall or allgather").capture_default_str();
  std::string names;
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) names += concat(algorithm.name, ", ");
  options.add_option("--algorithm", words->algorithm, "a list of " + names + "or all").capture_default_str();
  options.add_option("--grid", words->grid,
                     "process grid, such as 8x8x4: what goes to the same process is sent together, and small "
                     "grids are simulated");
  words->periodic.declare(options);
  options.add_option("--block-bytes", words->block_bytes,
                     "size of all blocks, or a list with one size a neighbour: tells the bytes sent, too");
  return [words] { return answer_schedule(*words); };
}

}  // namespace halocline::tools
