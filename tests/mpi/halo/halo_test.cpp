// Every halo shows the points of its neighbours, and nothing else is touched.

#include "halocline/halo/halo.hpp"
#include "exchange/scattered_block.hpp"
#include "expect_error.hpp"
#include "halo/points.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/halo/field.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/option_words.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <complex>
#include <thread>

namespace halocline::halo_halo_tests {
namespace {

constexpr Count untouched = -77;

/// The cell at an offset, on a lattice; none beyond an open border.
Count value_at(const Mesh& mesh, const Cell& first, const Cell& point, Count salt) {
  const auto cell = mesh.neighbor(first, point);
  return cell ? mesh.index(*cell) * 8 + salt : untouched;
}

/// An own array of the application, of Count values, in any order of dimensions, with gaps between them.
struct OwnArray {
  std::vector<Count> values;
  FieldView view;

  static OwnArray make(const Counts& extents, const HaloWidths& halo, Random& random) {
    Counts all, strides(extents.size());
    for (std::size_t d = 0; d < extents.size(); ++d) all.push_back(extents[d] + halo.low[d] + halo.high[d]);
    std::vector<std::size_t> order(extents.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
    if (random_in(random, 0, 1) == 1) std::reverse(order.begin(), order.end());
    Count stride = random_in(random, 1, 2);
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
      strides[*d] = stride;
      stride *= all[*d] + random_in(random, 0, 1);
    }
    std::vector<Count> values(static_cast<std::size_t>(stride), untouched);
    FieldView its_view = view_of(values, all, halo, strides);
    return {std::move(values), std::move(its_view)};
  }
  static FieldView view_of(std::vector<Count>& values, const Counts& all, const HaloWidths& halo,
                           const Counts& strides) {
    return halocline::view(values.data(), all, halo, strides);
  }
};

/// What all tests do with a field: fill, exchange, look at every point.
void fill(const FieldView& field, const Decomposition& decomposition, const Cell& cell, Count salt) {
  const Cell first = decomposition.box(cell).first;
  for_each_point(field.extents(), field.halo(), [&](const Cell& point) {
    const bool own = side_of(point, field.extents()) == Offset(point.size(), 0);
    *static_cast<Count*>(field.at(point)) =
        own ? value_at(decomposition.mesh(), first, point, salt) : untouched;
  });
}

Count wrong_points(const FieldView& field, const Halo& halo, const Cell& cell, Count salt) {
  const Decomposition& decomposition = halo.decomposition();
  const Cell first = decomposition.box(cell).first;
  const auto& directions = halo.directions().offsets();
  Count wrong = 0;
  for_each_point(field.extents(), field.halo(), [&](const Cell& point) {
    const Offset side = side_of(point, field.extents());
    const bool own = side == Offset(point.size(), 0);
    const bool filled = own || (std::find(directions.begin(), directions.end(), side) != directions.end() &&
                                decomposition.grid().neighbor(cell, side));
    const Count expected = filled ? value_at(decomposition.mesh(), first, point, salt) : untouched;
    if (*static_cast<Count*>(field.at(point)) != expected) ++wrong;
  });
  return wrong;
}

/// Of a mesh whose processes own `least` points or more along each dimension. In four dimensions only one of
/// them has room for all processes in a row, so that there are not millions of points.
Counts random_extents(std::size_t dimensions, Count least, Random& random) {
  const auto longest = static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1));
  Counts extents;
  for (std::size_t d = 0; d < dimensions; ++d)
    extents.push_back(dimensions < 4 || d == longest
                          ? world_size() * least + random_in(random, 0, 9)
                          : std::min<Count>(world_size(), 4) * least + random_in(random, 0, 3));
  return extents;
}

HaloWidths random_widths(std::size_t dimensions, Count most, Random& random) {
  HaloWidths widths;
  for (std::size_t d = 0; d < dimensions; ++d) {
    widths.low.push_back(random_in(random, 0, most));
    widths.high.push_back(random_in(random, 0, most));
  }
  return widths;
}

