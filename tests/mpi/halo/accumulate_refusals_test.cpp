// What cannot be accumulated is refused by the same words on every rank, and a halo is under way as by an
// exchange.

#include "expect_error.hpp"
#include "halo/device_array.hpp"
#include "halo/random_grounds.hpp"
#include "halo/rotating_fields.hpp"
#include "mpi/handles/handle.hpp"
#include "support/expect_refused_alike.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline::halo_accumulate_refusals_tests {
namespace {

TEST(AccumulateRefusals, refuses_what_is_no_number) {
  struct Pair {
    double a;
    int b;
  };
  const Cart cart = rotating_fields::torus();
  const Field<double, 2> a(cart);
  const Field<Pair, 2> pairs(cart);
  const Field<bool, 2> flags(cart);
  for (const Accumulate how : {Accumulate::sum, Accumulate::min, Accumulate::max}) {
    Halo halo(cart, a, pairs), truth(cart, flags, a);
    expect_refused_alike(
        Fault::invalid_type, [&] { halo.accumulate(how); }, "field 1 has elements that cannot be");
    expect_refused_alike(
        Fault::invalid_type, [&] { truth.start_accumulate(how); }, "field 0 has elements");
    EXPECT_FALSE(truth.active());
    truth.accumulate(Accumulate::replace);
    halo.accumulate(Accumulate::replace);
    halo.exchange();
  }
  // The same structure, told.
  const FieldStorage told(
      cart,
      Layout::structure({1, 1}, {0, 8},
                        {Layout::named(Elementary::double_), Layout::named(Elementary::int_)}),
      {});
  Halo(cart, HaloSlots{told}).accumulate(Accumulate::max);
}

TEST(AccumulateRefusals, refuses_what_differs_between_ranks) {
  if (world_size() == 1) return;
  const Cart cart = rotating_fields::torus();
  const bool last = world_rank() == world_size() - 1;
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  Counts all = own;
  for (Count& extent : all) extent += 2;
  std::vector<double> memory(static_cast<std::size_t>(all[0] * all[1]));
  const FieldView view = halocline::view(
      memory.data(), last ? Layout::named(Elementary::int64) : Layout::named(Elementary::double_), all,
      HaloWidths({1, 1}));
  Halo halo(cart, view);
  expect_refused_alike(
      Fault::invalid_type, [&] { halo.accumulate(); }, "field 0 has elements of other numbers");
  halo.accumulate(Accumulate::replace);
  Halo other(cart, view);
  expect_refused_alike(
      Fault::invalid_argument, [&] { other.accumulate(last ? Accumulate::min : Accumulate::replace); },
      "another way");
  expect_refused_alike(
      Fault::invalid_argument, [&] { other.accumulate(static_cast<Accumulate>(last ? 9 : 3)); }, "number 9");
  other.accumulate(Accumulate::replace);
}

TEST(AccumulateRefusals, is_under_way_as_an_exchange_is) {
  const Cart cart = rotating_fields::torus();
  const Field<double, 2> a(cart);
  Halo halo(cart, a);
  halo.start();
  expect_refused_alike(
      Fault::invalid_argument, [&] { halo.accumulate(); }, "wait for it first");
  halo.wait();
  halo.start_accumulate();
  EXPECT_TRUE(halo.active());
  for (int twice = 0; twice < 2; ++twice) {
    expect_refused_alike(
        Fault::invalid_argument, [&] { halo.start(); }, "wait for it first");
    expect_refused_alike(
        Fault::invalid_argument, [&] { halo.start_accumulate(); }, "wait for it first");
    expect_refused_alike(
        Fault::invalid_argument, [&] { halo.verify(); }, "under way");
  }
  halo.wait();
  halo.exchange();
  halo.verify();
  halo.accumulate();
  EXPECT_EQ(halo.statistics().exchanges, 4);  // two to verify
  Halo moved = std::move(halo);
  moved.start_accumulate();  // completed when it is destroyed
}

TEST(AccumulateRefusals, refuses_what_has_lost_its_communicator) {
  mpi::Comm comm = plain_sheet();
  Counts extents{4, 4};
  std::vector<double> memory(16);
  const FieldView view = halocline::view(memory.data(), extents, HaloWidths({1, 1}));
  Halo before(comm.get(), {view}), never(comm.get(), {view});
  before.accumulate();
  comm = mpi::Comm();
  { const mpi::Comm gone = std::move(comm); }
  for (Halo* const halo : {&before, &never})
    expect_refused_alike(
        Fault::invalid_argument, [&] { halo->accumulate(); }, "freed");
}

TEST(AccumulateRefusals, refuses_fields_on_a_device) {
  const Cart cart = device_row();
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  const DeviceArray array(cart);
  Halo halo(cart, host, array.view());
  expect_refused_alike(
      Fault::unsupported, [&] { halo.accumulate(); }, "field 1 lies on a device");
  halo.exchange();
}

TEST(AccumulateRefusals, of_many_halos_at_once_completes_in_any_order) {
  const Cart cart = rotating_fields::torus();
  std::vector<Field<double, 2>> fields;
  std::vector<std::unique_ptr<Halo>> halos;
  for (int i = 0; i < 6; ++i) fields.emplace_back(cart);
  for (const auto& field : fields) halos.push_back(std::make_unique<Halo>(cart, field));
  Random own(static_cast<std::uint64_t>(world_rank()));
  for (int round = 0; round < 3; ++round) {
    for (auto& halo : halos) halo->start_accumulate();
    for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->wait();
  }
}

}  // namespace
}  // namespace halocline::halo_accumulate_refusals_tests
