// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/pack_contest.hpp"

#include "base/numbers.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/datatypes/datatype.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/median.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace halocline::tools {
namespace {

mpi::Datatype committed(mpi::Datatype type) {
  MPI_Datatype handle = type.get();
  HALOCLINE_MPI(Type_commit, &handle);
  return type;
}

mpi::Datatype vector_of(int count, int length, int stride) {
  mpi::Datatype type;
  HALOCLINE_MPI(Type_vector, count, length, stride, MPI_DOUBLE, type.put());
  return committed(std::move(type));
}

/// Every 16th point of a plane, more or less: steps of 11 to 21 that do not repeat soon.
mpi::Datatype scattered(int side) {
  std::vector<int> places;
  for (int place = 0, step = 0; place < side * side; ++step) {
    places.push_back(place);
    place += 11 + step * 7 % 11;
  }
  mpi::Datatype type;
  HALOCLINE_MPI(Type_create_indexed_block, to_int(places.size()), 1, places.data(), MPI_DOUBLE, type.put());
  return committed(std::move(type));
}

mpi::Datatype inner_box(int side) {
  const std::array<int, 3> whole{side, side, side}, part{side - 2, 2, side - 2}, first{1, 0, 1};
  mpi::Datatype type;
  HALOCLINE_MPI(Type_create_subarray, 3, whole.data(), part.data(), first.data(), MPI_ORDER_C, MPI_DOUBLE,
                type.put());
  return committed(std::move(type));
}

/// Packing waits for nobody, so that the processor's clock is the one to read.
template <class Pack>
double batch_seconds(int packs, const Pack& pack) {
  return seconds_of(processor_clock, pack, packs);
}

}  // namespace

std::span<const PackPattern> pack_patterns() {
  static constexpr std::array table{
      PackPattern{"plane", "across the slowest dimension: contiguous",
                  [](int n) { return vector_of(1, n * n, n * n); }},
      PackPattern{"rows", "across the middle dimension: rows", [](int n) { return vector_of(n, n, n * n); }},
      PackPattern{"columns", "across the fastest dimension: single points",
                  [](int n) { return vector_of(n * n, 1, n); }},
      PackPattern{"wide-columns", "the same, two points deep", [](int n) { return vector_of(n * n, 2, n); }},
      PackPattern{"edge", "an edge along the slowest dimension",
                  [](int n) { return vector_of(n, 1, n * n); }},
      PackPattern{"inner-rows", "rows without their ends, two deep: a subarray", inner_box},
      PackPattern{"scattered", "single points by a list of displacements", scattered},
  };
  return table;
}

PackTimes pack_times(MPI_Comm comm, MPI_Datatype type, int side, double budget_seconds) {
  const auto points = to_size(side) * to_size(side) * to_size(side);
  std::vector<double> cube(points);
  for (std::size_t i = 0; i < points; ++i) cube[i] = to_double(i);
  const compile::Packer packer(compile::Part{mpi::layout_of(type), 1});
  int room = 0;
  HALOCLINE_MPI(Pack_size, 1, type, comm, &room);
  std::vector<std::byte> wire(to_size(packer.bytes())), theirs(to_size(room));
  int position = 0;
  const auto pack_ours = [&] { packer.pack(reinterpret_cast<const std::byte*>(cube.data()), wire.data()); };
  const auto pack_theirs = [&] {
    position = 0;
    HALOCLINE_MPI(Pack, cube.data(), 1, type, theirs.data(), room, &position, comm);
  };
  double estimate = 1;
  for (int i = 0; i < 3; ++i)  // the first is slow, any may be disturbed
    estimate = std::min(estimate, batch_seconds(2, pack_ours) + batch_seconds(2, pack_theirs));
  constexpr int batches = 25;
  const int packs = static_cast<int>(
      std::clamp(budget_seconds / batches / std::max(estimate, 1e-8), 1.0, to_double(1 << 20)));
  std::vector<double> ours, mpi, ratios;
  for (int batch = 0; batch < batches; ++batch) {
    ours.push_back(batch_seconds(packs, pack_ours));
    mpi.push_back(batch_seconds(packs, pack_theirs));
    ratios.push_back(mpi.back() / ours.back());
  }
  const bool same =
      to_count(position) == packer.bytes() && std::equal(wire.begin(), wire.end(), theirs.begin());
  return {median(ours), median(mpi), median(ratios), to_int(packer.bytes()), same};
}

}  // namespace halocline::tools
