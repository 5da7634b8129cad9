// SPDX-License-Identifier: BSD-3-Clause
// A number that tells whether two runs gave the same answer to the last bit, however the points are shared
// out.
#pragma once

#include <mpi.h>
#include <halocline/halocline.hpp>

#include <cinttypes>
#include <cstring>
#include <string>

namespace example {

/// The sum, modulo 2^64, of a hash of every point's number and bits: addition of integers knows no order.
class Checksum {
 public:
  template <class T>
  void add(halocline::Count point, const T& value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    sum_ += mixed(bits ^ mixed(static_cast<std::uint64_t>(point)));
  }
  /// The own points of a field on the mesh.
  template <class T, std::size_t Rank>
  void add(const halocline::Mesh& mesh, const halocline::Field<T, Rank>& field) {
    for_each_point(field.box(), [&](const halocline::Cell& local, const halocline::Cell& global) {
      add(mesh.index(global), *static_cast<const T*>(field.storage().view().at(local)));
    });
  }

  /// Over all processes; the first one gets it.
  [[nodiscard]] std::string total() const {
    std::uint64_t all = 0;
    MPI_Reduce(&sum_, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, all);
    return text;
  }

  /// visit(local, global) for the points of a box, row by row.
  template <class Visit>
  static void for_each_point(const halocline::Box& box, const Visit& visit) {
    halocline::Cell local(box.first.size(), 0), global = box.first;
    for (;;) {
      visit(local, global);
      std::size_t d = local.size();
      for (; d > 0; --d) {
        ++global[d - 1];
        if (++local[d - 1] < box.extents[d - 1]) break;
        local[d - 1] = 0;
        global[d - 1] = box.first[d - 1];
      }
      if (d == 0) return;
    }
  }

 private:
  /// The finalizer of splitmix64: a bijection in which every bit depends on every other.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30u)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27u)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31u);
  }

  std::uint64_t sum_ = 0;
};

}  // namespace example
