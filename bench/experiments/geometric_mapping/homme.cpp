// HOMME on a Titan-like machine: section 5.3.1 and Figure 11 of "Exploiting Geometric Partitioning in Task
// Mapping for Parallel Computers".
//
//   homme [allocations [rotations]]
//
// A cubed sphere of 6 x 120 x 120 elements, each of which sends to its four neighbours, on 10,800 to 86,400
// processes of 16 a node. SFC is HOMME's own way: a Hilbert curve through the faces, cut into equal pieces,
// piece i on rank i. The others partition and map at once, from the coordinates on the sphere, on the cube,
// or of the unfolded faces. Every line is the mean over some allocations (3 unless given) of what the first
// rotations (12 unless given) find best, divided by SFC.

#include "base/index.hpp"
#include "geometric_mapping/number_argument.hpp"
#include "geometric_mapping/sparse_allocation.hpp"
#include "geometric_mapping/sphere.hpp"
#include "network/mapping_problem.hpp"
#include "network/routing/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>

namespace halocline::network {
namespace {

constexpr Count cores_per_node = 16;
constexpr Count side = 120;

Network titan() {
  return Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/120/120/120/120/120/120/75 hosts:2");
}

/// Elements are numbered face by face, row by row.
class CubedSphere {
 public:
  CubedSphere() {
    std::vector<std::vector<double>> columns(3);
    std::map<Corner, Count> first_at;  // an edge, by its middle: who came first
    std::vector<TaskMessage> messages;
    for (std::size_t face = 0; face < faces.size(); ++face)
      for (Count i = 0; i < side; ++i)
        for (Count j = 0; j < side; ++j) {
          const auto element = static_cast<Count>(columns[0].size());
          const Corner centre = at(face, 2 * i + 1, 2 * j + 1);
          double length = 0;
          for (const Count x : centre) length += tangent(x) * tangent(x);
          for (std::size_t d = 0; d < 3; ++d) columns[d].push_back(tangent(centre[d]) / std::sqrt(length));
          for (const Corner& middle : {at(face, 2 * i, 2 * j + 1), at(face, 2 * i + 2, 2 * j + 1),
                                       at(face, 2 * i + 1, 2 * j), at(face, 2 * i + 1, 2 * j + 2)}) {
            const auto [other, is_first] = first_at.emplace(middle, element);
            if (is_first) continue;
            messages.push_back({element, other->second});
            messages.push_back({other->second, element});
          }
        }
    sphere_ = Points(std::move(columns));
    messages_ = TaskMessages(elements(), std::move(messages));
  }

  static constexpr Count elements() { return 6 * side * side; }
  [[nodiscard]] const Points& sphere() const { return sphere_; }
  [[nodiscard]] const TaskMessages& messages() const { return messages_; }

  /// The place of each element on one line through all faces.
  [[nodiscard]] static Counts line() {
    const Grid face({side, side});
    const Counts within = partition(Points::of_grid(face), face.size(), ordering("hilbert"));
    Counts places;
    for (Count number = 0; number < 6; ++number)
      for (const Count place : within) places.push_back(number * face.size() + place);
    return places;
  }

 private:
  using Corner = std::array<Count, 3>;
  struct Face {
    std::size_t across;
    Count sign;
  };
  static constexpr std::array<Face, 6> faces{Face{0, 1}, {1, 1}, {0, -1}, {1, -1}, {2, 1}, {2, -1}};

  /// A point of the cube [-side, side]^3, from half steps along a face.
  static Corner at(std::size_t face, Count i, Count j) {
    Corner point{};
    const std::size_t across = faces[face].across;
    point[across] = faces[face].sign * side;
    point[(across + 1) % 3] = i - side;
    point[(across + 2) % 3] = j - side;
    return point;
  }

  /// Equal angles between equal steps.
  static double tangent(Count x) {
    return std::tan(static_cast<double>(x) / static_cast<double>(side) * std::atan(1.0));
  }

  Points sphere_{{{0}}};
  TaskMessages messages_{1, {}};
};

struct Measured {
  double hops = 0, messages = 0, data = 0, latency = 0;

