// Fields whose rank is known: what compiles, where values lie, and that halos take them.

#include "halocline/halo/field.hpp"
#include "expect_error.hpp"
#include "halocline/halo/halo.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

namespace halocline::halo_field_tests {
namespace {

using Rows = Field<double, 3>;
using Columns = Field<double, 3, Layout::Order::fortran>;

template <class F, class... Indices>
concept CalledWith = requires(F field, Indices... indices) {
  field(indices...);
};

static_assert(std::is_same_v<decltype(std::declval<Rows&>()(0, 0, 0)), double&>);
static_assert(std::is_same_v<decltype(std::declval<const Rows&>()(0, 0, 0)), const double&>);
static_assert(std::is_same_v<decltype(std::declval<const Rows&>().view()(0, 0, 0)), const double&>);
static_assert(std::is_same_v<decltype(std::declval<const Rows&>().data()), const double*>);
static_assert(CalledWith<Rows, int, long, short> && !CalledWith<Rows, int, int> &&
              !CalledWith<Rows, int, int, int, int>);

/// A field that lets its values be changed, by a point or by its data.
template <class Some, class... Indices>
concept Written = requires(Some& field, Indices... indices) {
  field(indices...) = 1.0;
}
|| requires(Some& field) { *field.data() = 1.0; };

static_assert(Written<Rows, int, int, int> && !Written<const Rows, int, int, int>);
static_assert(Written<Field<double>, int, int> && !Written<const Field<double>, int, int>);
static_assert(std::is_same_v<decltype(std::declval<const Field<double>&>()(0, 0)), const double&>);
static_assert(std::is_nothrow_move_constructible_v<Rows> && !std::is_copy_constructible_v<Rows>);

Cart cube() {
  const Count p = world_size();
  return {MPI_COMM_WORLD, Mesh({2 * p, 2 * p + 1, 3 * p}, periodic(1, 1, 1)), Stencil::moore(3, 1)};
}

double value_at(const Mesh& mesh, const Box& box, Count i, Count j, Count k) {
  return static_cast<double>(mesh.index(*mesh.neighbor(box.first, Offset{i, j, k})));
}

template <class F>
void expect_exchanged(const Cart& cart, F& field, Halo& halo) {
  const Mesh& mesh = cart.decomposition()->mesh();
  const auto values = field.view();
  for (Count i = 0; i < values.extent(0); ++i)
    for (Count j = 0; j < values.extent(1); ++j)
      for (Count k = 0; k < values.extent(2); ++k) values(i, j, k) = value_at(mesh, field.box(), i, j, k);
  MPI_Barrier(MPI_COMM_WORLD);
  halo.exchange();
  const F& read = field;
  for (Count i = -1; i <= read.extent(0); ++i)
    for (Count j = -1; j <= read.extent(1); ++j)
      for (Count k = -1; k <= read.extent(2); ++k)
        ASSERT_EQ(read(i, j, k), value_at(mesh, field.box(), i, j, k)) << i << " " << j << " " << k;
  MPI_Barrier(MPI_COMM_WORLD);
}

template <class F>
void expect_rotation(const Cart& cart) {
  F now(cart), next(cart);
  EXPECT_EQ(now.stride(F::Span::unit_dimension), 1);
  EXPECT_EQ(&now(0, 0, 0), now.data());
  Halo halo(cart, rotating(now, next));
  for (int step = 0; step < 3; ++step) {
    expect_exchanged(cart, now, halo);
    std::swap(now, next);
  }
}

TEST(RankedField, rows_and_columns_are_exchanged) {
  const Cart cart = cube();
  expect_rotation<Rows>(cart);
  expect_rotation<Columns>(cart);
}

TEST(RankedField, has_the_dimensions_of_the_mesh) {
  const Cart cart = cube();
  expect_error(
      Fault::invalid_dimensions, [&] { (void)Field<int, 2>(cart); }, "rank 2", "3 dimensions");
}

TEST(RankedField, that_was_moved_from_has_no_points) {
  const Cart cart = cube();
  Rows u(cart);
  const Rows v(std::move(u));
  EXPECT_EQ(u.extent(0), 0);
  EXPECT_EQ(u.data(), nullptr);
  EXPECT_NE(v.data(), nullptr);
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, u); }, "moved from");
}

}  // namespace
}  // namespace halocline::halo_field_tests
