// Packing and unpacking on a device, which the host's processor plays, beside the host's own packers.

#include "accelerate/device/strips.hpp"

#include "accelerate/cuda/loaded_libraries.hpp"
#include "accelerate/device/kept_memory.hpp"
#include "accelerate/host/host_device.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <vector>

namespace halocline::accelerate {
namespace {

std::vector<std::byte> pattern(Count bytes, unsigned seed) {
  std::vector<std::byte> all(static_cast<std::size_t>(bytes));
  for (std::byte& one : all) one = static_cast<std::byte>((seed = seed * 1664525u + 1013904223u) >> 24u);
  return all;
}

/// Layouts that fit into `room` bytes.
constexpr Count room = 4096;
std::vector<Layout> layouts() {
  const Layout number = Layout::named(Elementary::double_), byte = Layout::named(Elementary::byte);
  return {Layout::hvector(20, 1, 24, number), Layout::hvector(7, 3, 17, byte),
          Layout::hvector(3, 2, 1000, Layout::hvector(5, 1, 16, number)), Layout::contiguous(100, number),
          Layout::hvector(8, 1, 40, Layout::hvector(2, 1, 3, byte))};
}

struct OnDevice {
  explicit OnDevice(const std::vector<std::byte>& bytes)
      : memory(HostDevice::get(), OwnMemory::Kind::of_device, static_cast<Count>(bytes.size())) {
    copy_now(HostDevice::get(), memory.get(), bytes.data(), static_cast<Count>(bytes.size()));
  }
  [[nodiscard]] std::vector<std::byte> seen(std::size_t bytes) const {
    std::vector<std::byte> all(bytes);
    copy_now(HostDevice::get(), all.data(), memory.get(), static_cast<Count>(bytes));
    return all;
  }
  OwnMemory memory;
};

TEST(Strips, are_packed_as_the_host_does) {
  const std::vector<std::byte> data = pattern(room, 1);
  for (const Layout& layout : layouts()) {
    const compile::Packer packer(compile::Part{layout});
    std::vector<std::byte> expected(static_cast<std::size_t>(packer.bytes()));
    packer.pack(data.data(), expected.data());
    const OnDevice device(data);
    const KeptMemory wire(HostDevice::get(), OwnMemory::Kind::pinned, packer.bytes());
    const Strip strip{packer, device.memory.get(), wire.get(), packer.bytes()};
    for (int again = 0; again < 2; ++again) {
      move_strips(HostDevice::get(), StripDirection::pack, {&strip, 1});
      EXPECT_EQ(std::vector<std::byte>(wire.get(), wire.get() + packer.bytes()), expected);
    }
  }
}

TEST(Strips, are_unpacked_as_the_host_does_all_or_in_part) {
  for (const Layout& layout : layouts()) {
    const compile::Packer packer(compile::Part{layout});
    for (const Count bytes : {packer.bytes(), packer.bytes() / 2, Count{1}, Count{0}}) {
      const std::vector<std::byte> stream = pattern(packer.bytes(), 2), before = pattern(room, 3);
      std::vector<std::byte> expected = before;
      packer.unpack(stream.data(), expected.data(), 0, bytes);
      const OnDevice device(before), wire(stream);
      const Strip strip{packer, device.memory.get(), wire.memory.get(), bytes};
      move_strips(HostDevice::get(), StripDirection::unpack, {&strip, 1});
      EXPECT_EQ(device.seen(room), expected) << layout.to_text() << ", " << bytes << " bytes";
    }
  }
}

TEST(Strips, are_moved_together_and_more_of_them_than_are_kept) {
  const std::vector<std::byte> data = pattern(room, 4);
  const OnDevice device(data);
  std::vector<Strip> strips;
  std::vector<KeptMemory> wires;
  for (const Layout& layout : layouts()) {
    const compile::Packer packer(compile::Part{layout});
    wires.emplace_back(HostDevice::get(), OwnMemory::Kind::pinned, packer.bytes());
    strips.push_back({packer, device.memory.get(), wires.back().get(), packer.bytes()});
  }
  for (int round = 0; round < 200; ++round) {
    for (Strip& strip : strips) strip.base = device.memory.get() + round % 100;
    move_strips(HostDevice::get(), StripDirection::pack, strips);
    for (const Strip& strip : strips) {
      std::vector<std::byte> expected(static_cast<std::size_t>(strip.bytes));
      strip.packer.pack(data.data() + round % 100, expected.data());
      ASSERT_EQ(std::vector<std::byte>(strip.wire, strip.wire + strip.bytes), expected) << round;
    }
  }
}

TEST(KeptMemory, is_given_again_and_by_size) {
  HostDevice& device = HostDevice::get();
  std::byte* first = nullptr;
  {
    const KeptMemory memory(device, OwnMemory::Kind::of_device, 5000);
    first = memory.get();
  }
  KeptMemory again(device, OwnMemory::Kind::of_device, 8000);
  EXPECT_EQ(again.get(), first);
  const KeptMemory other(device, OwnMemory::Kind::of_device, 8000);
  EXPECT_NE(other.get(), first);
  KeptMemory moved = std::move(again);
  EXPECT_EQ(moved.get(), first);
  again = std::move(moved);
  EXPECT_EQ(again.get(), first);
}

TEST(LoadedLibraries, tell_of_one_that_is_opened) {
  const std::uint64_t before = libraries_opened();
  EXPECT_EQ(libraries_opened(), before);
  if (dlopen("libanl.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr ||
      dlopen("libanl.so.1", RTLD_LAZY) == nullptr)
    GTEST_SKIP() << "no library to open";
  EXPECT_NE(libraries_opened(), before);
  EXPECT_EQ(libraries_opened(), libraries_opened());
}

}  // namespace
}  // namespace halocline::accelerate
