// Halos, fields, exchanges and Carts that were made of nothing.

#include "expect_error.hpp"
#include "halocline/halo/box_halo.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/expect_refused_alike.hpp"
#include "support/world.hpp"

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halocline::halo_empty_tests {
namespace {

Cart ring() {
  const Count p = world_size();
  return {MPI_COMM_WORLD, Mesh({4 * p, 5}, periodic(1, 1)), Stencil::moore(2, 1), {.fixed = {p, 1}}};
}

TEST(Empty, halos_fields_and_carts_wait_for_what_is_assigned) {
  Halo halo;
  Field<double> u;
  Field<double, 2> v;
  Exchange exchange;
  FieldStorage storage;
  Cart cart;
  const FieldView none;
  EXPECT_TRUE(halo.empty() && u.empty() && v.empty() && exchange.empty() && storage.empty() && cart.empty());
  EXPECT_EQ(none.dimensions(), 0U);
  EXPECT_EQ(u.data(), nullptr);
  EXPECT_EQ(v.extent(0), 0);
  expect_error(
      Fault::invalid_argument, [&] { halo.exchange(); }, "halo is empty", "made of nothing");
  expect_error(
      Fault::invalid_argument, [&] { (void)halo.active(); }, "halo is empty");
  expect_error(
      Fault::invalid_argument, [&] { exchange.start(); }, "exchange is empty", "made of nothing");
  expect_error(
      Fault::invalid_argument, [&] { (void)cart.comm(); }, "Cart is empty", "made of nothing");
  halo = Halo();
  Halo(std::move(halo)) = Halo();
  cart = ring();
  u = Field<double>(cart);
  v = Field<double, 2>(cart);
  storage = FieldStorage(cart, element_layout<double>(), {});
  EXPECT_FALSE(u.empty() || v.empty() || storage.empty() || cart.empty());
  halo = Halo(cart, u, v, storage);
  EXPECT_FALSE(halo.empty());
  halo.verify();
  // One process alone has nothing: all hear of it.
  const Field<double> nothing;
  const bool mine = world_rank() == world_size() - 1;
  for (const HaloSlot& empty : {HaloSlot(nothing), HaloSlot(none)})
    expect_error(
        Fault::invalid_argument,
        [&] {
          (void)Halo(cart, HaloSlots{u, mine ? empty : HaloSlot(v)});
        },
        "field 1 is empty");
  Halo other(std::move(halo));
  EXPECT_TRUE(halo.empty());  // NOLINT(bugprone-use-after-move)
  std::swap(halo, other);
  halo.verify();
  EXPECT_TRUE(other.empty());
}

TEST(Empty, halos_of_boxes_wait_for_what_is_assigned) {
  static_assert(!std::is_copy_constructible_v<BoxHalo> && !std::is_copy_assignable_v<BoxHalo>);
  static_assert(std::is_nothrow_move_constructible_v<BoxHalo> && std::is_nothrow_move_assignable_v<BoxHalo>);
  BoxHalo halo;
  EXPECT_TRUE(halo.empty());
  const std::vector<std::function<void()>> uses{
      [&] { halo.start(); },       [&] { (void)halo.test(); },    [&] { halo.wait(); },
      [&] { halo.exchange(); },    [&] { (void)halo.active(); },  [&] { halo.verify(); },
      [&] { (void)halo.boxes(); }, [&] { (void)halo.traffic(); }, [&] { (void)halo.statistics(); }};
  const auto expect_empty = [&] {
    for (const auto& use : uses)
      expect_error(Fault::invalid_argument, use, "halo of boxes is empty", "made of nothing, or moved from");
  };
  expect_empty();
  halo = BoxHalo();
  BoxHalo(std::move(halo)) = BoxHalo();
  const Mesh mesh({3 * world_size(), 2}, periodic(1, 1));
  const Boxes boxes = gathered_boxes(MPI_COMM_WORLD, mesh, {{{3 * world_rank(), 0}, {3, 2}}});
  std::vector<double> memory(std::size_t{5} * 4);
  const FieldView good = view(memory.data(), {5, 4}, HaloWidths({1, 1}));
  const bool mine = world_rank() == world_size() - 1;
  expect_refused_alike(
      Fault::invalid_argument,
      [&] {
        (void)BoxHalo(MPI_COMM_WORLD, boxes, {{good}, {mine ? FieldView() : good}});
      },
      "field 1 on box " + std::to_string(world_size() - 1) + " is empty");
  halo = BoxHalo(MPI_COMM_WORLD, boxes, {{good}});
  EXPECT_FALSE(halo.empty());
  halo.verify();
  BoxHalo other(std::move(halo));
  EXPECT_TRUE(halo.empty());  // NOLINT(bugprone-use-after-move)
  expect_empty();
  other.start();
  std::swap(halo, other);  // under way
  EXPECT_TRUE(halo.active() && other.empty());
  halo.wait();
  halo.start();
  halo = BoxHalo(MPI_COMM_WORLD, boxes, {{good}});  // completes what was started
  halo.verify();
}

TEST(Empty, halos_of_boxes_whose_communicator_was_freed) {
  const Boxes boxes(Mesh({world_size()}), {{0, {{0}, {1}}}});
  std::vector<int> memory(3);
  const std::vector<std::vector<FieldView>> fields{
      world_rank() == 0 ? std::vector{view(memory.data(), {3}, HaloWidths({1}))} : std::vector<FieldView>{}};
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  BoxHalo halo(comm, boxes, fields);
  halo.exchange();
  MPI_Comm_free(&comm);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "freed");
  expect_error(
      Fault::invalid_argument, [&] { halo.verify(); }, "freed");
  halo.wait();
}

TEST(Empty, fields_get_memory_that_halos_follow) {
  const Cart cart = ring();
  HaloOptions any;
  any.addresses = Addresses::any;
  Field<double> u(cart), spare;
  Halo halo(cart, any, u);
  std::swap(u, spare);  // what it had goes with the swap, and the field has nothing
  EXPECT_TRUE(u.empty() && !spare.empty());
  expect_error(
      Fault::invalid_argument, [&] { halo.start(u); }, "field 0 is empty");
  u = Field<double>(cart);
  halo.exchange(u);
  halo.exchange(spare);
}

}  // namespace
}  // namespace halocline::halo_empty_tests
