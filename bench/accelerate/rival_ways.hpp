// What codes do by hand with halos on a GPU.
#pragma once

#include "accelerate/transfer.hpp"
#include "device_grid.hpp"

#include <memory>

namespace halocline::bench {

class RivalWay {
 public:
  RivalWay() = default;
  RivalWay(const RivalWay&) = delete;
  RivalWay& operator=(const RivalWay&) = delete;
  virtual ~RivalWay() = default;
  virtual void exchange() = 0;
};

/// A strided copy for each region and field to the host, messages, and as many copies back. Null without a
/// GPU.
[[nodiscard]] std::unique_ptr<RivalWay> strided_copies(const DeviceGrid& grid);
/// One kernel packs into memory of the device, one copy to the host, messages, one copy back, one kernel
/// unpacks.
[[nodiscard]] std::unique_ptr<RivalWay> packed_copies(const DeviceGrid& grid);

/// All that is sent, offset after offset, to contiguous memory from an address on; and back.
[[nodiscard]] std::vector<accelerate::Move> gathered(const DeviceGrid& grid, const std::byte* to);
[[nodiscard]] std::vector<accelerate::Move> scattered(const DeviceGrid& grid, const std::byte* from);

}  // namespace halocline::bench
