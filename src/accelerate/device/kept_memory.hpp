// SPDX-License-Identifier: BSD-3-Clause
// Memory of a device, or that it reaches, kept for the next: a driver takes longer to give it than a kernel
// to fill it.
#pragma once

#include "accelerate/device/device.hpp"

namespace halocline::accelerate {

/// Owns memory that was taken from what earlier ones left behind, as far as that goes. Any thread may make
/// one.
class KeptMemory {
 public:
  /// None.
  KeptMemory() = default;
  /// Room for so many bytes, with anything in it. Throws as Device::allocate().
  KeptMemory(Device& device, OwnMemory::Kind kind, Count bytes);
  KeptMemory(KeptMemory&& other) noexcept = default;
  KeptMemory& operator=(KeptMemory&& other) noexcept;
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;
  ~KeptMemory();

  [[nodiscard]] std::byte* get() const { return memory_.get(); }

 private:
  Device* device_ = nullptr;
  OwnMemory::Kind kind_ = OwnMemory::Kind::of_device;
  int size_class_ = 0;
  OwnMemory memory_;
};

}  // namespace halocline::accelerate
