// Arrays on the device that the host plays, whose values tell the round and the process, and who drives their
// exchanges.
#pragma once

#include "accelerate/host/host_device.hpp"
#include "halo/device_array.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <vector>

namespace halocline::device_rounds {

using accelerate::HostDevice;
using Values = std::vector<double>;

inline std::byte* bytes_of(Values& values) { return reinterpret_cast<std::byte*>(values.data()); }

/// Who drives the exchanges of halos that this process makes meanwhile.
class Driver {
 public:
  explicit Driver(const char* word) { setenv("HALOCLINE_DRIVER", word, 1); }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() { unsetenv("HALOCLINE_DRIVER"); }
};

/// One array whose points all have a number for each round and process, and what was seen of it.
class Rounds {
 public:
  Rounds(const Cart& cart, const DeviceArray& array)
      : cart_(cart), array_(array), worlds_(everyones(cart.comm(), world_rank())) {}

  /// Copies the values of the next round there, in the order of a stream.
  void fill(accelerate::Stream stream) {
    values_.emplace_back(points(), number(values_.size(), world_rank()));
    HostDevice::get().copy(array_.memory.get(), bytes_of(values_.back()), array_.bytes(), stream);
  }
  void look(accelerate::Stream stream) {
    seen_.emplace_back(points());
    HostDevice::get().copy(bytes_of(seen_.back()), array_.memory.get(), array_.bytes(), stream);
  }
  /// In all rounds every point of the halo was the neighbour's.
  void expect_all() const {
    ASSERT_EQ(seen_.size(), values_.size());
    for (std::size_t round = 0; round < seen_.size(); ++round)
      for (std::size_t point = 0; point < points(); ++point)
        ASSERT_EQ(seen_[round][point], number(round, owner(point)))
            << "round " << round << ", point " << point;
  }

 private:
  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(array_.bytes()) / 8; }
  static double number(std::size_t round, Count rank) {
    return 1000.0 * static_cast<double>(round + 1) + static_cast<double>(rank);
  }
  [[nodiscard]] Count owner(std::size_t point) const {
    const Counts all = array_.all();
    auto rest = static_cast<Count>(point);
    Offset offset(3);
    for (std::size_t d = 3; d-- > 0; rest /= all[d]) {
      const Count x = rest % all[d];
      offset[d] = x == 0 ? -1 : x + 1 == all[d] ? 1 : 0;
    }
    const Grid& grid = cart_.decomposition()->grid();
    return worlds_[static_cast<std::size_t>(grid.index(*grid.neighbor(cart_.cell(), offset)))];
  }

  const Cart& cart_;
  const DeviceArray& array_;
  std::vector<Count> worlds_;
  std::deque<Values> values_, seen_;  // streams know where they are
};

/// Work of this process that waits until it is let go, and then looks at an array.
class LateLook {
 public:
  LateLook(const DeviceArray& array, accelerate::Stream stream)
      : word_(HostDevice::get(), accelerate::OwnMemory::Kind::of_device, 8),
        seen(static_cast<std::size_t>(array.bytes()) / 8) {
    word() = 0;
    const accelerate::Signal awaited{reinterpret_cast<std::uint64_t*>(word_.get()), 1};
    HostDevice::get().signal({}, {&awaited, 1}, stream);
    HostDevice::get().copy(bytes_of(seen), array.memory.get(), array.bytes(), stream);
  }
  void let_go() { word() = 1; }

 private:
  [[nodiscard]] std::uint64_t& word() const {
    return *reinterpret_cast<std::uint64_t*>(
        HostDevice::get().reached(reinterpret_cast<std::uintptr_t>(word_.get())));
  }
  accelerate::OwnMemory word_;

 public:
  Values seen;
};

}  // namespace halocline::device_rounds
