// Halos of fields on a device, which the host's processor plays: every way, and what is refused.

#include "accelerate/devices.hpp"
#include "expect_error.hpp"
#include "halo/device_array.hpp"
#include "halocline/halo/box_halo.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/halocline.h"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/handle.hpp"
#include "support/scope.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <limits>
#include <optional>

namespace halocline::halo_device_tests {
namespace {

using accelerate::HostDevice;

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
  const Cart cart = device_row();
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
  const Cart cart = device_row();
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  const DeviceArray array(cart, 4);
  Halo(cart, host, array.view()).verify();
  Halo(cart, array.view(), host).verify();
}

TEST(DeviceHalo, of_fields_of_the_library) {
  (void)HostDevice::get();  // it is the device of this process
  const Cart cart = device_row();
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
  const Cart cart = device_row();
  const DeviceArray array(cart);
  std::vector<std::byte> host(static_cast<std::size_t>(array.bytes()));
  const FieldView on_host =
      view(host.data(), array.element, array.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  Halo(cart, HaloSlots{world_rank() % 2 == 0 ? array.view() : on_host}).verify();
}

TEST(DeviceHalo, in_c_is_the_same) {
  const Cart cart = device_row();
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

TEST(DeviceHalo, in_c_has_fields_of_the_library_in_turn) {
  (void)HostDevice::get();
  const Cart cart = device_row();
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_field", "device");
  HCL_Field fields[2] = {HCL_FIELD_NULL, HCL_FIELD_NULL};
  const void* memories[2] = {nullptr, nullptr};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(
        HCL_Field_create(cart.comm(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, info.get(), &fields[i]),
        MPI_SUCCESS);
    ASSERT_EQ(HCL_Field_get(fields[i], 3, &memories[i], nullptr, nullptr), MPI_SUCCESS);
    EXPECT_TRUE(accelerate::what_is(memories[i]));
  }
  HCL_Halo halo = HCL_HALO_NULL;
  const int two = 2;
  ASSERT_EQ(HCL_Halo_create_rotating(cart.comm(), 1, &two, fields, 0, nullptr, MPI_INFO_NULL, &halo),
            MPI_SUCCESS);
  const accelerate::OwnStream stream(HostDevice::get());
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(HCL_Halo_start_with_on(halo, &memories[i % 2], stream.get()), MPI_SUCCESS);
    ASSERT_EQ(HCL_Halo_wait_on(halo, stream.get()), MPI_SUCCESS);
  }
  ASSERT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
  for (HCL_Field& field : fields) ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
}

TEST(DeviceHalo, refuses_fields_that_reach_beyond_their_memory) {
  const Cart cart = device_row();
  const DeviceArray array(cart);
  FieldView beyond = array.view();
  if (world_rank() == world_size() - 1)
    beyond =
        view(array.memory.get() + 8, array.element, array.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, HaloSlots{beyond}); }, "allocation of");
}

TEST(DeviceHalo, refuses_memory_that_was_freed) {
  const Cart cart = device_row();
  const DeviceArray array(cart);
  std::optional<DeviceArray> freed(cart);
  const FieldView gone = freed->view();
  freed.reset();
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, HaloSlots{world_rank() == 0 ? gone : array.view()}); },
      "field 0", "freed");
}

/// That every process frees one array of its own, and all refuse it.
template <class Freed>
void expect_refused_after(const Freed& frees) {
  const Cart cart = device_row();
  const DeviceArray kept(cart);
  std::optional<DeviceArray> freed(cart);
  Halo halo(cart, HaloSlots{kept.view(), freed->view()});
  halo.verify();
  MPI_Barrier(cart.comm());  // others write into it until then
  frees(freed, cart);
  const accelerate::OwnStream stream(HostDevice::get());
  const std::array<const void*, 2> told{kept.memory.get(), freed ? freed->memory.get() : nullptr};
  const auto expect_named = [](const std::function<void()>& start) {
    expect_error(Fault::invalid_argument, start, "field 1 lay in memory", "freed after the halo was made");
  };
  expect_named([&] { halo.start(); });
  expect_named([&] { halo.start(stream.get()); });
  expect_named([&] { halo.verify(); });
  if (freed) expect_named([&] { halo.start_with(told); });
  EXPECT_FALSE(halo.active());
  MPI_Barrier(cart.comm());
}

TEST(DeviceHalo, refuses_memory_that_was_freed_since) {
  expect_refused_after([](std::optional<DeviceArray>& array, const Cart& /*cart*/) { array.reset(); });
}

