// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/device/kept_memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace halocline::accelerate {
namespace {

/// What nobody has at the moment, by device, kind and size: powers of two.
class Store {
 public:
  /// Lives as long as the process: the driver may be gone before objects of other files are destroyed.
  static Store& of_process() {
    static Store& store = *new Store;
    return store;
  }

  static int size_class(Count bytes) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(bytes, least) - 1)));
  }
  static Count room(int size_class) { return Count{1} << size_class; }

  OwnMemory take(Device& device, OwnMemory::Kind kind, int size_class) {
    {
      const std::scoped_lock lock(mutex_);
      std::vector<OwnMemory>& free = free_[{&device, kind, size_class}];
      if (!free.empty()) {
        OwnMemory taken = std::move(free.back());
        free.pop_back();
        kept_ -= room(size_class);
        return taken;
      }
    }
    return {device, kind, room(size_class)};
  }

  void give_back(Device& device, OwnMemory::Kind kind, int size_class, OwnMemory memory) noexcept {
    const std::scoped_lock lock(mutex_);
    if (kept_ + room(size_class) > most_kept) return;
    try {
      free_[{&device, kind, size_class}].push_back(std::move(memory));
      kept_ += room(size_class);
    } catch (const std::bad_alloc&) {  // then it is freed
    }
  }

 private:
  static constexpr Count least = 256, most_kept = Count{128} << 20;
  std::mutex mutex_;
  std::map<std::tuple<Device*, OwnMemory::Kind, int>, std::vector<OwnMemory>> free_;
  Count kept_ = 0;
};

}  // namespace

KeptMemory::KeptMemory(Device& device, OwnMemory::Kind kind, Count bytes)
    : device_(&device),
      kind_(kind),
      size_class_(Store::size_class(bytes)),
      memory_(Store::of_process().take(device, kind, size_class_)) {}

KeptMemory& KeptMemory::operator=(KeptMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(kind_, other.kind_);
  std::swap(size_class_, other.size_class_);
  std::swap(memory_, other.memory_);
  return *this;
}

KeptMemory::~KeptMemory() {
  if (memory_.get() != nullptr)
    Store::of_process().give_back(*device_, kind_, size_class_, std::move(memory_));
}

}  // namespace halocline::accelerate
