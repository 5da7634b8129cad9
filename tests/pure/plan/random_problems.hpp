// Random problems of plans: grids, stencils, nodes, sizes, prices and networks, as their seed has it.
#pragma once

#include "../mpi/support/random_grids.hpp"
#include "../mpi/support/random_prices.hpp"
#include "halocline/plan/plan.hpp"
#include "network/mapping_problem.hpp"
#include "place/algorithms.hpp"
#include "plan/options/option_names.hpp"

#include <numeric>

namespace halocline::plan {

/// A problem, and how it is to be solved.
struct RandomProblem {
  Problem problem;
  Choices choices;

  [[nodiscard]] std::string to_text() const {
    std::string text =
        problem.mesh.to_text() + " by " + problem.stencil.to_text() + " on " + problem.machine.to_text();
    const auto add = [&](const char* what, const Counts& numbers) {
      for (const Count& number : numbers)
        text += (&number == numbers.data() ? what : ",") + std::to_string(number);
    };
    add(", halo ", problem.halo);
    add(", fixed ", problem.fixed);
    if (problem.allocation) {
      text += ", " + problem.allocation->network().to_text() + " by " + name_of(choices.network.variant);
      add(", nodes ", problem.allocation->nodes());
    }
    return text + ", " + name_of(choices.grid.algorithm);
  }
};

/// Makes them. What is drawn depends on the seed and on the number of processes alone.
class RandomProblems {
 public:
  using Random = std::mt19937_64;

  RandomProblems(std::uint64_t seed, Count processes) : random_(seed), processes_(processes) {}

  /// Any stencil on any mesh.
  [[nodiscard]] RandomProblem any() {
    const Grid fits = RandomGrids::grid(processes_, random_);
    return with_stencil(fits, stencil(fits.dimensions()));
  }

  /// Some of the directions of a halo, each once and without a weight, as halos exchange them.
  [[nodiscard]] RandomProblem halo() {
    const Grid fits = RandomGrids::grid(processes_, random_);
    return with_stencil(fits, directions(fits.dimensions()));
  }

  [[nodiscard]] Random& random() { return random_; }

 private:
  [[nodiscard]] Count between(Count low, Count high) { return RandomGrids::between(random_, low, high); }
  [[nodiscard]] bool one_of(Count number) { return between(1, number) == 1; }

  /// There is a grid at least, `fits`, that leaves every process as many points as its halo is wide.
  RandomProblem with_stencil(const Grid& fits, Stencil stencil) {
    const std::size_t dimensions = fits.dimensions();
    Counts halo, extents;
    const bool even = one_of(2), any_grid = even && one_of(2), large = !any_grid && one_of(3);
    const Count most_points[] = {1000, 60, 12, 5};  // of a process, along each of so many dimensions
    for (std::size_t d = 0; d < dimensions; ++d) {
      halo.push_back(one_of(6) ? 0 : between(1, 3));
      const Count parts = any_grid ? processes_ : fits.extents()[d];
      const Count points = between(std::max<Count>(1, halo[d]), large ? most_points[dimensions - 1] : 4);
      extents.push_back(parts * points + (even ? 0 : between(0, parts - 1)));
    }
    RandomProblem result{{Mesh(extents, fits.periodicity()), std::move(stencil), machine()}, {}};
    if (!one_of(4)) result.problem.halo = halo;
    if (one_of(4))
      for (const Count extent : fits.extents()) result.problem.fixed.push_back(one_of(2) ? extent : 0);
    result.problem.fields = between(1, 3);
    result.problem.value_bytes = Count{1} << between(0, 4);
    if (one_of(4)) result.choices.grid.algorithm = algorithm_named(one_name(place::algorithms()));
    result.choices.prices = prices();
    if (one_of(2)) on_network(result);
    return result;
  }

  template <class Table>
  std::string one_name(const Table& table) {
    return std::string(table[static_cast<std::size_t>(between(0, std::ssize(table) - 1))].name);
  }

  Stencil stencil(std::size_t dimensions) {
    const Stencil some = [&] {
      switch (between(0, 7)) {
        case 0:
          return Stencil::nearest(dimensions);
        case 1:
          return Stencil::moore(dimensions, 1);
        case 2:
          return Stencil::hops(dimensions);
        case 3:
          return Stencil::star(dimensions, 2);
        case 4:
          return Stencil::octant(dimensions, 1);
        case 5:
          return dimensions > 1 ? Stencil::component(dimensions) : Stencil::nearest(dimensions);
        case 6:
          return directions(dimensions);
        default:
          return RandomGrids::offsets(dimensions, random_);
      }
    }();
    if (!one_of(3)) return some;
    Counts weights;
    for (std::size_t i = 0; i < some.size(); ++i) weights.push_back(between(1, 9));
    return Stencil(some.offsets(), weights);
  }

