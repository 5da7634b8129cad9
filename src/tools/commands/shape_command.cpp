// SPDX-License-Identifier: BSD-3-Clause
// halocline shape: the process grid, level by level, all levels at once, or for nodes of different sizes.

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "plan/placement/shape_choice.hpp"
#include "tools/common/command.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>

namespace halocline::tools {
namespace {

struct ShapeWords {
  Count ranks = 0;
  MachineWords machine;
  PeriodicWords periodic;
  std::string mesh;
  Count dimensions = 0;
  std::string halo;
  std::string fixed;
  bool joint = false;
  std::string ratios;
};

Counts halo_of(const ShapeWords& words) {
  if (words.halo.empty()) return {};
  return read_option("--halo", words.halo, [](const std::string& t) { return parse_counts(t, "x"); });
}

shape::Problem problem_of(const ShapeWords& words, const Counts& levels) {
  const Counts halo = halo_of(words);
  shape::Problem problem = [&] {
    if (words.mesh.empty()) {
      require(words.dimensions >= 1,
              "--mesh or --dims is missing: --dims 3 means three dimensions of equal weight");
      require(words.dimensions <= most_dimensions, "--dims ", words.dimensions, ": more than ",
              most_dimensions, " dimensions");
      require(halo.empty(), "--halo ", words.halo, " needs --mesh");
      const auto dimensions = to_size(words.dimensions);
      return shape::Problem{
          levels, Weights::equal(dimensions), {}, {}, words.periodic.periodicity(dimensions)};
    }
    const Mesh open = read_option("--mesh", words.mesh, Mesh::parse);
    const Mesh mesh(open.extents(), words.periodic.periodicity(open.dimensions()));
    require(words.dimensions == 0 || words.dimensions == to_count(mesh.dimensions()), "--dims ",
            words.dimensions, " is not the dimension of --mesh ", words.mesh);
    require(halo.empty() || halo.size() == mesh.dimensions(), "--halo ", words.halo, ": ", halo.size(),
            " halo widths for a mesh of ", mesh.dimensions(), " dimensions");
    return shape::Problem::for_mesh(levels, mesh, halo);
  }();
  problem.fixed = fixed_extents(words.fixed, problem.weights.size());
  return problem;
}

/// A mesh too small for so many processes still has proportions: gives up its limits, and says so.
void relax_if_too_small(shape::Problem& problem, Answer& answer) {
  if (problem.limits.empty() || plan::has_shape(problem)) return;
  const std::string warning =
      "some processes get no mesh points: no grid of that many processes fits the mesh";
  problem.limits.clear();
  answer.json["warning"] = warning;
  answer.text += "warning: " + warning + "\n";
}

nlohmann::ordered_json answer_json(const shape::Problem& problem, const Shape& shape) {
  const std::vector<double> costs = plan::costs_of_shape(problem, shape);
  return {{"dims", shape.dims()}, {"levels", shape.levels}, {"cost", costs.back()}, {"level_costs", costs}};
}

/// One for each level, or none at all.
std::vector<double> ratios_of(const ShapeWords& words, std::size_t levels) {
  if (words.ratios.empty()) return {};
  return read_option("--ratios", words.ratios, [&](const std::string& text) {
    std::vector<double> ratios = parse_numbers(text);
    require(ratios.size() == levels, ratios.size(), " cost ratios for ", levels, " levels");
    return ratios;
  });
}

Answer answer_even(const ShapeWords& words, const Counts& levels) {
  shape::Problem problem = problem_of(words, levels);
  Answer answer;
  relax_if_too_small(problem, answer);
  Shape shape;
  if (words.joint) {
    const plan::ShapeOptions jointly{true, ratios_of(words, levels.size())};
    auto [found, proven] = plan::choose_shape(problem, jointly);
    shape = std::move(found);
    answer.json.update(answer_json(problem, shape));
    answer.json["proven"] = proven;
  } else {
    require(words.ratios.empty(), "--ratios ", words.ratios, " needs --joint");
    shape = plan::choose_shape(problem).shape;
    answer.json.update(answer_json(problem, shape));
  }
  answer.text += fmt::format("grid {}\n", join(shape.dims(), "x"));
  const std::vector<double> costs = plan::costs_of_shape(problem, shape);
  if (levels.size() > 1) {
    Table table({Column::left("level", 8), Column::right("groups", 12), Column::left("factors", 16, "", "  "),
                 Column::right("cost", 12)});
    for (std::size_t l = 0; l < levels.size(); ++l)
      table.add({l, levels[l], join(shape.levels[l], "x"), significant(costs[l], 6)});
    answer.text += "\n" + table.to_text();
  } else {
    answer.text += fmt::format("cost {:.6g}\n", costs.back());
  }
  return answer;
}

Answer answer_uneven(const ShapeWords& words, const Machine& machine) {
  require(!words.joint, "--joint needs nodes of one size; these differ");
  shape::Problem problem = problem_of(words, {machine.ranks()});
  Answer answer;
  relax_if_too_small(problem, answer);
  const shape::NodeGrid best = plan::choose_shape(problem, machine.node_sizes());
  answer.json.update(answer_json(problem, Shape{{best.dims}}));
  answer.json["node_cost"] = best.node_cost;
  answer.text += fmt::format("grid {}\ncost {:.6g}, between nodes about {:.6g}\n", join(best.dims, "x"),
                             best.process_cost, best.node_cost);
  return answer;
}

Answer answer_shape(const ShapeWords& words) {
  const ProgressBar progress("shape");
  if (!words.machine.given()) {
    require(words.ranks != 0, "--ranks, --nodes or --levels is missing: --ranks 12");
    require(words.ranks > 0, "--ranks ", words.ranks, ": the number of processes is not positive");
    return answer_even(words, {words.ranks});
  }
  const Machine machine = words.machine.machine();
  require(words.ranks == 0 || words.ranks == machine.ranks(), "--ranks ", words.ranks, " on a machine of ",
          machine.ranks(), " ranks");
  const std::optional<Counts> levels = machine.arities();
  return levels ? answer_even(words, *levels) : answer_uneven(words, machine);
}

}  // namespace

Action declare_shape(Options& options) {
  auto words = std::make_shared<ShapeWords>();
  options.add_option("--ranks", words->ranks, "number of processes");
  words->machine.declare(options);
  options.add_option("--mesh", words->mesh, "global mesh, such as 1000x1100x950");
  options.add_option("--dims", words->dimensions, "number of dimensions, all alike, where there is no mesh");
  options.add_option("--halo", words->halo, "halo widths, such as 1x1x2 (default: 1 everywhere)");
  options.add_option("--fixed", words->fixed, "extents that stay, 0 is free: 0x4x0");
  words->periodic.declare(options);
  options.add_flag("--joint", words->joint, "all levels at once instead of one after the other");
  options.add_option("--ratios", words->ratios,
                     "cost ratios of the levels for --joint, outermost first: 7,1");
  return [words] { return answer_shape(*words); };
}

}  // namespace halocline::tools
