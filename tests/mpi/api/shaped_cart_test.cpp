// Communicators in the shape of the machine, with HALOCLINE_MACHINE standing for several nodes.
#include "base/fail.hpp"
#include "expect_error.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/halocline.h"
#include "halocline/mpi/cart.hpp"
#include "halocline/mpix.h"
#include "halocline/plan/explanation.hpp"
#include "mpi/handles/comm.hpp"
#include "place/algorithms.hpp"
#include "shape/choose.hpp"
#include "support/scope.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace halocline::api_shaped_cart_tests {
namespace {

/// The world in another order, so that nothing is remembered from an earlier machine.
mpi::Comm shuffled_world(int stride) {
  return mpi::split(MPI_COMM_WORLD, 0, world_rank() * stride % (world_size() + 1));
}

struct Cart {
  mpi::Comm comm;
  Counts dims;

  [[nodiscard]] Cell coordinates() const {
    std::vector<int> coordinates(dims.size());
    MPI_Cart_coords(comm.get(), mpi::rank(comm.get()), static_cast<int>(dims.size()), coordinates.data());
    return {coordinates.begin(), coordinates.end()};
  }
};

Cart created(int code, MPI_Comm comm, const std::vector<int>& dims) {
  EXPECT_EQ(code, MPI_SUCCESS);
  return {mpi::Comm(comm), Counts(dims.begin(), dims.end())};
}

Cart from_types(MPI_Comm comm, const std::vector<int>& types, const std::vector<double>& weights,
                MPI_Info info = MPI_INFO_NULL) {
  std::vector<int> dims(weights.size(), 0);
  const std::vector<int> periods(weights.size(), 1);
  MPI_Comm cart = MPI_COMM_NULL;
  const int code = MPIX_Cart_ml_create_from_types(comm, static_cast<int>(types.size()), types.data(),
                                                  static_cast<int>(weights.size()), weights.data(),
                                                  periods.data(), info, dims.data(), &cart);
  return created(code, cart, dims);
}

/// How many different values the ranks with each `group` have.
std::map<Count, std::vector<Cell>> cells_by_group(const Cart& cart, Count group) {
  const std::vector<Count> groups = everyones(cart.comm.get(), group);
  const Grid grid(cart.dims);
  std::map<Count, std::vector<Cell>> cells;
  for (std::size_t r = 0; r < groups.size(); ++r)
    cells[groups[r]].push_back(grid.cell(static_cast<Count>(r)));
  return cells;
}

/// Do the cells fill the smallest box around them?
bool is_box(const std::vector<Cell>& cells) {
  Count volume = 1;
  for (std::size_t d = 0; d < cells.front().size(); ++d) {
    const auto [low, high] = std::minmax_element(cells.begin(), cells.end(),
                                                 [&](const Cell& a, const Cell& b) { return a[d] < b[d]; });
    volume *= (*high)[d] - (*low)[d] + 1;
  }
  return volume == static_cast<Count>(cells.size());
}

TEST(ShapedCart, is_a_cartesian_communicator_over_all_processes) {
  const mpi::Comm world = shuffled_world(3);
  for (std::size_t d = 1; d <= 4; ++d) {
    const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, std::vector<double>(d, 1));
    int topology = MPI_UNDEFINED;
    MPI_Topo_test(cart.comm.get(), &topology);
    EXPECT_EQ(topology, MPI_CART);
    EXPECT_EQ(mpi::size(cart.comm.get()), world_size());
    EXPECT_EQ(Grid(cart.dims).size(), world_size());
    EXPECT_EQ(Grid(cart.dims).index(cart.coordinates()), mpi::rank(cart.comm.get()));
  }
}