TEST(Halo, fields_and_arrays_of_random_meshes_are_exchanged) {
  const int rounds = world_size() > 8 ? 6 : 12;  // random_halo_test.cpp has more
  for (int round = 0; round < rounds; ++round) {
    Random random(static_cast<unsigned>(round) * 31 + 5);
    SCOPED_TRACE(round);
    const DescribedMachine machine(random_nodes(random));
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(round));
    const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 4));
    const Count most = random_in(random, 1, 2);
    const Mesh mesh(random_extents(dimensions, most, random), random_periods(dimensions, random));
    const Cart cart(world.get(), mesh, Stencil::moore(dimensions, 1));
    const HaloWidths widths = random_widths(dimensions, most, random),
                     others = random_widths(dimensions, most, random);
    const bool shared = random_in(random, 0, 2) > 0, with_array = random_in(random, 0, 1) == 1;
    const Stencil directions = random_directions(dimensions, random);

    const Field<Count> u(cart, {.halo = widths, .shared = shared});
    const Field<Count> v(cart, {.halo = others, .shared = shared});
    OwnArray array = OwnArray::make(u.box().extents, widths, random);
    std::vector<FieldView> fields{u, v};
    if (with_array) fields.push_back(array.view);
    HaloOptions options{.directions = directions, .exchange = {}};
    options.exchange = options_of_words(std::vector<std::string>{
        "auto", "direct", "node", "torus", "mixed"}[static_cast<std::size_t>(round) % 5]);
    Halo halo(cart, fields, options);
    for (int time = 0; time < 3; ++time) {
      for (std::size_t f = 0; f < fields.size(); ++f)
        fill(fields[f], halo.decomposition(), cart.cell(), static_cast<Count>(f) + time);
      halo.start();
      while (time == 1 && !halo.test()) {
      }
      halo.wait();
      for (std::size_t f = 0; f < fields.size(); ++f)
        ASSERT_EQ(wrong_points(fields[f], halo, cart.cell(), static_cast<Count>(f) + time), 0)
            << "field " << f << " of " << mesh.to_text() << " on " << cart.grid().to_text() << " by "
            << halo.exchanged().schedule();
    }
    halo.verify();
    for (std::size_t f = 0; f < fields.size(); ++f)
      EXPECT_EQ(wrong_points(fields[f], halo, cart.cell(), static_cast<Count>(f) + 2), 0) << "after verify";
  }
}

TEST(Halo, fields_of_different_types_travel_together) {
  struct Particle {
    double mass;
    char tag;
  };
  const Count n = 3 * world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({n, 5, 7}, periodic(1, 0, 1)), Stencil::nearest(3),
                  {.halo = {2, 1, 1}});
  const Field<double> pressure(cart);
  const Field<std::int8_t> flags(cart, {.halo = HaloWidths({1, 1, 1}), .shared = true});
  const Field<Particle> particles(cart);
  Halo halo(cart, pressure, flags, particles);
  EXPECT_EQ(halo.directions().size(), 6U) << "what the stencil of the Cart reaches";
  halo.verify();
}

TEST(Halo, components_with_gaps_between_them_are_exchanged) {
  const Cart cart(MPI_COMM_WORLD, Mesh({2 * world_size(), 6}, periodic(1, 1)), Stencil::moore(2, 1));
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  // Three components of float, each with a gap of one behind it, in the order of Fortran.
  std::vector<float> values(static_cast<std::size_t>((own[0] + 2) * (own[1] + 2) * 6), 0.5F);
  const Layout element = Layout::resized(0, 24, Layout::vector(3, 1, 2, Layout::named(Elementary::float_)));
  const FieldView array = view(static_cast<void*>(values.data()), element, {own[0] + 2, own[1] + 2},
                               HaloWidths({1, 1}), Layout::Order::fortran);
  Halo halo(cart, array);
  halo.verify();
  for (std::size_t i = 1; i < values.size(); i += 2) ASSERT_EQ(values[i], 0.5F) << "a gap was touched";
}

