// The 69 kernels of DDTBench ("Micro-Applications for Communication Data Access Patterns and MPI Datatypes",
// EuroMPI 2012): which data applications send, at the sizes of that suite. Layouts, arrays and loops are
// written anew from these facts.
#pragma once

#include "compile/form/canonical.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::bench {

/// What one process sends and receives. Most applications receive elsewhere than they send from, some in
/// another layout.
struct Kernel {
  std::string name;
  compile::Part sent;
  compile::Part received;
  Count memory_bytes;  ///< Of all arrays together, which are one piece of memory.
  std::function<void(const std::byte* memory, std::byte* wire)> pack_by_hand;
  /// Empty where the application receives in place.
  std::function<void(const std::byte* wire, std::byte* memory)> unpack_by_hand;
  /// The loop goes from particle to particle, the datatype from array to array: the same data in another
  /// order.
  bool own_order = false;
};

/// Arrays one after the other as malloc hands them out: 16 bytes of its own in front of each.
class Arrays {
 public:
  /// Where the next array begins.
  template <class Element>
  [[nodiscard]] Count add(Count elements) {
    const Count start = bytes_ + 16;
    bytes_ = (start + elements * static_cast<Count>(sizeof(Element)) + 15) / 16 * 16;
    return start;
  }
  [[nodiscard]] Count bytes() const { return bytes_; }

 private:
  Count bytes_ = 0;
};

inline const Layout double_ = Layout::named(Elementary::double_);
inline const Layout float_ = Layout::named(Elementary::float_);

/// The numbers of an array that begins `offset` bytes into the memory.
template <class T>
const T* in(const std::byte* memory, Count offset) {
  return reinterpret_cast<const T*>(memory + offset);
}
template <class T>
T* out(std::byte* memory, Count offset) {
  return reinterpret_cast<T*>(memory + offset);
}

/// WRF, MILC, NAS LU, NAS MG and the transpose of a Fourier transform: boxes in arrays.
[[nodiscard]] std::vector<Kernel> mesh_kernels();
/// LAMMPS and SPECFEM3D: lists of particles and of points.
[[nodiscard]] std::vector<Kernel> list_kernels();

}  // namespace halocline::bench