  Stencil directions(std::size_t dimensions) {
    if (one_of(4)) return Stencil::nearest(dimensions);
    Stencil all = Stencil::moore(dimensions, 1);
    if (one_of(3)) return all;
    std::vector<Offset> some;
    for (const Offset& offset : all.offsets())
      if (some.empty() || !one_of(3)) some.push_back(offset);
    std::shuffle(some.begin(), some.end(), random_);
    return Stencil(some);
  }

  /// A divisor, each as likely.
  Count divisor(Count number) {
    Counts all;
    for (Count d = 1; d <= number; ++d)
      if (number % d == 0) all.push_back(d);
    return all[static_cast<std::size_t>(between(0, std::ssize(all) - 1))];
  }

  Machine machine() {
    const Count size = one_of(3) ? 1 : divisor(processes_);
    if (one_of(4)) return Machine::of_nodes(Runs::of(processes_ / size, size));
    if (one_of(3)) {
      const Count domains = divisor(size);
      return Machine::parse("node:" + std::to_string(processes_ / size) + " numa:" + std::to_string(domains) +
                            " core:" + std::to_string(size / domains));
    }
    if (one_of(3)) {  // full ones, and what is left
      const Count full = between(1, processes_);
      Runs sizes = Runs::of(processes_ / full, full);
      if (processes_ % full > 0) sizes.append(1, processes_ % full);
      return Machine::of_nodes(sizes);
    }
    return Machine::parse(RandomGrids::machine(processes_, random_));
  }

  /// From messages that cost nothing to bytes that do not.
  LevelCosts prices() {
    LevelCosts result = random_prices(random_);
    for (schedule::LinearCost* level : {&result.on_node, &result.between_nodes})
      for (double* price : {&level->round_seconds, &level->byte_seconds, &level->latency_seconds})
        if (one_of(12)) *price = 0;
    if (one_of(2)) {  // messages between nodes alone
      result.on_node = {0, one_of(2) ? 0 : 1e-12};
      result.between_nodes.latency_seconds *= one_of(2) ? 0 : 0.1;
      result.between_nodes.byte_seconds *= one_of(2) ? 0.1 : 0.001;
    } else if (one_of(2)) {  // what is short by node, on a good network
      const double longest = std::pow(2, between(4, 14));
      result.between_nodes = {1e-5, 0.05 * 1e-5 / longest, 0};
      result.on_node = {0, 0.475 * 1e-5 / longest, 0};
    }
    return result;
  }

  /// Exactly as many nodes as the product says.
  Counts factors(Count number, std::size_t dimensions) {
    Counts result(dimensions, 1);
    for (Count p = 2; number > 1;)
      if (number % p != 0) {
        ++p;
      } else {
        result[static_cast<std::size_t>(between(0, static_cast<Count>(dimensions) - 1))] *= p;
        number /= p;
      }
    return result;
  }

  /// Of so many nodes.
  Network network(Count nodes) {
    const auto dimensions = static_cast<std::size_t>(between(1, 3));
    switch (between(0, 3)) {
      case 0:
        return Network::torus(factors(nodes, dimensions));
      case 1:
        return Network::mesh(factors(nodes, dimensions));
      case 2: {
        Network::FatTree tree;
        for (const Count children : factors(nodes, dimensions)) tree.tiers.push_back({children});
        return Network(tree);
      }
      default: {
        const Counts parts = factors(nodes, 3);
        return Network(Network::Dragonfly{parts[0], parts[1], parts[2]});
      }
    }
  }

  /// All of a network, or some of a larger one in any order.
  void on_network(RandomProblem& result) {
    const Count nodes = result.problem.machine.nodes();
    if (one_of(2)) {
      result.problem.allocation = Allocation::whole(network(nodes));
    } else {
      const Network larger = network(nodes + between(1, nodes + 3));
      Counts all(static_cast<std::size_t>(larger.nodes()));
      std::iota(all.begin(), all.end(), Count{0});
      std::shuffle(all.begin(), all.end(), random_);
      all.resize(static_cast<std::size_t>(nodes));
      result.problem.allocation = Allocation(larger, all);
    }
    result.choices.network.variant = mapping_named(one_name(network::variants()));
    const bool boxes =
        result.choices.network.variant == NodeMapping::z2_3;  // of three dimensions, see network::variants()
    if (boxes && result.problem.allocation->network().extents().size() != 3)
      result.choices.network.variant = NodeMapping::z2_2;
  }

  Random random_;
  Count processes_;
};

}  // namespace halocline::plan