TEST(Halo, a_communicator_of_mpi_will_do) {
  const mpi::Comm cart = plain_sheet();
  const Cell cell = mpi::grid_of(cart.get()).cell(mpi::rank(cart.get()));
  // Slabs of sizes that no rule of ours would give.
  const Counts own{2 + cell[0] % 3, 3 + 2 * cell[1]};
  std::vector<int> values(static_cast<std::size_t>((own[0] + 2) * (own[1] + 3)));
  Halo halo(cart.get(), {view(values.data(), {own[0] + 2, own[1] + 3}, HaloWidths({1, 1}, {1, 2}))});
  halo.verify();
  EXPECT_EQ(halo.decomposition().box(cell).extents, own);
}

TEST(Halo, wrong_fields_are_refused_alike) {
  const Count p = world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * p, 4}, periodic(1, 1)), Stencil::moore(2, 1), {.fixed = {p, 1}});
  std::vector<int> values(10000);
  const auto halo_of = [&](const Counts& extents, const HaloWidths& widths) {
    return Halo(cart, view(values.data(), extents, widths));
  };
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)halo_of({9, 6}, HaloWidths({1, 1}));
      },
      "7x4", "4x4");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)halo_of({14, 6}, HaloWidths({5, 1}));
      },
      "5 points", "owns 4");
  expect_error(
      Fault::invalid_dimensions, [&] { (void)Halo(cart, view(values.data(), {6}, HaloWidths({1}))); },
      "1 dimensions");
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, std::vector<FieldView>{}); }, "no fields");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)Halo(cart, {view(values.data(), {6, 6}, HaloWidths({1, 1}))},
                   {.directions = Stencil({{2, 0}}), .exchange = {}});
      },
      "(2,0)");
  if (world_size() == 1) return;
  const bool first = world_rank() == 0;
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)halo_of({first ? 6 : 5, 6}, HaloWidths({1, 1}, {first ? 1 : 0, 1}));
      },
      "widths", "differ");
  expect_error(
      Fault::invalid_argument, [&] { (void)Field<int>(cart, {.halo = {}, .shared = first}); }, "shared");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)Field<int>(cart, {.halo = HaloWidths({first ? -1 : 1, 1}), .shared = true});
      },
      "-1");
}

TEST(Halo, a_later_exchange_needs_its_communicator) {
  auto cart =
      std::make_unique<Cart>(MPI_COMM_WORLD, Mesh({4 * world_size()}, periodic(1)), Stencil::nearest(1));
  std::vector<double> values(
      static_cast<std::size_t>(cart->decomposition()->box(cart->cell()).extents[0] + 2));
  Halo halo(*cart, view(values.data(), {static_cast<Count>(values.size())}, HaloWidths({1})));
  halo.exchange();
  cart.reset();
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "communicator", "freed");
}

TEST(Halo, the_verifier_finds_fields_that_overlap) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 3}, periodic(1, 0)), Stencil::nearest(2));
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  std::vector<int> values(static_cast<std::size_t>((own[0] + 2) * (own[1] + 2) * 2), 3);
  const FieldView one = view(values.data(), {own[0] + 2, own[1] + 2}, HaloWidths({1, 1}));
  const FieldView other = view(values.data() + 1, {own[0] + 2, own[1] + 2}, HaloWidths({1, 1}));
  Halo halo(cart, one, other);
  expect_error(
      Fault::internal, [&] { halo.verify(); }, "field 0", "wrong value", "point (-1,0)");
  const Variable wanted("HALOCLINE_VERIFY", "1");
  expect_error(
      Fault::internal, [&] { (void)Halo(cart, one, other); }, "field 0");
  (void)Halo(cart, one);
  // Points (0,1) and (1,0) are one; none lies in the first field.
  const FieldView on_itself(values.data() + values.size() / 2 + 2, one.element(), own, {4, 4},
                            HaloWidths({1, 1}));
  expect_error(
      Fault::internal, [&] { (void)Halo(cart, one, on_itself); }, "field 1", "wrong value");
}