TEST(ShapedCart, every_group_of_every_level_is_a_box) {
  for (Count nodes = 1; nodes <= world_size(); ++nodes) {
    if (world_size() % nodes != 0) continue;
    const Count node_size = world_size() / nodes;
    const Count packages = node_size % 2 == 0 ? 2 : 1;
    const Machine machine = Machine::of_levels({nodes, packages, node_size / packages});
    const DescribedMachine described(machine.to_text());
    for (const std::size_t d : {1, 2, 3}) {
      const mpi::Comm world = shuffled_world(5);
      const std::vector<double> weights(d, 1);
      const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED, MPIX_COMM_TYPE_PACKAGE}, weights);
      const auto expected =
          shape::by_levels({{nodes, packages, node_size / packages}, Weights::equal(d), {}, {}, {}});
      EXPECT_EQ(cart.dims, expected.dims()) << machine.to_text();
      EXPECT_EQ(cart.coordinates(), expected.cell(world_rank())) << machine.to_text();
      for (const std::size_t level : {0, 1})
        for (const auto& [group, cells] : cells_by_group(cart, machine.sizes(level).find(world_rank())))
          EXPECT_TRUE(is_box(cells)) << machine.to_text() << " group " << group;
    }
  }
}

TEST(ShapedCart, levels_as_communicators_give_the_same_as_types) {
  if (world_size() % 4 != 0) return;
  const Machine machine = Machine::of_levels({world_size() / 4, 2, 2});
  const DescribedMachine described(machine.to_text());
  const mpi::Comm world = shuffled_world(7);
  const std::vector<double> weights{1.0 / 1000, 1.0 / 1100};
  const Cart by_types = from_types(world.get(), {MPI_COMM_TYPE_SHARED, MPIX_COMM_TYPE_PACKAGE}, weights);

  const mpi::Comm node = mpi::split(world.get(), world_rank() / 4, world_rank());
  const mpi::Comm package = mpi::split(node.get(), world_rank() / 2 % 2, world_rank());
  const MPI_Comm levels[] = {world.get(), node.get(), package.get()};
  std::vector<int> dims{0, 0};
  const int periods[] = {0, 1};
  MPI_Comm cart = MPI_COMM_NULL;
  const int code = MPIX_Cart_ml_create_from_comms(3, levels, 2, weights.data(), periods, MPI_INFO_NULL,
                                                  dims.data(), &cart);
  const Cart by_comms = created(code, cart, dims);
  EXPECT_EQ(by_comms.dims, by_types.dims);
  // Siblings are counted in the order of the communicators: other boxes, but boxes.
  for (const auto& [group, cells] : cells_by_group(by_comms, world_rank() / 4)) EXPECT_TRUE(is_box(cells));
}

TEST(ShapedCart, uneven_nodes_get_exact_and_compact_parts) {
  if (world_size() < 3) return;
  for (const Runs& sizes : {Runs({1, world_size() - 1}), Runs({world_size() - 2, 1, 1})}) {
    const DescribedMachine described(Machine::of_nodes(sizes).to_text());
    const mpi::Comm world = shuffled_world(3);
    const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
    EXPECT_EQ(Grid(cart.dims).size(), world_size());
    const auto cells = cells_by_group(cart, sizes.find(world_rank()));
    for (const auto& [node, of_node] : cells) EXPECT_EQ(static_cast<Count>(of_node.size()), sizes[node]);
  }
}

/// Two nodes, one process more on the first, where placement has something to say.
struct UnevenNodes {
  Machine machine = Machine::of_nodes(Runs({world_size() / 2 + 1, world_size() - world_size() / 2 - 1}));
  DescribedMachine described{machine.to_text()};

  /// The cell of this process by an algorithm that looks at no weights.
  [[nodiscard]] Cell cell(const Cart& cart, const char* algorithm) const {
    const place::Problem problem(Grid(cart.dims, {true, true}), Stencil::nearest(2), machine);
    return place::algorithm(algorithm).place(problem).cell(world_rank());
  }
};

TEST(ShapedCart, uneven_nodes_are_placed_as_the_user_says) {
  if (world_size() < 5) return;
  const UnevenNodes nodes;
  const mpi::Comm world = shuffled_world(3);
  for (const char* const algorithm : {"blocked", "random"}) {
    const Variable place("HALOCLINE_PLACE", algorithm);
    const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
    EXPECT_EQ(cart.coordinates(), nodes.cell(cart, algorithm)) << algorithm;
  }
  const FirstVariable of_first("HALOCLINE_PLACE", "random");
  const Cart by_first = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
  EXPECT_EQ(by_first.coordinates(), nodes.cell(by_first, "random"));
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "halocline_place", "blocked");
  const Cart by_key = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1}, info);
  EXPECT_EQ(by_key.coordinates(), nodes.cell(by_key, "blocked"));
  MPI_Info_free(&info);
}

