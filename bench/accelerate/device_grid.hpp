// A periodic grid of processes, each with some fields of n^3 numbers on a device, and what must be in them.
#pragma once

#include "accelerate/device.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

#include <mpi.h>

#include <array>
#include <vector>

namespace halocline::bench {

/// Halos are one point wide, on all sides; 26 neighbours.
class DeviceGrid {
 public:
  DeviceGrid(accelerate::Device& device, Count points, Count fields);
  ~DeviceGrid() { MPI_Comm_free(&comm_); }
  DeviceGrid(const DeviceGrid&) = delete;
  DeviceGrid& operator=(const DeviceGrid&) = delete;

  [[nodiscard]] accelerate::Device& device() const { return device_; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] Count points() const { return points_; }
  [[nodiscard]] Count pitch() const { return points_ + 2; }
  [[nodiscard]] std::size_t fields() const { return memories_.size(); }
  [[nodiscard]] std::byte* memory(std::size_t field) const { return memories_[field].get(); }
  [[nodiscard]] std::vector<FieldView> views() const;

  /// What goes along an offset, or comes along it: the first point, with the halo counted, and how many there
  /// are.
  struct Region {
    std::array<Count, 3> first, count;
    [[nodiscard]] Count points() const { return count[0] * count[1] * count[2]; }
  };
  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }
  [[nodiscard]] Region sent(const Offset& offset) const;
  [[nodiscard]] Region received(const Offset& offset) const;
  [[nodiscard]] int neighbour(const Offset& offset) const;

  /// Own points get numbers of their own, halos nothing that a point has.
  void fill() const;
  /// How many points of all fields are not what they must be after an exchange; of all processes. Collective.
  [[nodiscard]] Count wrong() const;

 private:
  [[nodiscard]] Count field_bytes() const { return pitch() * pitch() * pitch() * 8; }
  [[nodiscard]] double value(std::size_t field, Count x, Count y, Count z) const;
  template <class Visit>
  void for_each_point(const Visit& visit) const;

  accelerate::Device& device_;
  Count points_;
  std::array<int, 3> dims_{}, cell_{};
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<accelerate::OwnMemory> memories_;
  std::vector<Offset> offsets_;
};

}  // namespace halocline::bench