TEST(Halo, statistics_tell_what_was_sent_and_where_time_went) {
  const Count p = world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * p, 4}, periodic(1, 1)), Stencil::moore(2, 1), {.fixed = {p, 1}});
  const Field<double> u(cart, {.halo = {}, .shared = false});
  HaloOptions options;
  options.exchange.statistics = StatisticsChoice::on;
  Halo halo(cart, options, u);
  constexpr int starts = 5;
  constexpr double nap = 0.02;
  for (int i = 0; i < starts; ++i) {
    if (cart.cell()[0] == 0) std::this_thread::sleep_for(std::chrono::duration<double>(nap));
    halo.exchange();
  }
  const ExchangeStatistics statistics = halo.statistics();
  EXPECT_EQ(statistics.exchanges, starts);
  // Two of the faces stay in the process; all of the others, if there are any, go to one or two others.
  const Count all = (8 + 8 + 4) * 8, own = p == 1 ? all : 8 * 8;
  EXPECT_EQ(statistics.self.bytes, starts * own);
  EXPECT_EQ(statistics.node.bytes + statistics.network.bytes, starts * (all - own));
  EXPECT_EQ(statistics.node.messages + statistics.network.messages, starts * std::min(p - 1, Count{2}));
  EXPECT_GT(statistics.pack_seconds, 0);
  const bool beside_the_late_one = p > 1 && cart.cell()[0] == p / 2 && p <= 3;
  if (beside_the_late_one) {
    EXPECT_GT(statistics.late_seconds, nap) << "of five times as much, on a machine that is busy otherwise";
  }
  EXPECT_NE(halo.report().find("late neighbours"), std::string::npos);
  EXPECT_FALSE(Halo(cart, u).statistics().timed);
}

TEST(Halo, nothing_is_sent_where_no_field_has_a_halo) {
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(31);
  const Cart cart(world.get(), Mesh({2 * world_size(), 2 * world_size()}, periodic(1, 1)),
                  Stencil::moore(2, 1));
  for (const std::string schedule : {"direct", "torus", "basis"}) {
    const Field<double> narrow(cart, {.halo = Counts{0, 2}}), wide(cart, {.halo = Counts{1, 1}});
    const auto messages = [&](const std::vector<FieldView>& fields, const Stencil& directions) {
      HaloOptions options{.directions = directions};
      options.exchange = options_of_words(schedule);
      Halo halo(cart, fields, options);
      halo.verify();
      halo.exchange();
      return halo.statistics().network.messages;
    };
    EXPECT_EQ(messages({narrow}, Stencil::moore(2, 1)), messages({narrow}, Stencil({{0, 1}, {0, -1}})))
        << schedule;
    EXPECT_EQ(messages({narrow, wide}, Stencil::moore(2, 1)), messages({wide}, Stencil::moore(2, 1)))
        << schedule;
  }
}

TEST(Field, rows_follow_each_other_away_from_powers_of_two) {
  const Cart cart(MPI_COMM_WORLD, Mesh({2 * world_size(), 30, 126}), Stencil::nearest(3),
                  {.fixed = {world_size(), 1, 1}});
  const Field<double> u(cart);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(u.data()) % 64, 0U);
  EXPECT_EQ(u.stride(1) * 8, 1024 + 16);
  EXPECT_EQ(Field<float>(cart).stride(1) * 4, 512 + 16);
  EXPECT_EQ(Field<std::complex<double>>(cart).stride(1) * 16, 2048 + 16);
  EXPECT_EQ((Field<std::array<double, 4>>(cart).stride(1) * 32), 4096 + 32);
  EXPECT_EQ((Field<std::array<char, 3>>(cart).stride(1) * 3), 3 * 128);
  EXPECT_EQ((Field<std::array<char, 6>>(cart).stride(1) * 6), 6 * 128 + 18);  // whole elements
  EXPECT_EQ(u(-1, -1, -1), 0.0);
  EXPECT_EQ(u.extent(0), 2);
  EXPECT_EQ(u.first(0), 2 * cart.cell()[0]);
}

}  // namespace
}  // namespace halocline::halo_halo_tests
