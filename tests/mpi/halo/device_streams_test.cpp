// Halos of fields on a device in the order of streams. The device is the host's processor, whose streams do
// nothing before somebody asks for them.

#include "accelerate/host/host_device.hpp"
#include "expect_error.hpp"
#include "halo/device_rounds.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <random>
#include <vector>

namespace halocline::halo_device_streams_tests {
namespace {

using namespace device_rounds;
using accelerate::OwnStream;

TEST(DeviceStreams, are_followed_in_their_order) {
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart);
  std::vector<double> values(static_cast<std::size_t>(array.bytes()) / 8, 1.0 + world_rank()),
      seen(values.size());
  Halo halo(cart, HaloSlots{array.view()});
  const OwnStream stream(device);
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

TEST(DeviceStreams, and_none_take_turns) {
  const Driver driver("stream");
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray a(cart), b(cart, 4);
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  Halo alone(cart, HaloSlots{a.view(), b.view()}), mixed(cart, a.view(), host);
  const OwnStream stream(device);
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

TEST(DeviceStreams, are_waited_for_in_the_end) {
  const Driver driver("stream");
  const Cart cart = device_row();
  const DeviceArray array(cart);
  const OwnStream first(HostDevice::get()), second(HostDevice::get());
  {
    Halo halo(cart, HaloSlots{array.view()});
    for (const OwnStream* const stream : {&first, &second, &first}) {
      halo.start(stream->get());
      halo.wait(second.get());
    }
    halo.start(first.get());
  }
  Halo(cart, HaloSlots{array.view()}).verify();
}

TEST(DeviceStreams, are_refused_where_there_is_no_device) {
  const Cart cart = device_row();
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

TEST(DeviceStreams, are_followed_where_fields_of_the_host_rotate_beside) {
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  std::deque<DeviceArray> arrays;
  std::deque<Field<double, 3>> hosts;
  for (int i = 0; i < 3; ++i) {  // more ways to combine them than are exchanged together
    arrays.emplace_back(cart);
    hosts.emplace_back(cart, FieldOptions{.halo = HaloWidths({1, 1, 1})});
  }
  Halo halo(cart, rotating(arrays[0].view(), arrays[1].view(), arrays[2].view()),
            rotating(hosts[0], hosts[1], hosts[2]));
  const OwnStream stream(device);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Rounds rounds(cart, arrays[i]);
      rounds.fill(stream.get());
      const std::array<const void*, 2> now{arrays[i].view().origin(), hosts[j].storage().view().origin()};
      halo.start_with(now, stream.get());
      halo.wait(stream.get());
      rounds.look(stream.get());
      device.synchronize(stream.get());
      rounds.expect_all();
    }
  halo.verify();
}

TEST(DeviceStreams, of_another_device_are_refused_and_the_right_ones_waited_for_then) {
  const Driver driver("stream");
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart);
  Halo halo(cart, HaloSlots{array.view()});
  Rounds rounds(cart, array);
  const OwnStream stream(device);
  int nothing = 0;
  for (int i = 0; i < 3; ++i) {
    rounds.fill(stream.get());
    halo.start(stream.get());
    expect_error(
        Fault::invalid_argument, [&] { halo.wait(&nothing); }, "stream");
    EXPECT_TRUE(halo.active());
    halo.wait(stream.get());
    EXPECT_FALSE(halo.active());
    rounds.look(stream.get());
  }
  device.synchronize(stream.get());
  rounds.expect_all();
}

TEST(DeviceStreams, of_some_ranks_meet_the_hosts_of_others) {
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart);
  for (unsigned seed = 1; seed < 20; ++seed) {
    std::mt19937 random(1000 * seed + static_cast<unsigned>(world_rank()));
    const Driver driver(random() % 4 == 0 ? "host" : "stream");
    const OwnStream first(device), second(device);
    const std::array<accelerate::Stream, 4> choices{nullptr, first.get(), first.get(), second.get()};
    Halo halo(cart, HaloSlots{array.view()});
    Rounds rounds(cart, array);
    for (int round = 0; round < 12; ++round) {
      const accelerate::Stream stream = choices[random() % choices.size()];
      if (stream == nullptr) device.synchronize_all();
      rounds.fill(stream);
      if (stream == nullptr) {
        device.synchronize(nullptr);
        halo.exchange();
      } else {
        halo.start(stream);
        halo.wait(stream);
      }
      rounds.look(stream);
      device.order(stream, stream == first.get() ? second.get() : first.get());
    }
    device.synchronize_all();
    rounds.expect_all();
  }
}

TEST(DeviceStreams, that_alternate_hold_no_host_back) {
  const Driver driver("stream");
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart);
  Halo halo(cart, HaloSlots{array.view()});
  const OwnStream first(device), second(device);
  const auto leave_to = [&](const OwnStream& stream) {
    halo.start(stream.get());
    halo.wait(stream.get());
  };
  leave_to(first);
  leave_to(second);  // from now on it is known that they alternate
  for (int i = 0; i < 3; ++i) {
    LateLook look(array, first.get());
    leave_to(first);
    leave_to(second);
    EXPECT_FALSE(device.finished(second.get()));
    look.let_go();
    device.synchronize(second.get());  // behind the first one
  }
  halo.verify();
}

TEST(DeviceStreams, are_not_waited_for_when_another_halo_is_made) {
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart), other(cart);
  LateLook look(array, nullptr);  // the default stream has work for as long as the creation takes
  {
    const Halo halo(cart, HaloSlots{other.view()});
    const Field<double, 3> field(cart, {.halo = HaloWidths({1, 1, 1}), .memory = FieldMemory::device});
  }
  look.let_go();
  device.synchronize(nullptr);
  Halo(cart, HaloSlots{other.view()}).verify();
}

/// Halos are not written while the process that has them still has work that may read them.
void expect_closed_until_done(Halo& halo, const DeviceArray& array, accelerate::Stream stream) {
  HostDevice& device = HostDevice::get();
  Values before(static_cast<std::size_t>(array.bytes()) / 8, -1.0 - world_rank());
  device.copy(array.memory.get(), bytes_of(before), array.bytes(), nullptr);
  device.synchronize(nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() != 0) {
    halo.start();
    for (int i = 0; i < 1000; ++i) (void)halo.test();
    MPI_Barrier(MPI_COMM_WORLD);
    return halo.wait();
  }
  LateLook look(array, stream);
  halo.start(stream);
  MPI_Barrier(MPI_COMM_WORLD);
  look.let_go();
  halo.wait();
  device.synchronize(stream);
  EXPECT_EQ(look.seen, before);
}

TEST(DeviceStreams, are_over_before_others_write_into_halos) {
  const Driver driver("stream");
  const Cart cart = device_row();
  const DeviceArray array(cart);
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  Halo alone(cart, HaloSlots{array.view()}), mixed(cart, array.view(), host);
  const OwnStream stream(HostDevice::get());
  expect_closed_until_done(mixed, array, stream.get());
  expect_closed_until_done(alone, array, stream.get());
}

TEST(DeviceStreams, that_are_busy_at_a_start_without_one_are_found_by_verification) {
  HostDevice& device = HostDevice::get();
  setenv("HALOCLINE_VERIFY", "1", 1);
  const Cart cart = device_row();
  const DeviceArray array(cart);
  Halo halo(cart, HaloSlots{array.view()});
  unsetenv("HALOCLINE_VERIFY");
  LateLook look(array, nullptr);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "default stream", "are not done");
  look.let_go();
  device.synchronize(nullptr);
  halo.exchange();
}

}  // namespace
}  // namespace halocline::halo_device_streams_tests
