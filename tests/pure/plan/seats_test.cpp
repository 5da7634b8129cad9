// Seats of ranks within nodes: which cores and GPU, who sits next to the NIC, and what that is worth.
#include "plan/seats/seated_order.hpp"

#include "base/numbers.hpp"
#include "expect_error.hpp"
#include "plan/seats/seats_in_node.hpp"
#include "plan/traced/matrix_cost.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace halocline::plan {
namespace {

/// Packages of equal size, each device at one of them or, for -1, at no particular one.
NodeDevices described(Count packages, Count cores, const Counts& gpus, const Counts& nics) {
  NodeDevices node;
  CoreLevel level{"package", {}};
  for (Count core = 0; core < packages * cores; ++core) {
    node.processors.push_back({core, core + packages * cores});
    level.part_of.push_back(core / cores);
  }
  const auto add = [&](DeviceKind kind, const char* name, const Counts& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      Device device{
          {name + std::to_string(i)}, kind, "", to_count(i), Counts(node.processors.size(), node.cores())};
      for (Count core = 0; core < node.cores(); ++core)
        if (core / cores == places[i]) device.span[to_size(core)] = cores;
      node.devices.push_back(device);
    }
  };
  if (packages > 1) node.levels.push_back(level);
  add(DeviceKind::gpu, "gpu", gpus);
  add(DeviceKind::nic, "nic", nics);
  return node;
}

Count drawn(std::mt19937_64& random, Count least, Count most) {
  return least + to_count(random() % to_size(most - least + 1));
}

Counts drawn_places(std::mt19937_64& random, Count packages, Count least) {
  Counts places(to_size(drawn(random, least, 3)));
  for (Count& place : places) place = drawn(random, -1, packages - 1);
  return places;
}

NodeDevices drawn_node(std::mt19937_64& random) {
  const Count packages = drawn(random, 1, 3);
  const Counts gpus = drawn_places(random, packages, 1), nics = drawn_places(random, packages, 1);
  return described(packages, drawn(random, 1, 3), gpus, nics);
}

Counts first_cores(const std::vector<Seat>& seats) {
  Counts cores;
  for (const Seat& seat : seats) cores.push_back(seat.cores.front());
  return cores;
}

/// The least sum of spans with which so many ranks can have a core and an even share of a GPU: all ways
/// tried.
Count least_span_to_gpus(const NodeDevices& node, Count ranks, std::size_t core, Counts& taken) {
  constexpr Count never = std::numeric_limits<Count>::max() / 2;
  if (ranks == 0) {
    const auto [least, most] = std::minmax_element(taken.begin(), taken.end());
    return *most - *least <= 1 ? 0 : never;
  }
  if (core == node.processors.size()) return never;
  Count best = least_span_to_gpus(node, ranks, core + 1, taken);
  for (std::size_t gpu = 0; gpu < taken.size(); ++gpu) {
    ++taken[gpu];
    best =
        std::min(best, node.devices[gpu].span[core] + least_span_to_gpus(node, ranks - 1, core + 1, taken));
    --taken[gpu];
  }
  return best;
}

TEST(SeatsOfNode, are_those_of_launchers_where_all_cores_are_taken) {
  const NodeDevices node = described(2, 4, {0, 1}, {1});
  const std::vector<Seat> seats = seats_of_node(node, 4, 2, {.gpu = false, .nic = true});
  EXPECT_EQ(seats, default_seats(node, 4, 2, {.gpu = false, .nic = true}));
  EXPECT_EQ(first_cores(seats), (Counts{0, 2, 4, 6}));
  EXPECT_EQ(seats[0].nic_span, 16);  // two cores, of eight
  EXPECT_EQ(seats[3].nic_span, 8);
}

TEST(SeatsOfNode, are_spread_where_cores_are_left) {
  EXPECT_EQ(first_cores(seats_of_node(described(2, 8, {}, {0}), 4, 1, {.gpu = false, .nic = true})),
            (Counts{0, 4, 8, 12}));
  EXPECT_EQ(first_cores(seats_of_node(described(1, 7, {}, {0}), 3, 2, {.gpu = false, .nic = true})),
            (Counts{0, 2, 4}));
}

TEST(SeatsOfNode, go_to_the_gpus) {
  const std::vector<Seat> seats =
      seats_of_node(described(2, 8, {1, 1, 0, 0}, {}), 4, 2, {.gpu = true, .nic = false});
  EXPECT_EQ(first_cores(seats), (Counts{0, 2, 8, 10}));
  Counts gpus;
  for (const Seat& seat : seats) gpus.push_back(seat.gpu);
  EXPECT_EQ(gpus, (Counts{2, 3, 0, 1}));
}

