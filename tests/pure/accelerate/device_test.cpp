// What every device does. That of the host is always there, GPUs where there is a driver.
#include "accelerate/device.hpp"

#include "../expect_error.hpp"
#include "accelerate/cuda_device.hpp"
#include "accelerate/host_device.hpp"
#include "accelerate/transfer.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace halocline::accelerate {
namespace {

Count address(const void* memory) { return static_cast<Count>(reinterpret_cast<std::intptr_t>(memory)); }

class Devices : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "host")
      device = &HostDevice::get();
    else if (cuda_devices() == 0)
      GTEST_SKIP() << "no GPU here";
    else
      device = &cuda_device(0);
  }
  [[nodiscard]] OwnMemory memory(Count bytes) const { return {*device, OwnMemory::Kind::of_device, bytes}; }
  [[nodiscard]] OwnMemory pinned(Count bytes) const { return {*device, OwnMemory::Kind::pinned, bytes}; }

  Device* device = nullptr;
};

TEST_P(Devices, tell_their_memory_from_the_hosts) {
  const OwnMemory mine = memory(1000), staging = pinned(1000);
  const auto found = what_is(mine.get() + 999);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->device, device);
  EXPECT_EQ(found->base, mine.get());
  EXPECT_GE(found->bytes, 1000);
  EXPECT_FALSE(what_is(staging.get()));
  EXPECT_FALSE(what_is(this));
  EXPECT_FALSE(what_is(nullptr));
}

TEST_P(Devices, copy_and_transfer_in_the_order_of_a_stream) {
  constexpr Count values = 3000;
  const OwnMemory mine = memory(values * 8), staging = pinned(values * 8);
  auto* const host = reinterpret_cast<Count*>(staging.get());
  std::iota(host, host + values, 0);
  const OwnStream stream(*device);
  device->copy(mine.get(), staging.get(), values * 8, stream.get());
  // Every third value to the front of the staging memory.
  const Transfer gather(*device, {{address(mine.get()), address(host), 8, {{values / 3, 24, 8}}}});
  EXPECT_EQ(gather.bytes(), values / 3 * 8);
  gather.launch(stream.get());
  device->synchronize(stream.get());
  EXPECT_TRUE(device->finished(stream.get()));
  for (Count i = 0; i < values / 3; ++i) ASSERT_EQ(host[i], 3 * i);
  ASSERT_EQ(host[values / 3], values / 3);
}

TEST_P(Devices, order_one_stream_after_another) {
  const OwnMemory mine = memory(8), staging = pinned(16);
  auto* const host = reinterpret_cast<Count*>(staging.get());
  host[0] = 4711;
  host[1] = 0;
  const OwnStream first(*device), then(*device);
  device->copy(mine.get(), staging.get(), 8, first.get());
  device->order(first.get(), then.get());
  device->copy(staging.get() + 8, mine.get(), 8, then.get());
  while (!device->finished(then.get())) {
  }
  EXPECT_EQ(host[1], 4711);
}

TEST_P(Devices, refuse_streams_that_are_not_theirs) {
  if (GetParam() != "host") GTEST_SKIP() << "a driver may crash on an address that is no stream";
  int nothing = 0;
  expect_error(
      Fault::invalid_argument, [&] { device->require_own(&nothing); }, "stream", "not one of");
  device->require_own(nullptr);
}

TEST_P(Devices, refuse_memory_that_nobody_has) {
  expect_error(
      Fault::out_of_memory, [&] { (void)device->allocate(Count{1} << 50); }, "1125899906842624 bytes");
}

INSTANTIATE_TEST_SUITE_P(All, Devices, testing::Values("host", "cuda"),
                         [](const auto& device) { return device.param; });

TEST(HostDevice, keeps_the_processor_out_of_its_memory) {
  HostDevice& device = HostDevice::get();
  const OwnMemory mine(device, OwnMemory::Kind::of_device, 64);
  EXPECT_DEATH(*mine.get() = std::byte{1}, "");
}

TEST(HostDevice, does_nothing_before_it_is_asked_for) {
  HostDevice& device = HostDevice::get();
  const OwnMemory mine(device, OwnMemory::Kind::of_device, 8);
  const OwnStream stream(device);
  Count sent = 1, back = 0;
  device.copy(mine.get(), reinterpret_cast<const std::byte*>(&sent), 8, stream.get());
  sent = 2;
  device.copy(reinterpret_cast<std::byte*>(&back), mine.get(), 8, stream.get());
  EXPECT_EQ(back, 0);
  EXPECT_FALSE(device.finished(stream.get()));
  device.synchronize(stream.get());
  EXPECT_EQ(back, 2);
}

TEST(HostDevice, opens_memory_of_other_processes_and_not_its_own) {
  HostDevice& device = HostDevice::get();
  const OwnMemory mine(device, OwnMemory::Kind::of_device, 8);
  const auto handle = device.exported(*what_is(mine.get()));
  ASSERT_TRUE(handle);
  EXPECT_EQ(device.opened(*handle), nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const std::shared_ptr<std::byte> theirs = device.opened(*handle);
    const Count value = 99;
    bool fine = theirs != nullptr && theirs == device.opened(*handle) && what_is(theirs.get());
    if (fine) device.copy(theirs.get(), reinterpret_cast<const std::byte*>(&value), 8, nullptr);
    if (fine) device.synchronize(nullptr);
    _exit(fine ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  Count seen = 0;
  device.copy(reinterpret_cast<std::byte*>(&seen), mine.get(), 8, nullptr);
  device.synchronize(nullptr);
  EXPECT_EQ(seen, 99);
  EXPECT_FALSE(device.exported({&device, mine.get() + 8, 8}));
}

}  // namespace
}  // namespace halocline::accelerate
