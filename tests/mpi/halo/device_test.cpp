// Halos of fields on a device, which the host's processor plays: every way, streams, and what is refused.

#include "accelerate/host_device.hpp"
#include "expect_error.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/halocline.h"
#include "mpi/communicators/cart_comm.hpp"
#include "support/scope.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace halocline::halo_device_tests {
namespace {

using accelerate::HostDevice;
using accelerate::OwnMemory;

Cart blocks(bool periodic_all = true) {
  const Count p = world_size();
  return {MPI_COMM_WORLD,
          Mesh({4 * p, 6, 5}, {periodic_all, periodic_all, periodic_all}),
          Stencil::moore(3, 1),
          {.fixed = {p, 1, 1}}};
}

/// An array on the device with room for halos of one point.
struct DeviceArray {
  explicit DeviceArray(const Cart& cart, Count element_bytes = 8, Count spare = 0)
      : extents(cart.decomposition()->box(cart.cell()).extents),
        element(Layout::contiguous(element_bytes, Layout::named(Elementary::byte))),
        memory(HostDevice::get(), OwnMemory::Kind::of_device, bytes() + spare) {}

  [[nodiscard]] Counts all() const {
    Counts with_halo = extents;
    for (Count& extent : with_halo) extent += 2;
    return with_halo;
  }
  [[nodiscard]] Count bytes() const {
    Count product = element.extent();
    for (const Count extent : all()) product *= extent;
    return product;
  }
  [[nodiscard]] FieldView view() const {
    return halocline::view(memory.get(), element, all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  }

  Counts extents;
  Layout element;
  OwnMemory memory;
};

ExchangeOptions sharing(SharedMemory shared) { return {.shared = shared}; }

TEST(DeviceHalo, is_right_in_every_way) {
  for (const char* const nodes : {"node:1 core:64", "node:16 core:2", "node:64 core:1"})
    for (const SharedMemory shared : {SharedMemory::on, SharedMemory::buffered, SharedMemory::off})
      for (const bool periodic : {true, false}) {
        const DescribedMachine machine(nodes);
        const mpi::Comm world = shuffled_world(1);
        const Count p = world_size();
        const Cart cart(world.get(), Mesh({4 * p, 6, 5}, {periodic, periodic, periodic}),
                        Stencil::moore(3, 1));
        const DeviceArray a(cart), b(cart, 12), c(cart, 1);
        Halo halo(cart, HaloSlots{a.view(), b.view(), c.view()}, {.exchange = sharing(shared)});
        halo.verify();
      }
}

TEST(DeviceHalo, goes_straight_on_a_node_and_in_messages_without) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  const auto packed_bytes = [&](SharedMemory shared) {
    Halo halo(cart, HaloSlots{array.view()}, {.exchange = sharing(shared)});
    halo.exchange();
    const ExchangeStatistics statistics = halo.statistics();
    return statistics.node.messages;
  };
  // What goes straight to a process is one message, be it in how many blocks it may.
  const Count straight = packed_bytes(SharedMemory::on);
  EXPECT_EQ(straight, std::min<Count>(world_size() - 1, 2));
}

TEST(DeviceHalo, may_have_fields_of_the_host_beside_it) {
  const Cart cart = blocks();
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  const DeviceArray array(cart, 4);
  Halo(cart, host, array.view()).verify();
  Halo(cart, array.view(), host).verify();
}

TEST(DeviceHalo, of_fields_of_the_library) {
  (void)HostDevice::get();  // it is the device of this process
  const Cart cart = blocks();
  const FieldOptions options{.halo = HaloWidths({1, 1, 1}), .memory = FieldMemory::device};
  Field<double, 3> now(cart, options), next(cart, options);
  const Field<float, 3, Layout::Order::fortran> other(cart, options);
  EXPECT_TRUE(accelerate::what_is(now.data()));
  Halo halo(cart, rotating(now, next), other);
  halo.verify();
  std::swap(now, next);
  halo.exchange();
  halo.verify();
  if (world_size() == 1) return;
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)Field<double, 3>(cart, {.memory = world_rank() == 0 ? FieldMemory::device : FieldMemory::host});
      },
      "device");
}

TEST(DeviceHalo, may_be_on_the_device_on_some_ranks) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  std::vector<std::byte> host(static_cast<std::size_t>(array.bytes()));
  const FieldView on_host =
      view(host.data(), array.element, array.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  Halo(cart, HaloSlots{world_rank() % 2 == 0 ? array.view() : on_host}).verify();
}

TEST(DeviceHalo, follows_the_order_of_a_stream) {
  HostDevice& device = HostDevice::get();
  const Cart cart = blocks();
  const DeviceArray array(cart);
  std::vector<double> values(static_cast<std::size_t>(array.bytes()) / 8, 1.0 + world_rank()),
      seen(values.size());
  Halo halo(cart, HaloSlots{array.view()});
  const accelerate::OwnStream stream(device);
  device.copy(array.memory.get(), reinterpret_cast<const std::byte*>(values.data()), array.bytes(),
              stream.get());
  halo.start(stream.get());
  halo.wait(stream.get());
  device.copy(reinterpret_cast<std::byte*>(seen.data()), array.memory.get(), array.bytes(), stream.get());
  device.synchronize(stream.get());
  // The point before the first one along dimension 0 is of the process there.
  const auto here = cart.cell();
  const auto before = cart.decomposition()->grid().neighbor(here, Offset{-1, 0, 0});
  const Counts all = array.all();
  EXPECT_EQ(seen[static_cast<std::size_t>(all[2] + 1)],
            1.0 + static_cast<double>(everyones(
                      cart.comm(),
                      world_rank())[static_cast<std::size_t>(cart.decomposition()->grid().index(*before))]));
}