TEST(SeatsOfNode, share_gpus_evenly_and_as_near_as_can_be) {
  int uneven = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    const NodeDevices node = drawn_node(random);
    const Count ranks = drawn(random, 1, std::min<Count>(node.cores(), 7));
    const std::vector<Seat> seats = seats_of_node(node, ranks, 1, {.gpu = true, .nic = false});
    ASSERT_EQ(count_of(seats), ranks) << "seed " << seed;
    Counts taken(to_size(std::count_if(node.devices.begin(), node.devices.end(),
                                       [](const Device& d) { return d.kind == DeviceKind::gpu; })));
    Count span = 0;
    for (std::size_t i = 0; i < seats.size(); ++i) {
      EXPECT_TRUE(i == 0 || seats[i - 1].cores < seats[i].cores) << "seed " << seed;
      ++taken[to_size(seats[i].gpu)];
      span += span_of(node.devices[to_size(seats[i].gpu)], seats[i].cores);
    }
    const auto [least, most] = std::minmax_element(taken.begin(), taken.end());
    EXPECT_LE(*most - *least, 1) << "seed " << seed;
    uneven += *most != *least ? 1 : 0;
    Counts none(taken.size());
    EXPECT_EQ(span, least_span_to_gpus(node, ranks, 0, none)) << "seed " << seed;
  }
  EXPECT_GT(uneven, 50);
}

TEST(SeatsOfNode, refusals) {
  const NodeDevices node = described(2, 4, {}, {});
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)seats_of_node(node, 9, 1, {false, false});
      },
      "9 ranks of 1 cores", "8 cores");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)seats_of_node(node, 3, 3, {false, false});
      },
      "3 ranks of 3 cores");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)seats_of_node(node, 4, 1, {false, true});
      },
      "no NIC");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)default_seats(node, 4, 1, {true, false});
      },
      "no GPU");
  expect_error(
      Fault::invalid_argument, [] { (void)near_what("nvme"); }, "gpu,nic");
}

NodeTraffic drawn_traffic(std::mt19937_64& random, std::size_t ranks) {
  NodeTraffic traffic{Counts(ranks), std::vector<std::vector<std::pair<Count, Count>>>(ranks)};
  for (Count& bytes : traffic.outside) bytes = drawn(random, 0, 3);
  for (std::size_t a = 0; a < ranks; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (const Count bytes = drawn(random, -3, 5); bytes > 0) {
        traffic.inside[a].emplace_back(b, bytes);
        traffic.inside[b].emplace_back(a, bytes);
      }
  return traffic;
}

Count nic_cost(const std::vector<Seat>& seats, const NodeTraffic& traffic, const Counts& seat_of) {
  Count sum = 0;
  for (std::size_t rank = 0; rank < seat_of.size(); ++rank)
    sum += traffic.outside[rank] * seats[to_size(seat_of[rank])].nic_span;
  return sum;
}

Count inner_cost(const NodeDevices& node, const std::vector<Seat>& seats, const NodeTraffic& traffic,
                 const Counts& seat_of) {
  Count sum = 0;
  for (std::size_t rank = 0; rank < seat_of.size(); ++rank)
    for (const auto& [partner, bytes] : traffic.inside[rank])
      sum += bytes *
             parts_between(node, seats[to_size(seat_of[rank])], seats[to_size(seat_of[to_size(partner)])]);
  return sum;
}

/// All seatings, of which the first number counts and then the second one: the least there is.
TEST(SeatsInNode, most_bytes_are_nearest_to_the_nic) {
  int moved = 0, best = 0, cases = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const NodeDevices node = drawn_node(random);
    const Count ranks = drawn(random, 1, std::min<Count>(node.cores(), 6));
    const std::vector<Seat> seats = seats_of_node(node, ranks, 1, {.gpu = random() % 2 == 0, .nic = true});
    const NodeTraffic traffic = drawn_traffic(random, seats.size());
    const Counts found = seats_in_node(node, seats, traffic);
    Counts seating(seats.size());
    std::iota(seating.begin(), seating.end(), Count{0});
    moved += found != seating ? 1 : 0;
    const Count stayed_nic = nic_cost(seats, traffic, seating),
                stayed = inner_cost(node, seats, traffic, seating);
    auto least = std::pair(std::numeric_limits<Count>::max(), Count{0});
    do {
      least = std::min(
          least, std::pair(nic_cost(seats, traffic, seating), inner_cost(node, seats, traffic, seating)));
    } while (std::next_permutation(seating.begin(), seating.end()));
    Counts sorted = found;
    std::sort(sorted.begin(), sorted.end());
    std::iota(seating.begin(), seating.end(), Count{0});
    ASSERT_EQ(sorted, seating) << "seed " << seed;
    const Count nic = nic_cost(seats, traffic, found), inner = inner_cost(node, seats, traffic, found);
    EXPECT_EQ(nic, least.first) << "seed " << seed;
    EXPECT_LE(std::pair(nic, inner), std::pair(stayed_nic, stayed)) << "seed " << seed;
    best += inner == least.second ? 1 : 0;
    ++cases;
  }
  EXPECT_GT(moved, cases / 6);
  EXPECT_GT(best, cases * 3 / 4);  // exchanges of two do not find everything
}

