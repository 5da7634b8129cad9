#include "geometric_mapping/sparse_allocation.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"
#include "network/partition/partition.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

namespace halocline::network {
namespace {

constexpr Count most_nodes = Count{1} << 26;
constexpr Count share_of_largest_job = 16;  ///< No other job has more than this part of the machine.
constexpr int generations = 4;              ///< How often each job is replaced before ours comes.

/// The place of each cell of a grid along a Hilbert curve.
Counts hilbert_places(const Grid& grid) {
  return partition(Points::of_grid(grid), grid.size(), ordering("hilbert"));
}

/// The place of each router along a line that fills one box after the other.
Counts places_by_boxes(const Grid& routers, const Counts& box) {
  require(box.size() == routers.dimensions(), "boxes of ", box.size(), " dimensions in a network of ",
          routers.dimensions());
  Counts boxes;
  for (std::size_t d = 0; d < box.size(); ++d) {
    require(box[d] >= 1, "the extent ", box[d], " of a box in dimension ", d, " is not positive");
    boxes.push_back(divide_up(routers.extents()[d], box[d]));
  }
  const Grid outer(boxes);
  const Grid inner(box);
  const Counts outer_places = hilbert_places(outer);
  const Counts inner_places = hilbert_places(inner);
  Counts keys;
  for (Count router = 0; router < routers.size(); ++router) {
    Cell cell = routers.cell(router);
    Cell within(cell.size());
    for (std::size_t d = 0; d < cell.size(); ++d) {
      within[d] = cell[d] % box[d];
      cell[d] /= box[d];
    }
    keys.push_back(outer_places[to_index(outer.index(cell))] * inner.size() +
                   inner_places[to_index(inner.index(within))]);
  }
  Counts order(keys.size());
  std::iota(order.begin(), order.end(), Count{0});
  std::sort(order.begin(), order.end(),
            [&](Count a, Count b) { return keys[to_index(a)] < keys[to_index(b)]; });
  Counts places(keys.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    places[to_index(order[place])] = static_cast<Count>(place);
  return places;
}

/// The nodes in the order in which the scheduler hands them out.
Counts scheduling_order(const Network& network, const Counts& box) {
  Counts nodes(static_cast<std::size_t>(network.nodes()));
  std::iota(nodes.begin(), nodes.end(), Count{0});
  const auto* const cartesian = std::get_if<Network::Cartesian>(&network.topology());
  if (cartesian == nullptr) {
    if (!box.empty()) fail(Fault::unsupported, "only a mesh or torus has boxes, not ", network.to_text());
    return nodes;
  }
  const Grid routers(cartesian->extents);
  const Counts place = box.empty() ? hilbert_places(routers) : places_by_boxes(routers, box);
  Counts ordered(nodes.size());
  for (const Count node : nodes) {
    const Count at = place[to_index(node / cartesian->hosts)];
    ordered[to_index(at * cartesian->hosts + node % cartesian->hosts)] = node;
  }
  return ordered;
}

/// A machine whose places are handed out from the first to the last.
class BusyMachine {
 public:
  BusyMachine(std::size_t places, std::uint64_t seed) : free_(places, true), idle_(places), random_(seed) {}

  [[nodiscard]] std::size_t idle() const { return idle_; }

  /// Starts jobs as long as the next one fits.
  void fill() {
    for (std::size_t size = next_size(); size <= idle_; size = next_size()) jobs_.push_back(first_free(size));
  }

  void end_some_job() {
    const std::size_t job = random_() % jobs_.size();
    for (const std::size_t place : jobs_[job]) free_[place] = true;
    idle_ += jobs_[job].size();
    jobs_[job] = std::move(jobs_.back());
    jobs_.pop_back();
  }

  void grow_old() {
    for (std::size_t turn = generations * jobs_.size(); turn > 0 && !jobs_.empty(); --turn) {
      end_some_job();
      fill();
    }
  }

  std::vector<std::size_t> first_free(std::size_t size) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; places.size() < size; ++place) {
      if (!free_[place]) continue;
      free_[place] = false;
      places.push_back(place);
    }
    idle_ -= size;
    return places;
  }

 private:
  /// Every power of two is as likely as any other.
  std::size_t next_size() {
    const std::size_t largest = std::max<std::size_t>(free_.size() / share_of_largest_job, 1);
    const std::size_t power = std::size_t{1} << random_() % static_cast<std::size_t>(std::bit_width(largest));
    return std::min(power + random_() % power, largest);
  }

  std::vector<bool> free_;
  std::size_t idle_;
  std::vector<std::vector<std::size_t>> jobs_;
  std::mt19937_64 random_;
};

}  // namespace

Allocation sparse_allocation(const Network& network, Count nodes, std::uint64_t seed, const Counts& box) {
  require(1 <= nodes && nodes <= network.nodes(), "a job of ", nodes, " nodes; the network has 1..",
          network.nodes());
  if (network.nodes() > most_nodes)
    fail(Fault::unsupported, "a busy machine of ", network.nodes(), " nodes is too large; it may have ",
         most_nodes);
  BusyMachine machine(static_cast<std::size_t>(network.nodes()), seed);
  machine.fill();
  machine.grow_old();
  while (machine.idle() < static_cast<std::size_t>(nodes)) machine.end_some_job();
  const Counts order = scheduling_order(network, box);
  Counts chosen;
  for (const std::size_t place : machine.first_free(static_cast<std::size_t>(nodes)))
    chosen.push_back(order[place]);
  return {network, std::move(chosen)};
}

}  // namespace halocline::network
