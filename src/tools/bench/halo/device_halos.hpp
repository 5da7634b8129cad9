// SPDX-License-Identifier: BSD-3-Clause
// The halos of fields on a device: ours beside what programs do, and beside what the device can do at all.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/bench/rivals/device_rivals.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::tools {

struct DeviceHaloWay {
  std::string_view name, summary;
};
/// All that there are, in the order of the table.
[[nodiscard]] std::span<const DeviceHaloWay> device_halo_ways();

/// The fields and competitors for one problem, whose arrays are those of the host: what the device has is
/// seen there.
class DeviceHalos {
 public:
  /// Checks what each way leaves in the halos. Throws the same Error on every rank if that is wrong on any.
  /// Collective.
  DeviceHalos(const Cart& cart, const HaloProblem& seen, const std::vector<std::string>& ways,
              accelerate::Device& device, accelerate::OwnMemory::Kind kind);
  DeviceHalos(const DeviceHalos&) = delete;
  DeviceHalos& operator=(const DeviceHalos&) = delete;
  /// Collective.
  ~DeviceHalos();

  [[nodiscard]] const std::vector<Contestant>& contestants() const { return contestants_; }

 private:
  [[nodiscard]] Contestant contestant(const std::string& way);
  [[nodiscard]] Contestant ours(const std::string& way, SharedMemory shared);
  [[nodiscard]] const std::shared_ptr<Halo>& straight();
  void check(const Competitor& way);
  void check_packed();
  /// All arrays, from the host to the device or back.
  void copy(bool to_device);

  const Cart& cart_;
  HaloProblem seen_, problem_;
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  std::vector<accelerate::OwnMemory> memories_;
  std::shared_ptr<Halo> straight_;
  std::shared_ptr<PackingAlone> packing_;
  std::vector<Contestant> contestants_;
};

}  // namespace halocline::tools