TEST(DeviceHalo, on_a_stream_and_without_take_turns) {
  HostDevice& device = HostDevice::get();
  const Cart cart = blocks();
  const DeviceArray a(cart), b(cart, 4);
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  Halo alone(cart, HaloSlots{a.view(), b.view()}), mixed(cart, a.view(), host);
  const accelerate::OwnStream stream(device);
  for (Halo* const halo : {&alone, &mixed}) {
    for (int i = 0; i < 3; ++i) {
      halo->start(stream.get());
      EXPECT_TRUE(halo->active());
      expect_error(
          Fault::invalid_argument, [&] { halo->start(stream.get()); }, "started");
      halo->wait(stream.get());
      EXPECT_FALSE(halo->active());
      halo->start(stream.get());
      halo->wait();
      halo->start(stream.get());
      while (!halo->test()) {
      }
      halo->exchange();
    }
    EXPECT_EQ(halo->statistics().exchanges, 12);
    halo->verify();
  }
}

TEST(DeviceHalo, in_c_is_the_same) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  const Counts all = array.all();
  HCL_Field field = HCL_FIELD_NULL;
  HCL_Halo halo = HCL_HALO_NULL;
  ASSERT_EQ(
      HCL_Field_attach(array.memory.get(), 3, all.data(), nullptr, nullptr, MPI_ORDER_C, MPI_DOUBLE, &field),
      MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_create(cart.comm(), 1, &field, 0, nullptr, MPI_INFO_NULL, &halo), MPI_SUCCESS);
  const accelerate::OwnStream stream(HostDevice::get());
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(HCL_Halo_start_on(halo, stream.get()), MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_wait_on(halo, stream.get()), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  HCL_Statistics statistics;
  ASSERT_EQ(HCL_Halo_statistics(halo, &statistics), MPI_SUCCESS);
  EXPECT_EQ(statistics.exchanges, 4);  // two of them to verify it
  ASSERT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST(DeviceHalo, completes_what_was_left_to_a_stream) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  const accelerate::OwnStream first(HostDevice::get()), second(HostDevice::get());
  {
    Halo halo(cart, HaloSlots{array.view()});
    for (const accelerate::OwnStream* const stream : {&first, &second, &first}) {
      halo.start(stream->get());
      halo.wait(second.get());
    }
    halo.start(first.get());
  }
  Halo(cart, HaloSlots{array.view()}).verify();
}

TEST(DeviceHalo, refuses_streams_where_there_is_no_device) {
  const Cart cart = blocks();
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  Halo halo(cart, host);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(nullptr); }, "nothing lies on one");
  halo.exchange();
  const DeviceArray array(cart);
  Halo on_device(cart, HaloSlots{array.view()});
  int nothing = 0;
  expect_error(
      Fault::invalid_argument, [&] { on_device.start(&nothing); }, "stream");
  on_device.exchange();
}

TEST(DeviceHalo, refuses_fields_that_reach_beyond_their_memory) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  FieldView beyond = array.view();
  if (world_rank() == world_size() - 1)
    beyond =
        view(array.memory.get() + 8, array.element, array.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, HaloSlots{beyond}); }, "allocation of");
}

TEST(DeviceHalo, refuses_memory_that_was_freed) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  std::optional<DeviceArray> freed(cart);
  const FieldView gone = freed->view();
  freed.reset();
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, HaloSlots{world_rank() == 0 ? gone : array.view()}); },
      "field 0", "freed");
}

TEST(DeviceHalo, without_memory_is_refused_by_all) {
  const Cart cart = blocks();
  const DeviceArray array(cart);
  for (const SharedMemory shared : {SharedMemory::on, SharedMemory::off}) {
    if (world_rank() == world_size() - 1) HostDevice::get().limit_allocations(8);
    expect_error(
        Fault::out_of_memory,
        [&] { (void)Halo(cart, HaloSlots{array.view()}, {.exchange = sharing(shared)}); }, "bytes");
    HostDevice::get().limit_allocations(std::numeric_limits<Count>::max());
    Halo(cart, HaloSlots{array.view()}, {.exchange = sharing(shared)}).verify();
  }
}

TEST(DeviceHalo, several_in_flight_and_started_again) {
  const Cart cart = blocks();
  const DeviceArray a(cart), b(cart);
  Halo first(cart, HaloSlots{a.view()}), second(cart, HaloSlots{b.view()});
  for (int i = 0; i < 20; ++i) {
    first.start();
    second.start();
    if (world_rank() % 2 == 0) {
      first.wait();
      second.wait();
    } else {
      second.wait();
      while (!first.test()) {
      }
    }
  }
  first.verify();
  second.verify();
}

}  // namespace
}  // namespace halocline::halo_device_tests
