// SPDX-License-Identifier: BSD-3-Clause
// halocline bench plan: the halo of a mesh exchanged as planned, beside the grid and placement of MPI's
// defaults.

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace halocline::tools {
namespace {

struct BenchPlanWords {
  std::string mesh;
  PeriodicWords periodic;
  StencilWords stencil;
  std::string halo;
  Count fields = 1;
  ContestRules rules;
};

/// What is exchanged: fields of double.
struct ExchangedFields {
  Mesh mesh;
  Stencil stencil;
  Counts halo;
  Count fields;
};

ExchangedFields exchanged_of(const BenchPlanWords& words) {
  constexpr Count most_bytes = Count{1} << 40;
  const Mesh open = read_option("--mesh", words.mesh, Mesh::parse);
  const Mesh mesh(open.extents(), words.periodic.periodicity(open.dimensions()));
  require(words.fields >= 1, "--fields ", words.fields, ": it takes at least 1");
  Counts factors = mesh.extents();
  factors.insert(factors.end(), {words.fields, sizeof(double)});
  const Count bytes = checked_product(factors);
  require(bytes <= most_bytes, words.fields, " fields on the mesh ", words.mesh, " take ", bytes,
          " bytes; there are at most ", most_bytes);
  return {mesh, words.stencil.stencil(mesh.dimensions()), halo_widths(words.halo, mesh.dimensions()),
          words.fields};
}

/// Fields on one grid, and their halo. They lie in private memory: what goes through a node's memory is what
/// plans count and the simulator runs.
class FieldsOnGrid {
 public:
  FieldsOnGrid(std::string what, const ExchangedFields& given, const CartOptions& options,
               std::optional<ScheduleChoice> schedule)
      : what_(std::move(what)), cart_(MPI_COMM_WORLD, given.mesh, given.stencil, options) {
    FieldOptions in_private;
    in_private.shared = false;
    for (Count i = 0; i < given.fields; ++i) fields_.emplace_back(cart_, in_private);
    HaloOptions halo_options;
    halo_options.exchange.schedule = schedule;
    halo_.emplace(cart_, std::vector<FieldView>(fields_.begin(), fields_.end()), halo_options);
  }

  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] const Cart& cart() const { return cart_; }
  [[nodiscard]] std::string placement() const {
    return cart_.algorithm() == "none" ? "blocked" : cart_.algorithm();
  }
  [[nodiscard]] std::string schedule() const { return halo_->exchanged().schedule(); }
  void exchange() { halo_->exchange(); }

 private:
  std::string what_;
  Cart cart_;
  std::vector<Field<double>> fields_;
  std::optional<Halo> halo_;
};

/// The plan, and the default if this mesh can have it.
std::vector<std::shared_ptr<FieldsOnGrid>> sides_of(const ExchangedFields& given) {
  std::vector<std::shared_ptr<FieldsOnGrid>> sides{
      std::make_shared<FieldsOnGrid>("plan", given, CartOptions{.halo = given.halo}, std::nullopt)};
  std::vector<int> dims(given.mesh.dimensions(), 0);
  HALOCLINE_MPI(Dims_create, mpi::size(MPI_COMM_WORLD), to_int(dims.size()), dims.data());
  try {
    sides.push_back(std::make_shared<FieldsOnGrid>(
        "default", given,
        CartOptions{.reorder = false, .halo = given.halo, .fixed = Counts(dims.begin(), dims.end())},
        ScheduleChoice::direct));
  } catch (const Error& error) {
    if (error.fault() != Fault::invalid_dimensions) throw;
  }
  return sides;
}

Answer answer_bench_plan(const BenchPlanWords& words) {
  const ExchangedFields given = exchanged_of(words);
  require(launched_by_mpi(), "bench plan needs processes: mpirun -n 8 halocline bench plan --mesh 256x256");
  show_progress(MPI_COMM_WORLD, fmt::format("mesh {}", words.mesh));
  const std::vector<std::shared_ptr<FieldsOnGrid>> sides = sides_of(given);
  std::vector<Competitor> competitors;
  competitors.reserve(sides.size());
  for (const std::shared_ptr<FieldsOnGrid>& side : sides)
    competitors.push_back({side->what(), [side] { side->exchange(); }});
  const ContestRules rules = after_one_round(MPI_COMM_WORLD, competitors, words.rules).rules;
  const std::vector<std::vector<double>> seconds = measure(MPI_COMM_WORLD, competitors, rules);
  show_progress(MPI_COMM_WORLD, "");

  Table table({Column::left("", 8, "what"), Column::left("grid", 13, "grid"),
               Column::left("placement", 18, "placement"), Column::left("schedule", 14, "schedule"),
               Column::right("time [us]", 11, "seconds"), Column::right("range", 19),
               Column::hidden("least_seconds"), Column::hidden("most_seconds")});
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::vector<double> times(seconds.size());
    std::transform(seconds.begin(), seconds.end(), times.begin(),
                   [&](const std::vector<double>& run) { return run[i]; });
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    const FieldsOnGrid& side = *sides[i];
    const Counts& grid = side.cart().grid().extents();
    table.add({side.what(),
               {join(grid, "x"), grid},
               side.placement(),
               side.schedule(),
               decimal(median(times), 2, 1e6),
               fmt::format("{:.2f}-{:.2f}", 1e6 * *least, 1e6 * *most),
               decimal(*least, 2),
               decimal(*most, 2)});
  }
  return {fmt::format(
              "{} processes, mesh {}, stencil {}, halo {}, {} field{} of double; {} repetitions, {} runs\n{}",
              mpi::size(MPI_COMM_WORLD), given.mesh.to_text(), given.stencil.to_text(), join(given.halo, "x"),
              given.fields, given.fields == 1 ? "" : "s", rules.repetitions, rules.runs, table.to_text()),
          {{"ranks", mpi::size(MPI_COMM_WORLD)},
           {"mesh", given.mesh.to_text()},
           {"stencil", given.stencil.to_text()},
           {"halo", given.halo},
           {"fields", given.fields},
           {"repetitions", rules.repetitions},
           {"runs", rules.runs},
           {"results", table.to_json()}}};
}

}  // namespace

Action declare_bench_plan(Options& options) {
  auto words = std::make_shared<BenchPlanWords>();
  options.add_option("--mesh", words->mesh, "global mesh, such as 512x512x256").required();
  words->periodic.declare(options);
  words->stencil.declare(options);
  options.add_option("--halo", words->halo, "halo widths, such as 1x1x2, or one for all (default: 1)");
  options.add_option("--fields", words->fields, "fields of double").capture_default_str();
  add_contest_options(options, words->rules);
  return [words] { return answer_bench_plan(*words); };
}

}  // namespace halocline::tools
