// A halo follows its fields wherever they are moved, and views by their addresses.

#include "expect_error.hpp"
#include "halo/rotating_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo_followed_fields_tests {
namespace {

using namespace rotating_fields;  // NOLINT(google-build-using-namespace): made for these tests

TEST(FollowedFields, that_are_moved_take_their_halos_along) {
  const Cart cart = torus();
  std::vector<Field<Count>> list;
  list.emplace_back(cart);
  Halo halo(cart, list[0]);
  for (Count step = 0; step < 5; ++step) {  // they are moved when the list grows
    fill(cart, list[0], step);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();
    EXPECT_EQ(wrong_points(cart, list[0], step), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    list.emplace_back(cart);
  }
  auto held = std::make_unique<Field<Count>>(std::move(list[0]));
  Field<Count> last(std::move(*held));
  held.reset();
  list.clear();
  fill(cart, last, 9);
  MPI_Barrier(MPI_COMM_WORLD);
  halo.exchange();
  EXPECT_EQ(wrong_points(cart, last, 9), 0);
}

TEST(FollowedFields, that_are_assigned_to_keep_their_halos) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart), spare(cart);
  Halo halo(cart, rotating(now, next, spare));
  now = std::move(next);  // its own memory is gone, but for the halo
  next = std::move(spare);
  for (Count step = 0; step < 3; ++step) {
    fill(cart, now, step);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();
    EXPECT_EQ(wrong_points(cart, now, step), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    std::swap(now, next);
  }
  Field<Count>& same = now;
  now = std::move(same);
  halo.exchange();
  EXPECT_EQ(wrong_points(cart, next, 2), 0);
  now = Field<Count>(cart);
  expect_error(
      Fault::invalid_argument, [&] { halo.exchange(); }, "not made");
}

TEST(FollowedFields, that_are_gone_leave_their_last_memory) {
  const Cart cart = torus();
  auto now = std::make_unique<Field<Count>>(cart);
  auto next = std::make_unique<Field<Count>>(cart);
  Halo halo(cart, rotating(*now, *next));
  std::swap(*now, *next);
  const FieldView memory = now->view(), other = next->view();
  fill(cart, *now, 4);
  fill(cart, *next, 5);
  MPI_Barrier(MPI_COMM_WORLD);
  now.reset();
  next.reset();
  halo.exchange();
  const auto value = [&](const FieldView& view, Cell point) { return *static_cast<Count*>(view.at(point)); };
  const Box box = cart.decomposition()->box(cart.cell());
  EXPECT_EQ(value(memory, {-1, -1}),
            value_at(cart.decomposition()->mesh(), box.first[0] - 1, box.first[1] - 1, 4));
  EXPECT_EQ(value(other, {-1, -1}), -1);
}

TEST(FollowedFields, of_different_halos_are_swapped) {
  const Cart cart = torus();
  Field<Count> a(cart), b(cart);
  Halo of_a(cart, rotating(a, b));
  {
    Halo of_b(cart, rotating(b, a)), alone(cart, a);
    for (Count step = 0; step < 3; ++step) {
      fill(cart, a, step);
      fill(cart, b, 8 + step);
      MPI_Barrier(MPI_COMM_WORLD);
      of_a.start();
      of_b.start();
      of_b.wait();
      of_a.wait();
      EXPECT_EQ(wrong_points(cart, a, step) + wrong_points(cart, b, 8 + step), 0);
      MPI_Barrier(MPI_COMM_WORLD);
      std::swap(a, b);
    }
    expect_error(
        Fault::invalid_argument, [&] { alone.exchange(); }, "not made");
  }
  fill(cart, a, 20);
  of_a.exchange();  // fields outlive a halo
  EXPECT_EQ(wrong_points(cart, a, 20), 0);
}

TEST(FollowedFields, may_change_places_while_their_halo_is_under_way) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart);
  Halo halo(cart, rotating(now, next));
  fill(cart, now, 1);
  fill(cart, next, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  halo.start();
  std::swap(now, next);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "started", "wait");
  halo.wait();
  EXPECT_EQ(wrong_points(cart, next, 1) + touched_points(now), 0);
  halo.exchange();
  EXPECT_EQ(wrong_points(cart, now, 2), 0);
}

TEST(Views, that_rotate_are_told_by_their_address) {
  const Cart cart = torus();
  Field<Count> u(cart, {.halo = widths}), v(cart, {.halo = widths}), w(cart);
  Halo halo(cart, w, rotating(u.view(), v.view()));
  const auto first_of = [](const Field<Count>& field) { return &field(-widths.low[0], -widths.low[1]); };
  for (Count step = 0; step < 6; ++step) {
    Field<Count>& now = step % 2 == 0 ? v : u;
    fill(cart, now, step);
    fill(cart, w, 20 + step);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<const void*> told{w.data(), step < 3 ? now.data() : first_of(now)};
    halo.start_with(told);
    halo.wait();
    EXPECT_EQ(wrong_points(cart, now, step) + wrong_points(cart, w, 20 + step), 0);
    fill(cart, now, 30);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();  // that again
    EXPECT_EQ(wrong_points(cart, now, 30), 0);
  }
  const std::vector<const void*> few{w.data()}, nobody{w.data(), &halo}, none{w.data(), nullptr};
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(few); }, "1 addresses", "2 fields");
  for (const auto& wrong : {nobody, none})
    expect_error(
        Fault::invalid_argument, [&] { halo.start_with(wrong); }, "field 1", "not made");
  EXPECT_FALSE(halo.active());
}

}  // namespace
}  // namespace halocline::halo_followed_fields_tests
