// SPDX-License-Identifier: BSD-3-Clause
// What programs do by hand with halos on a device: the ways that ours are measured against.
#pragma once

#include "accelerate/device/transfer.hpp"
#include "tools/bench/rivals/rival_halos.hpp"

#include <vector>

namespace halocline::tools {

/// A message for each neighbour, from and to pinned memory of the host. The arrays of the problem lie on the
/// device.
class PinnedMessages {
 public:
  PinnedMessages(const HaloProblem& problem, accelerate::Device& device);
  void run();

  [[nodiscard]] Count bytes() const { return bytes_; }
  [[nodiscard]] std::byte* sent() const { return sent_.get(); }
  [[nodiscard]] std::byte* received() const { return received_.get(); }

 private:
  MPI_Comm comm_;
  exchange::Neighbours neighbours_;
  Counts firsts_;  ///< Of each neighbour, and the end.
  Count bytes_;
  accelerate::OwnMemory sent_, received_;
  std::vector<MPI_Request> requests_;
};

/// A strided copy for each neighbour and array to the host, messages, and as many copies back.
class StridedCopies {
 public:
  StridedCopies(const HaloProblem& problem, accelerate::Device& device);
  void run();

 private:
  /// A box of an array, and its bytes one after the other.
  struct CopiedBox {
    std::byte *array, *wire;
    Count depth, height, width_bytes;
    Count pitch_bytes, rows;  ///< Of the array.
  };
  [[nodiscard]] static CopiedBox box(const HaloProblem& problem, const HaloProblem::PointBox& part,
                                     double* array, std::byte* wire);
  void copy(const CopiedBox& box, bool to_host);
  void copy_by_driver(const CopiedBox& box, bool to_host);
  void copy_rows(const CopiedBox& box, bool to_host);

  struct DriverBox;
  int (*copy_box_)(const DriverBox* box, void* stream) = nullptr;  ///< None where the host plays the device.
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  PinnedMessages messages_;
  std::vector<CopiedBox> sent_, received_;
};

/// One kernel packs into memory of the device, one copy to the host, messages, one copy back, one kernel
/// unpacks.
class PackedCopies {
 public:
  PackedCopies(const HaloProblem& problem, accelerate::Device& device);
  void run();

 private:
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  PinnedMessages messages_;
  accelerate::OwnMemory buffer_;
  accelerate::Transfer pack_, unpack_;
};

/// All that is sent, packed by one kernel into memory of the device; and a plain copy of as many bytes there,
/// which is as fast as the device copies. Neither exchanges anything.
class PackingAlone {
 public:
  PackingAlone(const HaloProblem& problem, accelerate::Device& device);
  void pack();
  void copy();
  /// What the last pack has left: for each neighbour, array after array.
  [[nodiscard]] std::vector<double> packed() const;

 private:
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  Count bytes_;
  accelerate::OwnMemory to_, from_;
  accelerate::Transfer pack_;
};

}  // namespace halocline::tools