TEST(ShapedCart, uneven_nodes_obey_a_plan_that_fits) {
  if (world_size() < 5) return;
  const UnevenNodes nodes;
  const mpi::Comm world = shuffled_world(3);
  const Counts dims = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1}).dims;
  const auto plan_of = [&](const Grid& grid) {
    CartOptions options;
    options.algorithm = PlacementAlgorithm::random;
    return halocline::Cart(world.get(), grid, Stencil::nearest(2), options).plan().to_json();
  };
  const std::string fits = plan_of(Grid(dims, {true, true}));
  const std::string does_not = plan_of(Grid(dims, {true, false}));
  const FirstFolder folder;
  const Variable place("HALOCLINE_PLACE", "blocked");
  {
    const FirstVariable use("HALOCLINE_PLAN_USE", folder.holding("plan.json", fits));
    const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
    EXPECT_EQ(cart.coordinates(), nodes.cell(cart, "random"));
  }
  const FirstVariable use("HALOCLINE_PLAN_USE", folder.holding("other.json", does_not));
  const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
  EXPECT_EQ(cart.coordinates(), nodes.cell(cart, "blocked"));
}

TEST(ShapedCart, info_chooses_the_joint_optimum) {
  if (world_size() != 16) return;
  const DescribedMachine described("node:4 core:4");
  const mpi::Comm world = shuffled_world(3);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "halocline_shape", "joint");
  MPI_Info_set(info, "halocline_ratios", "7,1");
  const std::vector<double> weights{1.0 / 3, 1.0 / 2};
  const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, weights, info);
  EXPECT_EQ(cart.dims, shape::joint({{4, 4}, Weights(weights), {}, {}, {}}, {7, 1}).shape.dims());
  MPI_Info_free(&info);
}

TEST(ShapedCart, keeps_the_error_handler) {
  const mpi::Comm world = shuffled_world(3);  // returns errors
  const Cart cart = from_types(world.get(), {MPI_COMM_TYPE_SHARED}, {1, 1});
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(cart.comm.get(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
}

class ShapedCartErrors : public testing::Test {
 protected:
  mpi::Comm world_ = shuffled_world(3);

  /// Fails with the class on every rank, and leaves no communicator behind.
  template <class Call>
  static void expect_refused(int error_class, const Call& call) {
    expect_no_lost_communicators(MPI_COMM_WORLD, [&] {
      MPI_Comm cart = MPI_COMM_NULL;
      const int code = call(&cart);
      int actual = MPI_SUCCESS;
      MPI_Error_class(code, &actual);
      ASSERT_EQ(actual, error_class);
      ASSERT_EQ(cart, MPI_COMM_NULL);
    });
  }

  int weighted(int ndims, const double* weights, std::vector<int> dims, MPI_Comm* cart) {
    const int periods[] = {0, 0, 0};
    return HCL_Cart_weighted_create(world_.get(), ndims, weights, periods, MPI_INFO_NULL, dims.data(), cart);
  }
};

TEST_F(ShapedCartErrors, alike_on_all_ranks) {
  const double nan[] = {1, std::nan("")};
  expect_refused(MPI_ERR_DIMS, [&](MPI_Comm* cart) { return weighted(0, nullptr, {0, 0}, cart); });
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) { return weighted(2, nan, {0, 0}, cart); });
  expect_refused(MPI_ERR_DIMS, [&](MPI_Comm* cart) {
    return weighted(2, nullptr, {world_size() + 1, 0}, cart);
  });
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm*) { return weighted(2, nullptr, {0, 0}, nullptr); });
}

