// Fields on devices where memory has no handles, and where MPI takes addresses of devices: the way that is
// taken, and every halo cell in it. The host's processor plays the device.

#include "exchange/neighborhood/neighborhood_state.hpp"
#include "expect_error.hpp"
#include "halo/device_array.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/scope.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>

#include <sys/resource.h>

namespace halocline::halo_device_ways_tests {
namespace {

using accelerate::HostDevice;

constexpr const char* straight = "straight to processes of the node";
constexpr const char* through_buffers = "through buffers on their devices";
constexpr const char* through_host = "messages through memory of the host";
constexpr const char* from_device = "messages from memory of the device";

void expect_way(const Halo& halo, const char* way) {
  const std::string text = halo.plan().to_text();
  EXPECT_NE(text.find(way), std::string::npos) << way << " is not in\n" << text;
}

/// Something of the device for the length of a scope.
class Setting {
 public:
  Setting(void (HostDevice::*set)(bool), bool here) : set_(set) { (HostDevice::get().*set_)(here); }
  ~Setting() { (HostDevice::get().*set_)(false); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  void (HostDevice::*set_)(bool);
};

/// Sends the rank along a stream, and looks at a point that came from another process.
void expect_right_on_stream(const Cart& cart, const DeviceArray& array, Halo& halo) {
  HostDevice& device = HostDevice::get();
  const accelerate::OwnStream stream(device);
  const auto before = cart.decomposition()->grid().neighbor(cart.cell(), Offset{-1, 0, 0});
  const auto ranks = everyones(cart.comm(), world_rank());
  const auto there = static_cast<std::size_t>(cart.decomposition()->grid().index(*before));
  for (int round = 0; round < 3; ++round) {
    std::vector<double> values(static_cast<std::size_t>(array.bytes()) / 8, 100.0 * round + world_rank());
    device.copy(array.memory.get(), reinterpret_cast<const std::byte*>(values.data()), array.bytes(),
                stream.get());
    halo.start(stream.get());
    halo.wait(stream.get());
    std::vector<double> seen(values.size());
    device.copy(reinterpret_cast<std::byte*>(seen.data()), array.memory.get(), array.bytes(), stream.get());
    device.synchronize(stream.get());
    EXPECT_EQ(seen[static_cast<std::size_t>(array.all()[2] + 1)],
              100.0 * round + static_cast<double>(ranks[there]));
  }
}

TEST(StagedMessages, are_long_ones_that_are_packed_by_several_launches) {
  for (const char* const nodes : {"node:1 core:64", "node:16 core:2", "node:64 core:1"})
    for (const bool alike : {true, false}) {
      const DescribedMachine machine(nodes);
      const Count p = world_size();
      const Cart cart(MPI_COMM_WORLD, Mesh({4 * p, 60, 50}, {true, true, true}), Stencil::moore(3, 1),
                      {.fixed = {p, 1, 1}});
      const DeviceArray array(cart, 64), other(cart, 8);
      std::vector<std::byte> host(static_cast<std::size_t>(other.bytes()));
      const FieldView on_host =
          view(host.data(), other.element, other.all(), HaloWidths({1, 1, 1}), Layout::Order::c);
      const FieldView beside = alike || world_rank() % 2 == 0 ? other.view() : on_host;
      for (const StatisticsChoice statistics : {StatisticsChoice::off, StatisticsChoice::on}) {
        Halo halo(cart, HaloSlots{array.view(), beside},
                  {.exchange = {.shared = SharedMemory::off, .statistics = statistics}});
        halo.verify();
        for (int i = 0; i < 3; ++i) {
          halo.start();
          while (!halo.test()) {
          }
        }
        halo.verify();
      }
    }
}

TEST(DeviceMemoryWithoutHandles, goes_through_buffers_that_have_some) {
  for (const char* const nodes : {"node:1 core:64", "node:16 core:2", "node:64 core:1"})
    for (const bool everywhere : {true, false})
      for (const bool periodic : {true, false}) {
        const DescribedMachine machine(nodes);
        const mpi::Comm world = shuffled_world(1);
        const Count p = world_size();
        const Cart cart(world.get(), Mesh({4 * p, 6, 5}, {periodic, periodic, periodic}),
                        Stencil::moore(3, 1));
        const DeviceArray a(cart), b(cart, 12), c(cart, 1);
        if (everywhere || world_rank() == 0) HostDevice::get().keep_private(b.memory.get());
        Halo halo(cart, HaloSlots{a.view(), b.view(), c.view()});
        halo.verify();
        for (int i = 0; i < 3; ++i) halo.exchange();
        halo.verify();
        const bool alone = world_size() == 1 || std::string(nodes) == "node:64 core:1";
        expect_way(halo, alone ? straight : through_buffers);
      }
}

TEST(DeviceMemoryWithoutHandles, is_exchanged_on_streams) {
  const Cart cart = device_row();
  const DeviceArray array(cart);
  HostDevice::get().keep_private(array.memory.get());
  Halo halo(cart, HaloSlots{array.view()});
  expect_right_on_stream(cart, array, halo);
  halo.exchange();
  expect_right_on_stream(cart, array, halo);
  halo.verify();
}

TEST(DeviceMemoryWithoutHandles, waits_on_other_streams_than_it_starts_on) {
  HostDevice& device = HostDevice::get();
  const Cart cart = device_row();
  const DeviceArray array(cart);
  device.keep_private(array.memory.get());
  Halo halo(cart, HaloSlots{array.view()});
  const accelerate::OwnStream first(device), second(device);
  for (int i = 0; i < 10; ++i) {
    halo.start(first.get());
    halo.wait(i % 3 == 0 ? first.get() : second.get());
  }
  halo.start(first.get());
  halo.wait();
  halo.verify();
}

TEST(DeviceMemoryWithoutHandles, goes_through_the_host_where_the_system_has_none) {
  for (const bool everywhere : {true, false}) {
    const Setting refused(&HostDevice::refuse_handles, everywhere || world_rank() == world_size() - 1);
    const Cart cart = device_row();
    const DeviceArray array(cart);
    Halo halo(cart, HaloSlots{array.view()});
    halo.verify();
    expect_right_on_stream(cart, array, halo);
    expect_way(halo, world_size() == 1 ? straight : through_host);
  }
}

TEST(DeviceMemoryWithoutWords, is_filled_straight_by_hosts) {
  for (const bool everywhere : {true, false})
    for (const bool privately : {false, true}) {
      const Setting refused(&HostDevice::refuse_words, everywhere || world_rank() == 0);
      const Cart cart = device_row();
      const DeviceArray array(cart);
      if (privately) HostDevice::get().keep_private(array.memory.get());
      Halo halo(cart, HaloSlots{array.view()});
      halo.verify();
      if (world_size() > 1) expect_right_on_stream(cart, array, halo);
      expect_way(halo, privately && world_size() > 1 ? through_buffers : straight);
    }
}

/// Files of this process get no longer for the length of a scope.
class LongestFile {
 public:
  explicit LongestFile(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit shorter{std::min(bytes, before_.rlim_cur), before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &shorter);
  }
  ~LongestFile() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  LongestFile(const LongestFile&) = delete;
  LongestFile& operator=(const LongestFile&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(DeviceMemory, has_halos_or_is_refused_on_all_processes_if_little_memory_is_shared) {
  constexpr Count first_part = Count{256} * 1024;  // of each process in the first segment
  if (world_size() == 1) GTEST_SKIP() << "a process alone shares nothing";
  int refused = 0;
  for (Count left = 0; left <= 1536; left += 64) {
    const Cart cart = device_row();
    const DeviceArray array(cart);
    exchange::NodeMemory& memory =
        *state_of(Neighborhood(cart.comm(), Stencil::moore(3, 1)))->context->memory();
    auto others = memory.allocate(first_part - left, [](std::byte*) {});
    ASSERT_NE(others, nullptr);
    const LongestFile no_other_segment(first_part);
    try {
      Halo halo(cart, HaloSlots{array.view()});
      halo.exchange();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::out_of_memory) << error.what();
      ++refused;
    }
    const std::vector<Count> all = everyones(cart.comm(), refused);
    EXPECT_EQ(std::count(all.begin(), all.end(), refused), world_size());
    memory.retire(std::move(others), [] { return true; });
  }
  EXPECT_GT(refused, 0);
}

TEST(DeviceMessages, lie_on_the_device_where_mpi_takes_them) {
  for (const char* const nodes : {"node:1 core:64", "node:16 core:2", "node:64 core:1"})
    for (const SharedMemory shared : {SharedMemory::on, SharedMemory::buffered, SharedMemory::off})
      for (const bool privately : {false, true}) {
        const DescribedMachine machine(nodes);
        const mpi::Comm world = shuffled_world(1);
        const Cart cart(world.get(), Mesh({4 * world_size(), 6, 5}, {true, true, false}),
                        Stencil::moore(3, 1));
        const DeviceArray a(cart), b(cart, 12), c(cart, 1);
        if (privately) HostDevice::get().keep_private(a.memory.get());
        const Setting reached(&HostDevice::open_to_host, true);  // but not the fields: they were made before
        const Variable wanted("HALOCLINE_DEVICE_MESSAGES", "device");
        Halo halo(cart, HaloSlots{a.view(), b.view(), c.view()}, {.exchange = {.shared = shared}});
        halo.verify();
        expect_way(halo, from_device);
      }
}

TEST(DeviceMessages, are_long_ones_too) {
  const DescribedMachine machine("node:64 core:1");
  const Count p = world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * p, 60, 50}, {true, true, true}), Stencil::moore(3, 1),
                  {.fixed = {p, 1, 1}});
  const DeviceArray array(cart, 64);
  const Setting reached(&HostDevice::open_to_host, true);
  const Variable wanted("HALOCLINE_DEVICE_MESSAGES", "device");
  Halo(cart, HaloSlots{array.view()}).verify();
}

TEST(DeviceMessages, lie_on_the_host_unless_all_of_it_can_be_on_the_device) {
  const DescribedMachine machine("node:64 core:1");
  const Cart cart = device_row();
  const DeviceArray array(cart);
  const Field<double, 3> host(cart, {.halo = HaloWidths({1, 1, 1})});
  const auto expect_host = [](const Halo& halo) { expect_way(halo, through_host); };
  Halo by_default(cart, HaloSlots{array.view()});  // neither MPI that tests run on takes them
  expect_host(by_default);
  {
    const Variable wanted("HALOCLINE_DEVICE_MESSAGES",
                          world_size() > 1 && world_rank() == 0 ? "device" : "host");
    Halo some(cart, HaloSlots{array.view()});
    some.verify();
    expect_host(some);
  }
  const Variable wanted("HALOCLINE_DEVICE_MESSAGES", "device");
  Halo mixed(cart, array.view(), host);
  mixed.verify();
  expect_host(mixed);
  for (const ScheduleChoice schedule : {ScheduleChoice::node, ScheduleChoice::torus}) {
    Halo scheduled(cart, HaloSlots{array.view()}, {.exchange = {.schedule = schedule}});
    scheduled.verify();
    expect_host(scheduled);
  }
  Halo packed(cart, HaloSlots{array.view()}, {.exchange = {.wire = WireFormat::packed}});
  packed.verify();
  expect_host(packed);
}

TEST(DeviceMessages, are_not_asked_for_by_nonsense) {
  const Cart cart = device_row();
  const DeviceArray array(cart);
  const Variable wanted("HALOCLINE_DEVICE_MESSAGES", world_rank() == world_size() - 1 ? "nonsense" : "auto");
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, HaloSlots{array.view()}); },
      "HALOCLINE_DEVICE_MESSAGES is \"nonsense\"");
}

}  // namespace
}  // namespace halocline::halo_device_ways_tests