TEST(SeatsInNode, nobody_moves_without_a_gain) {
  const NodeDevices node = described(2, 4, {}, {1});
  const std::vector<Seat> seats = seats_of_node(node, 8, 1, {.gpu = false, .nic = true});
  const NodeTraffic silent{Counts(8), std::vector<std::vector<std::pair<Count, Count>>>(8)};
  EXPECT_EQ(seats_in_node(node, seats, silent), (Counts{0, 1, 2, 3, 4, 5, 6, 7}));
}

/// What the figures say, counted by hand.
TEST(SeatedOrder, nodes_keep_their_ranks_and_figures_are_true) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const NodeDevices node = described(2, 4, {0, 1}, {1});
    const Runs sizes(Counts{8, 5, 8, 3});
    std::vector<Rank> ranks(to_size(sizes.total()));
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    std::shuffle(ranks.begin(), ranks.end(), random);
    const place::Order order(sizes, ranks);
    std::vector<MessageMatrix::Entry> entries;
    for (int i = 0; i < 150; ++i)
      entries.push_back(
          {drawn(random, 0, order.size() - 1), drawn(random, 0, order.size() - 1), drawn(random, 1, 9)});
    const MessageMatrix matrix(order.size(), entries);
    const SeatedOrder result = seated({matrix, node, 1, {.gpu = true, .nic = true}}, order);
    Count start = 0, far = 0;
    for (Count n = 0; n < sizes.size(); start += sizes[n++]) {
      const auto members = [&](const place::Order& all) {
        std::vector<Rank> list(all.ranks().begin() + start, all.ranks().begin() + start + sizes[n]);
        std::sort(list.begin(), list.end());
        return list;
      };
      EXPECT_EQ(members(result.order), members(order)) << "seed " << seed;
      for (Count place = 0; place < sizes[n]; ++place) {
        if (result.seats.at(sizes[n])[to_size(place)].cores.front() >= 4) continue;
        const Rank rank = result.order.ranks()[to_size(start + place)];
        const std::vector<Rank> here = members(order);
        for (const auto& [source, target, bytes, messages] : entries) {
          const bool from_here = std::binary_search(here.begin(), here.end(), source);
          const bool to_here = std::binary_search(here.begin(), here.end(), target);
          if (from_here != to_here && (source == rank || target == rank)) far += bytes;
        }
      }
    }
    ASSERT_EQ(result.figures.size(), 4U);
    EXPECT_EQ(result.figures[0].key, "node");
    EXPECT_EQ(result.figures[0].before, result.figures[0].after) << "seed " << seed;
    EXPECT_EQ(result.figures[1].key, "package");
    EXPECT_EQ(result.figures[2],
              (SeatFigure{result.figures[2].what, "far_from_nic", result.figures[2].before, far}));
    EXPECT_LE(far, result.figures[2].before) << "seed " << seed;
    EXPECT_EQ(result.figures[3].key, "far_from_gpu");
    EXPECT_LE(result.figures[3].after, result.figures[3].before);
  }
}

TEST(SeatedOrder, messages_on_a_grid_are_its_stencil) {
  const MessageMatrix matrix =
      messages_on_grid(Grid({3, 4}, periodic(1, 0)), Stencil::parse("1,0*8;0,1*2", 2));
  EXPECT_EQ(matrix.pairs(), 12 + 9);
  EXPECT_EQ(matrix.bytes(), 12 * 8 + 9 * 2);
}

TEST(NodeDevices, the_nearest_and_those_that_are_named) {
  const NodeDevices node = described(2, 2, {0, 1, -1}, {1});
  EXPECT_EQ(nearest(node, DeviceKind::gpu, Counts{0}), (std::vector<std::string>{"gpu0"}));
  EXPECT_EQ(nearest(node, DeviceKind::gpu, Counts{0, 1, 2, 3}), (std::vector<std::string>{"gpu0", "gpu1"}));
  EXPECT_EQ(nearest(node, DeviceKind::nic, Counts{0}), (std::vector<std::string>{"nic0"}));
  EXPECT_EQ(only(node, {"gpu2"}).devices.size(), 2U);
  EXPECT_EQ(only(node, {}), node);
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)only(node, {"gpu1", "mlx5_7"});
      },
      "mlx5_7", "gpu0, gpu1, gpu2, nic0");
  EXPECT_EQ(ranges_text(Counts{0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(ranges_text(Counts{}), "");
}

}  // namespace
}  // namespace halocline::plan