  Measured& add(const Measured& other, const Measured& base, double parts) {
    hops += other.hops / base.hops / parts;
    messages += other.messages / base.messages / parts;
    data += other.data / base.data / parts;
    latency += other.latency / base.latency / parts;
    return *this;
  }
};

class Experiment {
 public:
  Experiment(std::uint64_t allocations, Count most_rotations)
      : allocations_(allocations), most_rotations_(most_rotations) {}

  void run() const {
    std::printf("%9s  %-6s %-7s %13s %9s %9s %9s\n", "processes", "way", "coords", "WeightedHops", "messages",
                "Data", "Latency");
    for (const Count processes : {10'800, 21'600, 43'200, 86'400}) of_size(processes);
  }

 private:
  struct Coordinates {
    const char* name;
    Points points;
  };

  [[nodiscard]] Measured measured(const Counts& core_of_element, const Allocation& allocation) const {
    const Counts node_of = node_of_core(allocation, {cores_per_node});
    Counts nodes;
    for (const Count core : core_of_element) nodes.push_back(node_of[to_index(core)]);
    const Metrics metrics = measure(sphere_.messages(), allocation.network(), nodes);
    std::set<std::pair<Count, Count>> pairs;
    sphere_.messages().for_each_run([&](const TaskMessages::Run& run) {
      const Count from = core_of_element[to_index(run.from)];
      const Count to = core_of_element[to_index(run.to)];
      if (from != to) pairs.emplace(from, to);
    });
    return {metrics.weighted_hops, static_cast<double>(pairs.size()), metrics.max_data, metrics.max_latency};
  }

  void of_size(Count processes) const {
    const Count nodes = processes / cores_per_node;
    std::vector<Allocation> allocations;
    std::vector<Measured> by_curve;
    Counts pieces = CubedSphere::line();
    for (Count& piece : pieces) piece = piece * processes / CubedSphere::elements();
    for (std::uint64_t seed = 1; seed <= allocations_; ++seed) {
      const Counts box{2 + static_cast<Count>(seed % 4), 2, 4};  // as in minighost.cpp
      allocations.push_back(sparse_allocation(titan(), nodes, seed, box));
      by_curve.push_back(measured(pieces, allocations.back()));
    }
    const Points cube = sphere_to_cube(sphere_.sphere());
    const Coordinates all[] = {{"sphere", sphere_.sphere()}, {"cube", cube}, {"faces", cube_to_faces(cube)}};
    for (const Variant& way : variants()) {
      if (way.aim != Aim::weighted_hops) continue;  // not of the paper
      for (const Coordinates& coordinates : all) {
        Measured mean;
        for (std::size_t a = 0; a < allocations.size(); ++a) {
          const MappingProblem problem(coordinates.points, sphere_.messages(), allocations[a],
                                       {cores_per_node}, way.view, way.options);
          const Score best = problem.best(0, std::min(problem.rotations(), most_rotations_));
          mean.add(measured(problem.core_of_task(best.rotation), allocations[a]), by_curve[a],
                   static_cast<double>(allocations_));
        }
        std::printf("%9lld  %-6.*s %-7s %13.3f %9.3f %9.3f %9.3f\n", static_cast<long long>(processes),
                    static_cast<int>(way.name.size()), way.name.data(), coordinates.name, mean.hops,
                    mean.messages, mean.data, mean.latency);
        std::fflush(stdout);
      }
    }
  }

  std::uint64_t allocations_;
  Count most_rotations_;
  CubedSphere sphere_;
};

}  // namespace
}  // namespace halocline::network

int main(int argc, char** argv) try {
  const int allocations = halocline::bench::number_argument(argc, argv, 1, 3, 1);
  const int rotations = halocline::bench::number_argument(argc, argv, 2, 12, 1);
  if (argc > 3) {
    std::fprintf(stderr, "usage: homme [allocations [rotations]], both at least 1\n");
    return 2;
  }
  halocline::network::Experiment(static_cast<std::uint64_t>(allocations), rotations).run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "homme: %s\n", error.what());
  return 1;
}
