#include "layouts.hpp"

#include "base/fail.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <numeric>
#include <random>

namespace halocline::bench {
namespace {

using compile::Part;

const Layout double_ = Layout::named(Elementary::double_);
const Layout float_ = Layout::named(Elementary::float_);

template <class T>
const T* in(const std::byte* memory, Count offset = 0) {
  return reinterpret_cast<const T*>(memory + offset);
}
template <class T>
T* out(std::byte* memory, Count offset = 0) {
  return reinterpret_cast<T*>(memory + offset);
}

Count end_of(const std::vector<Part>& parts) {
  Count end = 0;
  for (const auto& [layout, count, offset] : parts)
    end = std::max(end, offset + layout.true_ub() + (count - 1) * std::max<Count>(layout.extent(), 0));
  return end;
}

/// One loop body for both directions: `walk(visit)` calls visit(memory index, wire index).
template <class T, class Walk>
PackCase with_loop(std::string name, std::vector<Part> parts, Walk walk) {
  const Count bytes = end_of(parts);
  return {std::move(name), std::move(parts), bytes,
          [walk](const std::byte* memory, std::byte* wire) {
            const T* __restrict from = in<T>(memory);
            T* __restrict to = out<T>(wire);
            walk([&](Count m, Count w) { to[w] = from[m]; });
          },
          [walk](const std::byte* wire, std::byte* memory) {
            const T* __restrict from = in<T>(wire);
            T* __restrict to = out<T>(memory);
            walk([&](Count m, Count w) { to[m] = from[w]; });
          }};
}

template <class T>
PackCase vector_case(std::string name, Count count, Count length, Count stride, const Layout& element) {
  return with_loop<T>(std::move(name), {{Layout::vector(count, length, stride, element)}},
                      [=](const auto& visit) {
                        for (Count i = 0; i < count; ++i)
                          for (Count j = 0; j < length; ++j) visit(i * stride + j, i * length + j);
                      });
}

using Box = std::array<Count, 3>;

/// A box inside a row-major array.
template <class T>
PackCase box_case(std::string name, Box sizes, Box part, Box starts, const Layout& element) {
  return with_loop<T>(std::move(name),
                      {{Layout::subarray({sizes.begin(), sizes.end()}, {part.begin(), part.end()},
                                         {starts.begin(), starts.end()}, Layout::Order::c, element)}},
                      [=](const auto& visit) {
                        Count w = 0;
                        for (Count i = 0; i < part[0]; ++i)
                          for (Count j = 0; j < part[1]; ++j)
                            for (Count k = 0; k < part[2]; ++k)
                              visit(((starts[0] + i) * sizes[1] + starts[1] + j) * sizes[2] + starts[2] + k,
                                    w++);
                      });
}

/// `count` different indices below `range`, some of them neighbours, as lists of particles or points have
/// them.
Counts some_indices(Count count, Count range, bool sorted) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count + range));
  Counts all(static_cast<std::size_t>(range));
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), random);
  all.resize(static_cast<std::size_t>(count));
  if (sorted) std::sort(all.begin(), all.end());
  return all;
}

template <class T>
PackCase list_case(std::string name, Count count, Count range, Count length, bool sorted,
                   const Layout& element) {
  const Counts indices = some_indices(count, range, sorted);
  Counts displacements = indices;
  for (Count& displacement : displacements) displacement *= length;
  std::vector<int> list(indices.begin(), indices.end());
  return with_loop<T>(std::move(name), {{Layout::indexed_block(length, displacements, element)}},
                      [list, length](const auto& visit) {
                        Count w = 0;
                        for (const int index : list)
                          for (Count j = 0; j < length; ++j) visit(index * length + j, w++);
                      });
}

/// Several arrays of particles, the same indices of each: `lengths` values for every particle. The packed
/// stream has one array after the other.
template <class T>
PackCase particles_case(std::string name, Count count, Count range, const Counts& lengths,
                        const Layout& element) {
  const Counts indices = some_indices(count, range, true);
  std::vector<Layout> members;
  Counts offsets;
  Counts starts;
  Count start = 0;  // of the array, in elements
  for (const Count length : lengths) {
    Counts displacements = indices;
    for (Count& displacement : displacements) displacement *= length;
    members.push_back(Layout::indexed_block(length, displacements, element));
    starts.push_back(start);
    offsets.push_back(start * static_cast<Count>(sizeof(T)));
    start += range * length;
  }
  std::vector<int> list(indices.begin(), indices.end());
  return with_loop<T>(std::move(name), {{Layout::structure(Counts(lengths.size(), 1), offsets, members)}},
                      [list, lengths, starts](const auto& visit) {
                        Count w = 0;
                        for (std::size_t a = 0; a < lengths.size(); ++a) {
                          const Count length = lengths[a];
                          const Count base = starts[a];
                          if (length == 1) {
                            for (const int index : list) visit(base + index, w++);
                          } else {
                            for (const int index : list)
                              for (Count j = 0; j < length; ++j) visit(base + index * length + j, w++);
                          }
                        }
                      });
}

