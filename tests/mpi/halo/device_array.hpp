// Arrays on a device that the host's processor plays.
#pragma once

#include "accelerate/host/host_device.hpp"
#include "halocline/halo/field_view.hpp"
#include "halocline/mpi/cart.hpp"
#include "support/world.hpp"

namespace halocline {

/// A row of all processes, with 4 x 6 x 5 points each.
inline Cart device_row(bool periodic = true) {
  const Count p = world_size();
  return {MPI_COMM_WORLD,
          Mesh({4 * p, 6, 5}, {periodic, periodic, periodic}),
          Stencil::moore(3, 1),
          {.fixed = {p, 1, 1}}};
}

/// An array on the device with room for halos of one point.
struct DeviceArray {
  explicit DeviceArray(const Cart& cart, Count element_bytes = 8)
      : extents(cart.decomposition()->box(cart.cell()).extents),
        element(Layout::contiguous(element_bytes, Layout::named(Elementary::byte))),
        memory(accelerate::HostDevice::get(), accelerate::OwnMemory::Kind::of_device, bytes()) {}

  [[nodiscard]] Counts all() const {
    Counts with_halo = extents;
    for (Count& extent : with_halo) extent += 2;
    return with_halo;
  }
  [[nodiscard]] Count bytes() const {
    Count product = element.extent();
    for (const Count extent : all()) product *= extent;
    return product;
  }
  [[nodiscard]] FieldView view() const {
    return halocline::view(memory.get(), element, all(), HaloWidths({1, 1, 1}), Layout::Order::c);
  }

  Counts extents;
  Layout element;
  accelerate::OwnMemory memory;
};

}  // namespace halocline
