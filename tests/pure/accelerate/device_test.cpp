// What every device does. That of the host is always there, GPUs where there is a driver.
#include "accelerate/device/device.hpp"
#include "accelerate/devices.hpp"

#include "../expect_error.hpp"
#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/device/transfer.hpp"
#include "accelerate/host/host_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
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

TEST_P(Devices, do_first_what_is_on_the_default_stream) {
  const OwnMemory mine = memory(8), staging = pinned(16);
  auto* const host = reinterpret_cast<Count*>(staging.get());
  host[0] = 4711;
  host[1] = 0;
  const OwnStream stream(*device);
  device->copy(mine.get(), staging.get(), 8, nullptr);
  device->copy(staging.get() + 8, mine.get(), 8, stream.get());
  device->synchronize(stream.get());
  EXPECT_EQ(host[1], 4711);
}

TEST_P(Devices, wait_for_words_that_another_stream_writes) {
  constexpr Count large = Count{1} << 40;  // needs more than 32 bits
  const OwnMemory words = memory(16), staging = pinned(16);
  auto* const host = reinterpret_cast<Count*>(staging.get());
  host[0] = host[1] = 0;
  device->copy(words.get(), staging.get(), 16, nullptr);
  device->synchronize(nullptr);
  auto* const word = reinterpret_cast<std::uint64_t*>(words.get());
  const std::vector<Signal> low{{word, large - 1}}, reached{{word, large}, {word + 1, 1}};
  const OwnStream first(*device), then(*device);
  device->signal(low, reached, then.get());
  device->copy(staging.get() + 8, words.get(), 8, then.get());
  EXPECT_FALSE(device->finished(then.get()));
  device->signal({reached.data(), 1}, {}, first.get());
  device->synchronize(first.get());
  EXPECT_FALSE(device->finished(then.get()));  // the other word is still 0
  device->signal({reached.data() + 1, 1}, {}, first.get());
  device->synchronize(then.get());
  EXPECT_EQ(host[1], large);
}

TEST_P(Devices, wait_for_more_words_than_drivers_take_at_once) {
  constexpr std::size_t count = 700;
  const OwnMemory words = memory(count * 8), staging = pinned((count + 1) * 8);
  auto* const host = reinterpret_cast<std::uint64_t*>(staging.get());
  std::fill_n(host, count + 1, std::uint64_t{0});
  device->copy(words.get(), staging.get(), count * 8, nullptr);
  device->synchronize(nullptr);
  std::vector<Signal> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({reinterpret_cast<std::uint64_t*>(words.get()) + i, i + 1});
  const std::span<const Signal> first(all.data(), 400), rest(all.data() + 400, 300);
  const OwnStream one(*device), other(*device);
  // Each waits for what the other writes: so nobody may wait before it has written all of its own.
  device->signal(first, rest, one.get());
  device->copy(staging.get() + count * 8, words.get() + (count - 1) * 8, 8, one.get());
  EXPECT_FALSE(device->finished(one.get()));
  device->signal(rest, first, other.get());
  device->synchronize(other.get());
  device->synchronize(one.get());
  EXPECT_EQ(host[count], count);
}

TEST_P(Devices, tell_words_when_all_tiles_of_a_launch_are_done) {
  constexpr Count values = Count{1} << 20;
  const OwnMemory mine = memory(values * 8), words = memory(24), staging = pinned(values * 8),
                  seen = pinned(24);
  const std::span<Count> host(reinterpret_cast<Count*>(staging.get()), values);
  auto* const last = reinterpret_cast<Count*>(seen.get());
  std::fill_n(last, 3, Count{0});
  device->copy(words.get(), seen.get(), 24, nullptr);
  device->synchronize(nullptr);
  auto* const word = reinterpret_cast<std::uint64_t*>(words.get());
  const std::vector<Signal> told{{word, 0}, {word + 2, 0}};
  const News news(*device, told);
  const Transfer fill(*device, {{address(staging.get()), address(mine.get()), values * 8, {}}});
  const OwnStream stream(*device), other(*device);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    std::fill(host.begin(), host.end(), static_cast<Count>(round) * 100);
    fill.launch(stream.get(), news, round);
    const std::vector<Signal> awaited{{word, round}, {word + 2, round}};
    device->signal({}, awaited, other.get());
    device->copy(seen.get(), mine.get() + (values - 1) * 8, 8, other.get());
    device->copy(seen.get() + 8, words.get() + 8, 8, other.get());
    device->synchronize(other.get());
    EXPECT_EQ(last[0], static_cast<Count>(round) * 100);
    EXPECT_EQ(last[1], 0);  // the word between them
  }
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
