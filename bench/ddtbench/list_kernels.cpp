// Lists of particles and of points, in random order as the applications have them after a while.

#include "base/fail.hpp"
#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>

namespace halocline::bench {
namespace {

/// `count` different numbers below `range`.
std::vector<int> some_of(int count, int range) {
  std::mt19937 random(static_cast<unsigned>(count + range));
  std::vector<int> all(static_cast<std::size_t>(range));
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), random);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

/// Blocks of `length` elements, one for each index.
Layout blocks(const std::vector<int>& list, Count length, const Layout& element) {
  Counts displacements(list.begin(), list.end());
  for (Count& displacement : displacements) displacement *= length;
  return Layout::indexed_block(length, displacements, element);
}

/// LAMMPS: positions, three doubles a particle, and `scalars` arrays of one double. The listed particles are
/// sent; received ones follow those that are there.
template <int scalars>
Kernel lammps(std::string name, int sent, int there) {
  const std::vector<int> list = some_of(sent, there);
  Arrays arrays;
  std::array<Count, scalars> scalar{};
  for (Count& array : scalar) array = arrays.add<double>(there + sent);
  const Count position = arrays.add<double>(Count{3} * (there + sent));
  Counts sent_offsets{position}, received_offsets{position + Count{24} * there};
  std::vector<Layout> sent_members{blocks(list, 3, double_)};
  std::vector<Layout> received_members{Layout::contiguous(Count{3} * sent, double_)};
  for (const Count array : scalar) {
    sent_offsets.push_back(array);
    received_offsets.push_back(array + Count{8} * there);
    sent_members.push_back(blocks(list, 1, double_));
    received_members.push_back(Layout::contiguous(sent, double_));
  }
  const Counts ones(sent_members.size(), 1);
  return {std::move(name),
          {Layout::structure(ones, sent_offsets, sent_members)},
          {Layout::structure(ones, received_offsets, received_members)},
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            double* __restrict to = out<double>(wire, 0);
            const double* __restrict const positions = in<double>(memory, position);
            for (const int particle : list) {
              for (int i = 0; i < 3; ++i) *to++ = positions[3 * particle + i];
              for (const Count array : scalar) *to++ = in<double>(memory, array)[particle];
            }
          },
          [=](const std::byte* wire, std::byte* memory) {
            const double* __restrict from = in<double>(wire, 0);
            double* __restrict const positions = out<double>(memory, position);
            for (int particle = there; particle < there + sent; ++particle) {
              for (int i = 0; i < 3; ++i) positions[3 * particle + i] = *from++;
              for (const Count array : scalar) out<double>(memory, array)[particle] = *from++;
            }
          },
          true};
}

template <int length>
float* pack_points(const std::vector<int>& list, const float* __restrict from, float* __restrict to) {
  int packed = 0;
  for (const int point : list)
    for (int i = 0; i < length; ++i) to[packed++] = from[length * point + i];
  return to + packed;
}

template <int length>
const float* unpack_points(const std::vector<int>& list, const float* __restrict from, float* __restrict to) {
  int packed = 0;
  for (const int point : list)
    for (int i = 0; i < length; ++i) to[length * point + i] = from[packed++];
  return from + packed;
}

/// SPECFEM3D, outer core: one float a point.
Kernel outer_core(int sent, int points) {
  const std::vector<int> list = some_of(sent, points);
  Arrays arrays;
  const Count array = arrays.add<float>(points);
  const compile::Part part{blocks(list, 1, float_), 1, array};
  return {concat("SPECFEM3D oc ", sent),
          part,
          part,
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            pack_points<1>(list, in<float>(memory, array), out<float>(wire, 0));
          },
          [=](const std::byte* wire, std::byte* memory) {
            unpack_points<1>(list, in<float>(wire, 0), out<float>(memory, array));
          }};
}

/// SPECFEM3D, crust and mantle with the inner core: three floats a point of either array.
Kernel crust_mantle(int sent, int points, int sent_inner, int points_inner) {
  const std::vector<int> list = some_of(sent, points), inner = some_of(sent_inner, points_inner);
  Arrays arrays;
  const Count crust = arrays.add<float>(Count{3} * points), core = arrays.add<float>(Count{3} * points_inner);
  const compile::Part part{
      Layout::structure({1, 1}, {crust, core}, {blocks(list, 3, float_), blocks(inner, 3, float_)})};
  return {concat("SPECFEM3D cm ", sent),
          part,
          part,
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            float* const to = pack_points<3>(list, in<float>(memory, crust), out<float>(wire, 0));
            pack_points<3>(inner, in<float>(memory, core), to);
          },
          [=](const std::byte* wire, std::byte* memory) {
            const float* const from = unpack_points<3>(list, in<float>(wire, 0), out<float>(memory, crust));
            unpack_points<3>(inner, from, out<float>(memory, core));
          }};
}

/// SPECFEM3D, "mt": every second vector of `length` floats. The loop copies vectors whose length it
/// does not know; the receiver needs none, its array is the message.
Kernel vectors(int length, int sent) {
  Arrays arrays;
  const Count from = arrays.add<float>(Count{2} * length * sent),
              to = arrays.add<float>(Count{length} * sent);
  return {concat("SPECFEM3D mt ", sent),
          {Layout::vector(sent, 1, 2, Layout::contiguous(length, float_)), 1, from},
          {Layout::contiguous(Count{length} * sent, float_), 1, to},
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            const std::size_t bytes = 4 * static_cast<std::size_t>(length);
            for (int i = 0; i < sent; ++i)
              std::memcpy(out<float>(wire, 0) + i * length, in<float>(memory, from) + 2 * i * length, bytes);
          },
          {}};
}

}  // namespace

std::vector<Kernel> list_kernels() {
  std::vector<Kernel> kernels{
      lammps<5>("LAMMPS full 3062", 3062, 3534), lammps<5>("LAMMPS full 2243", 2243, 2597),
      lammps<5>("LAMMPS full 1662", 1662, 1907), lammps<3>("LAMMPS atomic 243", 243, 4084),
      lammps<3>("LAMMPS atomic 145", 145, 2157), lammps<3>("LAMMPS atomic 114", 114, 1217)};
  for (const auto& [sent, points] : {std::pair{3225, 88881}, {1897, 38585}, {877, 12857}, {493, 3697}})
    kernels.push_back(outer_core(sent, points));
  kernels.push_back(crust_mantle(11797, 834917, 3009, 51153));
  kernels.push_back(crust_mantle(7125, 396849, 1729, 22477));
  kernels.push_back(crust_mantle(3801, 152001, 801, 7209));
  kernels.push_back(crust_mantle(1957, 39929, 245, 1225));
  for (const int sent : {7600, 6400, 5600, 6200}) kernels.push_back(vectors(3, sent));
  return kernels;
}

}  // namespace halocline::bench