/// WRF: the same border of 2-D, 3-D and 4-D arrays of float, one after the other. Along x the border is a few
/// neighbouring cells of every row, along y a few whole rows.
PackCase wrf_case(std::string name, Count width_x, Count width_y) {
  constexpr Count nx = 128, ny = 100, levels = 28, species = 3;
  struct Array {
    Count outer;   // planes: levels, or species times levels
    Count middle;  // rows
  };
  const std::vector<Array> arrays{{1, ny}, {1, ny}, {levels, ny}, {levels, ny}, {species * levels, ny}};
  std::vector<Layout> members;
  Counts offsets;
  Counts starts;
  Count start = 0;
  for (const auto& [outer, middle] : arrays) {
    members.push_back(Layout::subarray({outer, middle, nx}, {outer, width_y, width_x}, {0, 3, 3},
                                       Layout::Order::c, float_));
    starts.push_back(start);
    offsets.push_back(start * 4);
    start += outer * middle * nx;
  }
  return with_loop<float>(std::move(name), {{Layout::structure(Counts(arrays.size(), 1), offsets, members)}},
                          [=](const auto& visit) {
                            Count w = 0;
                            for (std::size_t a = 0; a < arrays.size(); ++a)
                              for (Count i = 0; i < arrays[a].outer; ++i)
                                for (Count j = 0; j < width_y; ++j)
                                  for (Count k = 0; k < width_x; ++k)
                                    visit(starts[a] + (i * ny + 3 + j) * nx + 3 + k, w++);
                          });
}

/// MILC: of a four-dimensional lattice of vectors of 6 floats, half a slice.
PackCase milc_case(std::string name, Count outer, Count outer_stride, Count count, Count length,
                   Count stride) {
  const Layout site = Layout::contiguous(6, float_);
  return with_loop<float>(
      std::move(name),
      {{Layout::hvector(outer, 1, outer_stride, Layout::vector(count, length, stride, site))}},
      [=](const auto& visit) {
        Count w = 0;
        for (Count o = 0; o < outer; ++o)
          for (Count i = 0; i < count; ++i)
            for (Count j = 0; j < 6 * length; ++j) visit(o * outer_stride / 4 + i * stride * 6 + j, w++);
      });
}

/// FFT: the columns of a block of a matrix of complex numbers, column after column.
PackCase transpose_case(std::string name, Count rows, Count columns, Count pitch) {
  using Complex = std::complex<double>;
  const Layout complex = Layout::named(Elementary::c_double_complex);
  const Layout column = Layout::resized(0, sizeof(Complex), Layout::vector(rows, 1, pitch, complex));
  return with_loop<Complex>(std::move(name), {{Layout::contiguous(columns, column)}}, [=](const auto& visit) {
    Count w = 0;
    for (Count j = 0; j < columns; ++j)
      for (Count i = 0; i < rows; ++i) visit(i * pitch + j, w++);
  });
}

/// An array of structures with holes.
struct Cell {
  std::int32_t kind;
  double value;
  float weights[3];
};

PackCase structures_case(std::string name, Count count) {
  const Layout cell = Layout::resized(
      0, sizeof(Cell),
      Layout::structure({1, 1, 2}, {0, 8, 16}, {Layout::named(Elementary::int_), double_, float_}));
  constexpr Count packed = 20;
  return {std::move(name),
          {{cell, count}},
          count * static_cast<Count>(sizeof(Cell)),
          [=](const std::byte* memory, std::byte* wire) {
            const Cell* __restrict cells = in<Cell>(memory);
            for (Count i = 0; i < count; ++i, wire += packed) {
              std::memcpy(wire, &cells[i].kind, 4);
              std::memcpy(wire + 4, &cells[i].value, 8);
              std::memcpy(wire + 12, cells[i].weights, 8);
            }
          },
          [=](const std::byte* wire, std::byte* memory) {
            Cell* __restrict cells = out<Cell>(memory);
            for (Count i = 0; i < count; ++i, wire += packed) {
              std::memcpy(&cells[i].kind, wire, 4);
              std::memcpy(&cells[i].value, wire + 4, 8);
              std::memcpy(cells[i].weights, wire + 12, 8);
            }
          }};
}

}  // namespace

