// SPDX-License-Identifier: BSD-3-Clause
// Memory on devices that processes of a node have opened for each other. It may only be freed once the others
// have closed it, and nobody waits for others when a halo ends: what the library owns goes when all have said
// so, in memory that they share.
#pragma once

#include "accelerate/device/device.hpp"
#include "exchange/memory/node_memory.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace halocline::exchange {

class DeviceLoan {
 public:
  DeviceLoan() = default;
  DeviceLoan(const DeviceLoan&) = delete;
  DeviceLoan& operator=(const DeviceLoan&) = delete;
  /// Closes what this process has opened, says so, and leaves its own memory to be freed when the others have
  /// done the same: at once, if they are about to do it, or with one of the next exchanges that are made.
  ~DeviceLoan();

  accelerate::OwnMemory words = {};                     ///< By which streams wait for each other.
  accelerate::OwnMemory incoming = {};                  ///< Where others write, if not into fields.
  std::vector<std::shared_ptr<void>> fields = {};       ///< Of the library, which others write into.
  std::vector<std::shared_ptr<std::byte>> opened = {};  ///< What is open here of the others.

  /// Room in an arena that every process of the node has: one flag for each of them.
  [[nodiscard]] static Count flag_bytes(std::size_t processes) {
    return static_cast<Count>(processes * sizeof(std::uint64_t));
  }
  /// From now on others may have opened it. Flags begin at an offset of every process's part of the arena,
  /// all of them 0; peers are numbers in it, and so is the own one. @param keeper of the memory that is
  /// shared
  void lend(NodeMemory& memory, std::shared_ptr<const void> keeper, std::unique_ptr<NodeMemory::Arena> arena,
            Count flags, std::vector<std::size_t> peers, std::size_t own);

 private:
  [[nodiscard]] std::uint64_t* flag(std::byte* part, std::size_t of) const {
    return reinterpret_cast<std::uint64_t*>(part + flags_) + of;
  }

  std::shared_ptr<const void> keeper_;
  NodeMemory* memory_ = nullptr;
  std::unique_ptr<NodeMemory::Arena> arena_;
  Count flags_ = 0;
  std::vector<std::size_t> peers_;
  std::size_t own_ = 0;
};

}  // namespace halocline::exchange
