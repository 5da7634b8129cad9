// Who drives an exchange that was started on a stream of a device, the stream or the host: alike on all
// processes. The device is the host's processor.

#include "expect_error.hpp"
#include "halo/device_rounds.hpp"
#include "halocline/halo/halo.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace halocline::halo_device_drivers_tests {
namespace {

using namespace device_rounds;
using accelerate::OwnStream;

/// Is something left to a stream when wait(stream) returns? Not where the host drives.
bool leaves_work(const Cart& cart) {
  HostDevice& device = HostDevice::get();
  const DeviceArray array(cart);
  const OwnStream stream(device);
  Halo halo(cart, HaloSlots{array.view()});
  Values values(static_cast<std::size_t>(array.bytes()) / 8, 1.0);
  for (int i = 0; i < 2; ++i)  // a look does one piece of work
    device.copy(array.memory.get(), bytes_of(values), array.bytes(), stream.get());
  halo.start(stream.get());
  halo.wait(stream.get());
  const bool left = !device.finished(stream.get());
  device.synchronize(stream.get());
  halo.verify();
  return left;
}

/// Where the device sits, as others hear, for the length of a scope.
class Place {
 public:
  explicit Place(std::optional<Count> place) { HostDevice::get().pretend_place(place); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { HostDevice::get().pretend_place(0); }
};

TEST(DeviceDrivers, are_those_that_are_told) {
  const Cart cart = device_row();
  const auto leaves_work_told = [&](const char* word) {
    const Driver driver(word);
    return leaves_work(cart);
  };
  EXPECT_TRUE(leaves_work_told("stream"));
  EXPECT_FALSE(leaves_work_told("host"));
  EXPECT_EQ(leaves_work_told("auto"), world_size() <= 2);
  expect_error(
      Fault::invalid_argument, [&] { (void)leaves_work_told(world_rank() == 0 ? "captain" : "host"); },
      "HALOCLINE_DRIVER=captain");
}

TEST(DeviceDrivers, are_alike_in_a_row_with_two_ends) {
  const Cart cart = device_row(false);
  const DeviceArray array(cart);
  Halo halo(cart, HaloSlots{array.view()});
  HostDevice& device = HostDevice::get();
  const OwnStream stream(device);
  Values values(static_cast<std::size_t>(array.bytes()) / 8, 1.0);
  for (int i = 0; i < 3; ++i) {
    for (int copy = 0; copy < 4; ++copy)  // so that hosts that drive have to come back
      device.copy(array.memory.get(), bytes_of(values), array.bytes(), stream.get());
    halo.start(stream.get());
    device.synchronize(stream.get());
    MPI_Barrier(MPI_COMM_WORLD);  // a stream that waited for a host would be waited for here for ever
    halo.wait(stream.get());
    device.synchronize(stream.get());
  }
  halo.verify();
  EXPECT_EQ(leaves_work(cart), world_size() <= 2);
}

TEST(DeviceDrivers, follow_from_how_many_share_a_device) {
  const Cart cart = device_row();
  {
    const Place own(world_rank());
    EXPECT_EQ(leaves_work(cart), true);
  }
  {
    const Place of_two(world_rank() / 2);
    EXPECT_EQ(leaves_work(cart), true);
  }
  {
    const Place of_all_but_one(world_rank() == 0 ? 1 : 0);
    EXPECT_EQ(leaves_work(cart), world_size() <= 3);
  }
  const Place unknown(world_rank() == 0 ? std::nullopt : std::optional<Count>(world_rank()));
  EXPECT_EQ(leaves_work(cart), world_size() <= 2);
}

TEST(DeviceDrivers, are_hosts_where_times_are_taken) {
  const Cart cart = device_row();
  const DeviceArray array(cart);
  for (const bool mixed : {true, false}) {
    const Driver driver(mixed && world_rank() % 2 == 1 ? "host" : "stream");
    const OwnStream stream(HostDevice::get());
    Halo halo(cart, HaloSlots{array.view()}, {.exchange = {.statistics = StatisticsChoice::on}});
    Rounds rounds(cart, array);
    for (int round = 0; round < 3; ++round) {
      rounds.fill(stream.get());
      halo.start(stream.get());
      halo.wait(stream.get());
      rounds.look(stream.get());
    }
    HostDevice::get().synchronize(stream.get());
    rounds.expect_all();
    const ExchangeStatistics statistics = halo.statistics();
    EXPECT_TRUE(statistics.timed);
    EXPECT_EQ(statistics.exchanges, 3);
    EXPECT_GT(statistics.pack_seconds + statistics.late_seconds + statistics.transfer_seconds, 0);
  }
}

}  // namespace
}  // namespace halocline::halo_device_drivers_tests
