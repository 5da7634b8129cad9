// SPDX-License-Identifier: BSD-3-Clause
// What messages carry of fields on a device, packed and unpacked by several launches: what the first has
// packed is on its way while the others work, and what has come is unpacked while the rest is under way.
#pragma once

#include "accelerate/device/transfer.hpp"
#include "halocline/describe/grid.hpp"

#include <cstdint>
#include <vector>

namespace halocline::exchange {

/// What one launch does: all for, or from, some processes.
struct DeviceBatch {
  std::vector<Rank> peers;
  std::vector<accelerate::Move> moves;
};

/// Packs, and tells the host by a word in its own memory when a launch is done: that takes no call of the
/// driver.
class DeviceGathers {
 public:
  /// Of nothing.
  DeviceGathers() = default;
  DeviceGathers(accelerate::Device& device, const std::vector<DeviceBatch>& batches);

  [[nodiscard]] bool empty() const { return batches_.empty(); }
  /// Begins all of them. @pre those of the last time are done
  void launch(accelerate::Stream stream);
  /// Is all packed that is for a process? Throws if the device has failed.
  [[nodiscard]] bool packed(Rank peer);
  [[nodiscard]] bool all_packed();

 private:
  struct Batch {
    std::vector<Rank> peers;
    accelerate::Transfer transfer;
    accelerate::News news;
    std::uint64_t* word;  ///< Has the number of its last launch that is done.
    bool done = true;
  };
  [[nodiscard]] bool look(Batch& batch);

  accelerate::Device* device_ = nullptr;
  accelerate::OwnMemory words_;  ///< Of all batches, pinned.
  std::vector<Batch> batches_;
  accelerate::Stream stream_ = nullptr;
  std::uint64_t launches_ = 0;
  unsigned looks_in_vain_ = 0;
};

/// Unpacks what has arrived.
class DeviceScatters {
 public:
  DeviceScatters() = default;
  DeviceScatters(accelerate::Device& device, const std::vector<DeviceBatch>& batches);

  [[nodiscard]] bool empty() const { return batches_.empty(); }
  /// Does it pay to be told of each arrival?
  [[nodiscard]] bool several() const { return batches_.size() > 1; }
  void begin();
  /// All has come from a process. Unpacks what waited for that.
  void arrived(Rank peer, accelerate::Stream stream);
  /// All has come from everybody.
  void finish(accelerate::Stream stream);

 private:
  struct Batch {
    std::vector<Rank> peers;
    accelerate::Transfer transfer;
    std::size_t missing = 0;
    bool launched = true;
  };
  static void launch(Batch& batch, accelerate::Stream stream);

  std::vector<Batch> batches_;
};

}  // namespace halocline::exchange
