// Borders of meshes in cases that can be worked out by hand, what their widths may be, and what is refused.

#include "expect_error.hpp"
#include "halo/points.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"
#include "halocline/plan/explanation.hpp"

namespace halocline::halo_sides_tests {
namespace {

/// The world as a column of rows: x is not cut, y is.
mpi::Comm rows(bool around_x) { return plain_cart(MPI_COMM_WORLD, {1, world_size()}, {around_x, false}); }
mpi::Comm columns(bool around_x) { return plain_cart(MPI_COMM_WORLD, {world_size(), 1}, {around_x, false}); }
Decomposition cut(MPI_Comm cart, Count nx, Count ny) {
  return Decomposition(Mesh({nx, ny}, mpi::grid_of(cart).periodicity()), mpi::grid_of(cart));
}

struct DoubleField {
  FieldStorage storage;
  DoubleField(MPI_Comm cart, const Decomposition& mesh, Counts widths)
      : storage(cart, mesh, Layout::named(Elementary::double_), {.halo = HaloWidths(std::move(widths))}) {
    for_each_point(view().extents(), view().halo(), [&](const Cell& point) { at(point) = -1e6; });
    for_each_point(view().extents(), HaloWidths({0, 0}), [&](const Cell& point) {
      at(point) = static_cast<double>(100 * (box().first[0] + point[0]) + box().first[1] + point[1]);
    });
  }
  [[nodiscard]] const FieldView& view() const { return storage.view(); }
  [[nodiscard]] const Box& box() const { return storage.box(); }
  [[nodiscard]] double& at(const Cell& point) const { return *static_cast<double*>(view().at(point)); }
};

TEST(Sides, a_mirror_shows_points_once_or_the_border_twice) {
  const mpi::Comm cart = rows(false);
  const Decomposition mesh = cut(cart.get(), 5, 3 * world_size());
  const DoubleField u(cart.get(), mesh, {2, 1});
  Halo halo(cart.get(), mesh, {u.storage}, {.sides = Sides::parse("x-:mirror-face x+:mirror-point:odd")});
  halo.exchange();
  const auto y = static_cast<double>(u.box().first[1]);
  EXPECT_EQ(u.at({-1, 0}), y);
  EXPECT_EQ(u.at({-2, 0}), 100 + y);
  EXPECT_EQ(u.at({5, 0}), -300 - y);
  EXPECT_EQ(u.at({6, 0}), -200 - y);
  if (mesh.grid().cell(mpi::rank(cart.get()))[1] == 0) {  // an open border
    EXPECT_EQ(u.at({-1, -1}), -1e6);
  }
  EXPECT_EQ(halo.statistics().self.messages >= 2, true);
}

TEST(Sides, a_fold_comes_back_reversed) {
  const mpi::Comm cart = columns(true);
  const Count nx = 3 * world_size() + 1, ny = 4;
  const Decomposition mesh = cut(cart.get(), nx, ny);
  for (const bool about_point : {true, false}) {
    const DoubleField u(cart.get(), mesh, {1, 2});
    Halo halo(cart.get(), mesh, {u.storage},
              {.sides = Sides::parse(about_point ? "y+:fold-t@x" : "y+:fold-f@x")});
    halo.exchange();
    for (Count i = -1; i <= u.view().extents()[0]; ++i)
      for (Count k = 1; k <= 2; ++k) {
        const Count x = u.box().first[0] + i;
        const Count shown = about_point ? (nx - x) % nx : (2 * nx - 1 - x) % nx;
        const Count row = about_point ? ny - 1 - k : ny - k;
        EXPECT_EQ(u.at({i, ny - 1 + k}), static_cast<double>(100 * shown + row)) << x << " " << k;
      }
    const std::string plan = halo.plan().to_text();
    EXPECT_NE(plan.find("Not counted here: beyond the sides"), std::string::npos) << plan;
    halo.verify();
  }
}

TEST(Sides, a_shear_moves_along) {
  const mpi::Comm cart = rows(true);
  const Count nx = 7, ny = 2 * world_size();
  const Decomposition mesh = cut(cart.get(), nx, ny);
  const DoubleField u(cart.get(), mesh, {1, 1});
  Halo halo(cart.get(), mesh, {u.storage}, {.sides = Sides::parse("y:shear+3@x")});
  halo.exchange();
  const Cell cell = mesh.grid().cell(mpi::rank(cart.get()));
  for (Count i = -1; i <= nx; ++i) {
    if (cell[1] == 0) {
      EXPECT_EQ(u.at({i, -1}), static_cast<double>(100 * ((i - 3 + 2 * nx) % nx) + ny - 1)) << i;
    }
    if (cell[1] == world_size() - 1) {
      EXPECT_EQ(u.at({i, u.view().extents()[1]}), static_cast<double>(100 * ((i + 3 + nx) % nx))) << i;
    }
  }
}

TEST(Sides, what_fills_the_whole_mesh_is_the_widest) {
  const mpi::Comm cart = rows(false);
  const Decomposition mesh = cut(cart.get(), 3, 2 * world_size());
  const DoubleField three(cart.get(), mesh, {3, 1}), two(cart.get(), mesh, {2, 1}),
      four(cart.get(), mesh, {4, 1});
  const auto halo_of = [&](const DoubleField& field, const char* sides) {
    Halo halo(cart.get(), mesh, {field.storage}, {.sides = Sides::parse(sides)});
    halo.exchange();
    halo.verify();
  };
  halo_of(three, "x:mirror-face");
  halo_of(two, "x:mirror-point");
  expect_error(
      Fault::invalid_dimensions, [&] { halo_of(four, "x:mirror-face"); }, "halo of 4", "3 points");
  expect_error(
      Fault::invalid_dimensions, [&] { halo_of(three, "x:mirror-point"); }, "halo of 3", "2 points");
  expect_error(
      Fault::invalid_dimensions, [&] { halo_of(three, "x+:mirror-point"); }, "upper side");
}

TEST(Sides, what_does_not_fit_is_refused_alike) {
  const mpi::Comm cart = rows(true), open = rows(false);
  const Decomposition mesh = cut(cart.get(), 7, 2 * world_size()),
                      open_mesh = cut(open.get(), 7, 2 * world_size());
  const DoubleField u(cart.get(), mesh, {1, 1}), v(open.get(), open_mesh, {1, 1});
  const auto refused = [&](Fault fault, const char* sides, const char* words, HaloOptions options = {}) {
    options.sides = Sides::parse(sides);
    expect_error(
        fault, [&] { Halo(cart.get(), mesh, {u.storage}, options); }, words);
  };
  refused(Fault::invalid_dimensions, "x:mirror-face", "periodic there");
  refused(Fault::invalid_dimensions, "z:mirror-face", "has 2 dimensions");
  refused(Fault::invalid_dimensions, "y:shear+7@x", "shear by 7");
  refused(Fault::invalid_dimensions, "y:shear-7@x", "shear by -7");
  refused(Fault::invalid_argument, "y:mirror-face:odd=1", "field 1");
  refused(Fault::invalid_type, "y:mirror-face:odd=0.1", "number 1");
  refused(Fault::invalid_argument, "y:mirror-face at=c,x", "field 1");
  refused(Fault::unsupported, "y:mirror-face", "carried", {.borders = Borders::carry});
  refused(Fault::unsupported, "y:mirror-face", "any address", {.addresses = Addresses::any});
  expect_error(
      Fault::invalid_dimensions,
      [&] { Halo(open.get(), open_mesh, {v.storage}, HaloOptions{.sides = Sides::parse("y+:fold-t@x")}); },
      "not periodic there");
  std::vector<unsigned> whole(static_cast<std::size_t>(9 * (u.view().extents()[1] + 2)));
  const Counts all{9, u.view().extents()[1] + 2};
  const FieldView unsigned_view = view(whole.data(), all, HaloWidths({1, 1})),
                  bytes = view(reinterpret_cast<std::array<char, 4>*>(whole.data()), all, HaloWidths({1, 1}));
  for (const FieldView& field : {unsigned_view, bytes})
    expect_error(
        Fault::invalid_type,
        [&] { Halo(cart.get(), mesh, {field}, HaloOptions{.sides = Sides::parse("y-:mirror-face:odd")}); },
        "field 0 has", "change their sign");
  Halo symmetric(cart.get(), mesh, {bytes}, {.sides = Sides::parse("y:mirror-face")});
  symmetric.verify();
  expect_error(
      Fault::unsupported, [&] { symmetric.accumulate(); }, "accumulated yet");
}

TEST(Sides, all_processes_describe_the_same) {
  if (world_size() == 1) GTEST_SKIP() << "one process";
  const mpi::Comm cart = rows(true);
  const Decomposition mesh = cut(cart.get(), 7, 2 * world_size());
  const DoubleField u(cart.get(), mesh, {1, 1});
  const Sides mine = Sides::parse(world_rank() == 0 ? "y:mirror-face" : "y:mirror-point");
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart.get(), mesh, {u.storage}, HaloOptions{.sides = mine}); },
      "the sides of the mesh");
}

TEST(Sides, the_info_key_says_them_too) {
  const mpi::Comm cart = rows(false);
  const Decomposition mesh = cut(cart.get(), 4, 2 * world_size());
  const DoubleField u(cart.get(), mesh, {1, 1});
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "halocline_sides", "x:mirror-face:odd y:mirror-face");
  Halo halo(cart.get(), mesh, {u.storage}, {.exchange = {.info = info}});
  halo.exchange();
  EXPECT_EQ(u.at({-1, 0}), -static_cast<double>(u.box().first[1]));
  MPI_Info_set(info, "halocline_sides", "x:mirror");
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart.get(), mesh, {u.storage}, {.exchange = {.info = info}}); },
      "mirror-face, mirror-point");
  MPI_Info_free(&info);
}

}  // namespace
}  // namespace halocline::halo_sides_tests