std::vector<PackCase> pack_cases() {
  std::vector<PackCase> cases;
  const auto add = [&](PackCase next) { cases.push_back(std::move(next)); };
  add(vector_case<double>("vector 1000 x 8 B by 16 B", 1000, 1, 2, double_));
  add(vector_case<double>("vector 1000 x 8 B by 1040 B", 1000, 1, 130, double_));
  add(vector_case<double>("vector 500 x 16 B by 64 B", 500, 2, 8, double_));
  add(vector_case<double>("vector 300 x 24 B by 80 B", 300, 3, 10, double_));
  add(vector_case<double>("vector 200 x 64 B by 256 B", 200, 8, 32, double_));
  add(vector_case<double>("vector 100 x 256 B by 512 B", 100, 32, 64, double_));
  add(vector_case<double>("vector 100 x 432 B by 1 KiB", 100, 54, 128, double_));
  add(vector_case<double>("vector 32 x 2 KiB by 8 KiB", 32, 256, 1024, double_));
  add(box_case<double>("face x of 128^3", {128, 128, 128}, {128, 128, 1}, {0, 0, 3}, double_));
  add(box_case<double>("face y of 128^3", {128, 128, 128}, {128, 1, 128}, {0, 3, 0}, double_));
  add(box_case<double>("face z of 128^3", {128, 128, 128}, {1, 128, 128}, {3, 0, 0}, double_));
  add(box_case<double>("face x of 128^3 with margin", {130, 130, 130}, {128, 128, 1}, {1, 1, 1}, double_));
  add(box_case<double>("face y of 128^3 with margin", {130, 130, 130}, {128, 1, 128}, {1, 1, 1}, double_));
  add(box_case<double>("face z of 128^3 with margin", {130, 130, 130}, {1, 128, 128}, {1, 1, 1}, double_));
  add(box_case<double>("face x of 32^3, 2 wide", {36, 36, 36}, {32, 32, 2}, {2, 2, 2}, double_));
  add(milc_case("MILC su3 zdown", 2, 24576, 8, 8, 32));
  add(milc_case("MILC su3 xdown", 8, 24576, 64, 1, 8));
  add(list_case<double>("indexed 1000 x 8 B", 1000, 10000, 1, true, double_));
  add(list_case<double>("indexed 1000 x 8 B, unsorted", 1000, 10000, 1, false, double_));
  add(list_case<double>("indexed 1000 x 24 B", 1000, 10000, 3, true, double_));
  add(wrf_case("WRF x", 3, 94));
  add(wrf_case("WRF y", 122, 3));
  add(vector_case<double>("NAS LU x", 1, 5 * 64, 5 * 64, double_));
  add(vector_case<double>("NAS LU y", 64, 5, 5 * 66, double_));
  add(box_case<double>("NAS MG x", {66, 66, 66}, {64, 64, 1}, {1, 1, 1}, double_));
  add(box_case<double>("NAS MG y", {66, 66, 66}, {64, 1, 66}, {1, 1, 0}, double_));
  add(box_case<double>("NAS MG z", {66, 66, 66}, {1, 66, 66}, {1, 0, 0}, double_));
  add(particles_case<double>("LAMMPS full", 1500, 6000, {3, 1, 1, 1, 1, 1}, double_));
  add(particles_case<double>("LAMMPS atomic", 1500, 6000, {3, 1, 1, 1}, double_));
  add(list_case<float>("SPECFEM3D oc", 2000, 9000, 1, true, float_));
  add(particles_case<float>("SPECFEM3D cm", 1000, 9000, {3, 3}, float_));
  add(with_loop<float>("SPECFEM3D mt", {{Layout::vector(2000, 1, 2, Layout::contiguous(3, float_))}},
                       [](const auto& visit) {
                         for (Count i = 0; i < 2000; ++i)
                           for (Count j = 0; j < 3; ++j) visit(6 * i + j, 3 * i + j);
                       }));
  add(transpose_case("FFT transpose 64 x 64 of 256", 64, 64, 256));
  add(structures_case("structures with holes", 1000));
  add(vector_case<float>("tiny: 2 x 4 B", 2, 1, 3, float_));
  add(vector_case<double>("tiny: 4 x 8 B", 4, 1, 9, double_));
  add(vector_case<double>("tiny: 1 x 48 B", 1, 6, 6, double_));
  add(list_case<double>("tiny: indexed 5 x 8 B", 5, 50, 1, true, double_));
  return cases;
}

PackCase halo_case(Count side, int fields) {
  const Count padded = side + 2;
  const Count field_cells = padded * padded * padded;
  struct Region {
    Box starts;
    Box part;
    Count field;
  };
  std::vector<Region> regions;
  std::vector<Part> parts;
  const auto range = [&](int towards) -> std::pair<Count, Count> {
    if (towards == 0) return {1, side};
    return {towards < 0 ? 1 : side, 1};
  };
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const auto [sx, nx] = range(x);
        const auto [sy, ny] = range(y);
        const auto [sz, nz] = range(z);
        for (Count field = 0; field < fields; ++field) {
          regions.push_back({{sx, sy, sz}, {nx, ny, nz}, field});
          parts.push_back(
              {Layout::subarray(Counts(3, padded), {nx, ny, nz}, {sx, sy, sz}, Layout::Order::c, double_), 1,
               field * field_cells * 8});
        }
      }
  return with_loop<double>(
      concat("halo ", side, "^3, 26 neighbours x ", fields), std::move(parts), [=](const auto& visit) {
        Count w = 0;
        for (const auto& [starts, part, field] : regions)
          for (Count i = 0; i < part[0]; ++i)
            for (Count j = 0; j < part[1]; ++j)
              for (Count k = 0; k < part[2]; ++k)
                visit(
                    field * field_cells + ((starts[0] + i) * padded + starts[1] + j) * padded + starts[2] + k,
                    w++);
      });
}

}  // namespace halocline::bench