TEST(DeviceHalo, refuses_other_memory_at_the_same_address) {
  expect_refused_after([](std::optional<DeviceArray>& array, const Cart& cart) {
    const std::byte* const before = array->memory.get();
    array.reset();
    array.emplace(cart);
    EXPECT_EQ(array->memory.get(), before);
  });
}

TEST(DeviceHalo, is_verified_by_none_if_one_has_freed_its_memory) {
  const Cart cart = device_row();
  std::optional<DeviceArray> array(cart);
  Halo halo(cart, HaloSlots{array->view()});
  halo.exchange();
  MPI_Barrier(cart.comm());
  if (world_rank() == world_size() - 1) array.reset();
  expect_error(
      Fault::invalid_argument, [&] { halo.verify(); }, "field 0 lay in memory");
  MPI_Barrier(cart.comm());
}

TEST(DeviceHalo, starts_again_with_a_memory_that_was_not_freed) {
  const Cart cart = device_row();
  const DeviceArray kept(cart);
  std::optional<DeviceArray> freed(cart);
  Halo halo(cart, HaloSlots{rotating(kept.view(), freed->view())});
  const void* const second = freed->memory.get();
  halo.exchange();
  MPI_Barrier(cart.comm());
  freed.reset();
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(std::array<const void*, 1>{second}); },
      "memory 1 of field 0 lay in memory");
  halo.start_with(std::array<const void*, 1>{kept.memory.get()});
  halo.wait();
  MPI_Barrier(cart.comm());
}

/// Does the allocation that had this number lie there?
bool is_allocated(const std::byte* memory, std::optional<std::uint64_t> number) {
  return HostDevice::get().allocation_number(memory) == number;
}

TEST(DeviceHalo, leaves_memory_of_the_library_until_others_have_closed_it) {
  (void)HostDevice::get();
  const Cart cart = device_row();
  const FieldOptions options{.halo = HaloWidths({1, 1, 1}), .memory = FieldMemory::device};
  for (const bool field_first : {true, false}) {
    auto field = std::make_unique<Field<double, 3>>(cart, options);
    const auto* const memory = accelerate::what_is(field->data())->base;
    const auto number = HostDevice::get().allocation_number(memory);
    auto halo = std::make_unique<Halo>(cart, *field);
    halo->exchange();
    MPI_Barrier(cart.comm());
    const auto end = [&] {
      if (field_first) field.reset();
      halo.reset();
      field.reset();
    };
    if (world_rank() == 0) end();
    EXPECT_EQ(is_allocated(memory, number), world_size() > 1);  // others have it open
    MPI_Barrier(cart.comm());
    if (world_rank() != 0) end();
    MPI_Barrier(cart.comm());
    const Field<double, 3> other(cart);
    Halo(cart, other).exchange();
    EXPECT_FALSE(is_allocated(memory, number));
  }
}

TEST(DeviceHalo, refuses_memory_of_the_host_that_ends_early) {
  (void)HostDevice::get();  // nobody looks without a device
  const Cart cart = device_row();
  const DeviceArray array(cart, 64);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto pages = (static_cast<std::size_t>(array.bytes()) + page - 1) / page;
  auto* const memory = static_cast<std::byte*>(
      mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(munmap(memory + pages * page, page), 0);
  const auto view_at = [&](std::byte* begin) {
    return view(begin, array.element, array.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  };
  std::byte* const last = memory + pages * page - array.bytes();  // its end is the end of the memory
  Halo(cart, HaloSlots{view_at(last)}).verify();
  expect_error(
      Fault::invalid_argument,
      [&] { (void)Halo(cart, HaloSlots{view_at(world_rank() == 0 ? last + 64 : last)}); }, "field 0",
      std::to_string(array.bytes()) + " bytes", "ends before");
  ASSERT_EQ(munmap(memory, pages * page), 0);
}

TEST(DeviceHalo, without_memory_is_refused_by_all) {
  const Cart cart = device_row();
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

TEST(DeviceHalo, of_boxes_is_refused) {
  const Cart cart = device_row();
  const DeviceArray a(cart);
  const Decomposition& cut = *cart.decomposition();
  const Boxes boxes = gathered_boxes(cart.comm(), cut.mesh(), {cut.box(cart.cell())});
  expect_error(
      Fault::unsupported, [&] { (void)BoxHalo(cart.comm(), boxes, {{a.view()}}); }, "field 0 on box",
      "lies on a device");
}

TEST(DeviceHalo, several_in_flight_and_started_again) {
  const Cart cart = device_row();
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
