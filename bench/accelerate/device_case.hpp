// A layout on a device, to be packed and unpacked by the transfer kernel, which reads what it does from a
// table, and by kernels that were made for it.
#pragma once

#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/device/transfer.hpp"
#include "compile/layouts.hpp"
#include "made_code.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::bench {

/// What a compiler makes of moves.
struct Made {
  std::string name;
  Count blocks = 0;
  void* function = nullptr;  ///< Null where nobody can make it.
};

/// Moves by the table, and made of the same in every way that may be the best.
struct Direction {
  accelerate::Transfer table;
  std::vector<Made> made = {};
};

/// One layout on the device: memory, and its bytes side by side, which begin anywhere.
class DeviceCase {
 public:
  /// @pre the layout lives as long
  DeviceCase(accelerate::Device& device, const PackCase& of, Count wire_offset);

  /// The source of kernels for it, whose names begin with this one.
  std::string make(const std::string& name);

  [[nodiscard]] Direction& direction(bool packs) { return packs ? pack_ : unpack_; }
  [[nodiscard]] Count bytes() const { return form_.bytes(); }
  /// A halo sends some points to several neighbours, so that unpacking it would write them from several
  /// threads.
  [[nodiscard]] bool unpacks() const { return of_.parts.size() == 1; }

  void launch_made(const accelerate::CudaDriver& driver, const Made& made, bool packs,
                   accelerate::Stream stream) const;

  /// Runs either kernel on random bytes. Throws Error{internal} if it leaves others behind than the host's
  /// packer does, in its memory or between.
  void check(bool packs, const std::function<void()>& run) const;

 private:
  [[nodiscard]] Count wire_bytes() const { return form_.bytes() + wire_offset_; }

  accelerate::Device& device_;
  const PackCase& of_;
  compile::Canonical form_;
  Count wire_offset_;
  accelerate::OwnMemory memory_, wire_;
  Direction pack_, unpack_;
};

}  // namespace halocline::bench
