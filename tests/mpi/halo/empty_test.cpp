// Halos, fields, exchanges and Carts that were made of nothing.

#include "expect_error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/world.hpp"

#include <utility>

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