TEST_F(ShapedCartErrors, ratios_that_are_no_numbers) {
  for (const char* const ratios : {"1e999,1", "nan,1", "0x10,1", "7,-inf", "7,", ","}) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "halocline_ratios", ratios);
    std::string told(MPI_MAX_ERROR_STRING, '\0');
    expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) {
      const int periods[] = {0, 0};
      int dims[] = {0, 0}, length = 0;
      const int code = HCL_Cart_weighted_create(world_.get(), 2, nullptr, periods, info, dims, cart);
      HCL_Error_string(code, told.data(), &length);
      return code;
    });
    EXPECT_NE(told.find(concat("halocline_ratios \"", ratios, "\"")), std::string::npos) << told;
    MPI_Info_free(&info);
  }
}

TEST_F(ShapedCartErrors, no_placement_of_that_name_on_uneven_nodes) {
  if (world_size() < 5) return;
  const UnevenNodes nodes;
  const mpi::Comm world = shuffled_world(5);
  const FirstVariable place("HALOCLINE_PLACE", "nonsense");
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) {
    const int periods[] = {0, 0};
    int dims[] = {0, 0};
    return HCL_Cart_weighted_create(world.get(), 2, nullptr, periods, MPI_INFO_NULL, dims, cart);
  });
}

TEST_F(ShapedCartErrors, one_bad_rank_is_enough) {
  const double good[] = {1, 1};
  const double bad[] = {1, -1};
  const int last = world_size() - 1;
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) {
    return weighted(2, world_rank() == last ? bad : good, {0, 0}, cart);
  });
}

TEST_F(ShapedCartErrors, different_arguments_are_noticed) {
  if (world_size() < 4 || world_size() % 2 != 0) return;
  const double wide[] = {1, 1000};
  const double tall[] = {1000, 1};
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) {
    return weighted(2, world_rank() == 0 ? wide : tall, {0, 0}, cart);
  });
}

TEST_F(ShapedCartErrors, levels_that_are_not_even_or_not_nested) {
  if (world_size() != 8) return;
  const int periods[] = {0, 0};
  const mpi::Comm uneven = mpi::split(world_.get(), world_rank() < 5 ? 0 : 1, 0);
  const mpi::Comm rows = mpi::split(world_.get(), world_rank() / 4, 0);
  const mpi::Comm columns = mpi::split(world_.get(), world_rank() % 4, 0);
  const auto create = [&](std::vector<MPI_Comm> levels, MPI_Comm* cart) {
    std::vector<int> dims{0, 0};
    return HCL_Cart_ml_create_from_comms(static_cast<int>(levels.size()), levels.data(), 2, nullptr, periods,
                                         MPI_INFO_NULL, dims.data(), cart);
  };
  MPI_Comm cart = MPI_COMM_NULL;
  int code = create({world_.get(), uneven.get()}, &cart);
  EXPECT_NE(code, MPI_SUCCESS);
  expect_refused(MPI_ERR_TOPOLOGY, [&](MPI_Comm* c) {
    return create({world_.get(), rows.get(), columns.get()}, c);
  });
}

TEST_F(ShapedCartErrors, unknown_levels_and_words) {
  const auto create = [&](std::vector<int> types, MPI_Info info, MPI_Comm* cart) {
    std::vector<int> dims{0, 0};
    const int periods[] = {0, 0};
    return HCL_Cart_ml_create_from_types(world_.get(), static_cast<int>(types.size()), types.data(), 2,
                                         nullptr, periods, info, dims.data(), cart);
  };
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "halocline_shape", "magic");
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) { return create({MPI_COMM_TYPE_SHARED}, info, cart); });
  MPI_Info_free(&info);
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) { return create({}, MPI_INFO_NULL, cart); });
  expect_refused(MPI_ERR_ARG,
                 [&](MPI_Comm* cart) { return create({HCL_COMM_TYPE_NUMA}, MPI_INFO_NULL, cart); });
  expect_refused(MPI_ERR_ARG, [&](MPI_Comm* cart) {
    return create({MPI_COMM_TYPE_SHARED, 12345}, MPI_INFO_NULL, cart);
  });
}

}  // namespace
}  // namespace halocline::api_shaped_cart_tests
