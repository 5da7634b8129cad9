// Boxes in arrays. The loops by hand know what a programmer of that application does: how many numbers a cell
// has, but not how large the arrays are.

#include "base/fail.hpp"
#include "kernels.hpp"

#include <array>
#include <complex>
#include <cstring>

namespace halocline::bench {
namespace {

/// WRF: a border of four 2-D, three 3-D and two 4-D arrays of float. Of the 4-D arrays, which have two
/// species, the second one is sent.
struct WrfGrid {
  int columns, levels, rows;  ///< Of an array, the fastest first.
  int first_column, sent_columns;
  int first_row, sent_rows;  ///< All levels are sent.

  static constexpr int flat_arrays = 4;
  static constexpr int deep_arrays = 5;
  [[nodiscard]] Count plane() const { return Count{columns} * rows; }
};

/// Where the sent part of each array begins to be looked for: the array itself, of a 4-D one its second
/// species.
struct WrfArrays {
  std::array<Count, WrfGrid::flat_arrays> flat;
  std::array<Count, WrfGrid::deep_arrays> deep;
  std::array<Count, WrfGrid::deep_arrays> deep_arrays;  ///< Their beginnings.
  Count bytes;
};

WrfArrays wrf_arrays(const WrfGrid& grid) {
  WrfArrays result{};
  Arrays arrays;
  for (Count& start : result.flat) start = arrays.add<float>(grid.plane());
  const Count volume = grid.plane() * grid.levels;
  for (std::size_t i = 0; i < result.deep.size(); ++i) {
    const bool species = i >= 3;
    result.deep_arrays[i] = arrays.add<float>(species ? 2 * volume : volume);
    result.deep[i] = result.deep_arrays[i] + (species ? volume * 4 : 0);
  }
  result.bytes = arrays.bytes();
  return result;
}

/// Packs one array of so many levels, and says where the next one goes.
float* pack_box(const WrfGrid& grid, int levels, const float* __restrict from, float* __restrict to) {
  const int columns = grid.columns;
  const int first = grid.first_column, end = first + grid.sent_columns;
  const int first_row = grid.first_row, end_row = first_row + grid.sent_rows;
  int packed = 0;
  for (int row = first_row; row < end_row; ++row)
    for (int level = 0; level < levels; ++level)
      for (int column = first; column < end; ++column)
        to[packed++] = from[column + columns * (level + levels * row)];
  return to + packed;
}

const float* unpack_box(const WrfGrid& grid, int levels, const float* __restrict from, float* __restrict to) {
  const int columns = grid.columns;
  const int first = grid.first_column, end = first + grid.sent_columns;
  const int first_row = grid.first_row, end_row = first_row + grid.sent_rows;
  int packed = 0;
  for (int row = first_row; row < end_row; ++row)
    for (int level = 0; level < levels; ++level)
      for (int column = first; column < end; ++column)
        to[column + columns * (level + levels * row)] = from[packed++];
  return from + packed;
}

Layout wrf_vectors(const WrfGrid& grid, const WrfArrays& arrays) {
  const Layout flat = Layout::vector(grid.sent_rows, grid.sent_columns, grid.columns, float_);
  const Count row_bytes = Count{4} * grid.columns * grid.levels;
  const Layout deep = Layout::hvector(grid.sent_rows, 1, row_bytes,
                                      Layout::vector(grid.levels, grid.sent_columns, grid.columns, float_));
  const Layout species = Layout::hvector(1, 1, row_bytes * grid.rows, deep);
  Counts offsets;
  std::vector<Layout> members;
  for (const Count array : arrays.flat) {
    offsets.push_back(array + 4 * (grid.first_column + Count{grid.columns} * grid.first_row));
    members.push_back(flat);
  }
  for (std::size_t i = 0; i < arrays.deep.size(); ++i) {
    offsets.push_back(arrays.deep[i] + 4 * grid.first_column + row_bytes * grid.first_row);
    members.push_back(i < 3 ? deep : species);
  }
  return Layout::structure(Counts(members.size(), 1), offsets, members);
}

Layout wrf_subarrays(const WrfGrid& grid, const WrfArrays& arrays) {
  Counts sizes{2, grid.rows, grid.levels, grid.columns};
  Counts part{1, grid.sent_rows, grid.levels, grid.sent_columns};
  Counts starts{1, grid.first_row, 0, grid.first_column};
  const auto box = [&](std::vector<std::size_t> dims) {
    const auto chosen = [&](const Counts& all) {
      Counts some;
      for (const std::size_t dim : dims) some.push_back(all[dim]);
      return some;
    };
    return Layout::subarray(chosen(sizes), chosen(part), chosen(starts), Layout::Order::c, float_);
  };
  Counts offsets;
  std::vector<Layout> members;
  for (const Count array : arrays.flat) {
    offsets.push_back(array);
    members.push_back(box({1, 3}));
  }
  for (std::size_t i = 0; i < arrays.deep_arrays.size(); ++i) {
    offsets.push_back(arrays.deep_arrays[i]);
    members.push_back(i < 3 ? box({1, 2, 3}) : box({0, 1, 2, 3}));
  }
  return Layout::structure(Counts(members.size(), 1), offsets, members);
}

Kernel wrf(std::string name, const WrfGrid& grid, bool subarrays) {
  const WrfArrays arrays = wrf_arrays(grid);
  const compile::Part part{subarrays ? wrf_subarrays(grid, arrays) : wrf_vectors(grid, arrays)};
  return {std::move(name),
          part,
          part,
          arrays.bytes,
          [=](const std::byte* memory, std::byte* wire) {
            float* to = out<float>(wire, 0);
            for (const Count array : arrays.flat) to = pack_box(grid, 1, in<float>(memory, array), to);
            for (const Count array : arrays.deep)
              to = pack_box(grid, grid.levels, in<float>(memory, array), to);
          },
          [=](const std::byte* wire, std::byte* memory) {
            const float* from = in<float>(wire, 0);
            for (const Count array : arrays.flat) from = unpack_box(grid, 1, from, out<float>(memory, array));
            for (const Count array : arrays.deep)
              from = unpack_box(grid, grid.levels, from, out<float>(memory, array));
          }};
}

/// `outer` times `inner` stretches of `length` elements of `cell` numbers each: the one loop of MILC, NAS LU
/// and NAS MG. Strides are in elements too.
struct Nest {
  int outer, outer_stride;
  int inner, inner_stride;
  int length;
};

/// `single` says that the length is 1, which the loop then knows.
template <class T, int cell, bool single>
void pack_nest(const Nest& nest, const T* __restrict from, T* __restrict to) {
  const int inner = nest.inner, outer_stride = nest.outer_stride, inner_stride = nest.inner_stride;
  const int length = single ? 1 : nest.length;
  int packed = 0;
  for (int i = 0; i < nest.outer; ++i)
    for (int j = 0; j < inner; ++j)
      for (int k = 0; k < length; ++k)
        for (int number = 0; number < cell; ++number)
          to[packed++] = from[number + cell * (k + i * outer_stride + j * inner_stride)];
}

template <class T, int cell, bool single>
void unpack_nest(const Nest& nest, const T* __restrict from, T* __restrict to) {
  const int inner = nest.inner, outer_stride = nest.outer_stride, inner_stride = nest.inner_stride;
  const int length = single ? 1 : nest.length;
  int packed = 0;
  for (int i = 0; i < nest.outer; ++i)
    for (int j = 0; j < inner; ++j)
      for (int k = 0; k < length; ++k)
        for (int number = 0; number < cell; ++number)
          to[number + cell * (k + i * outer_stride + j * inner_stride)] = from[packed++];
}

/// A layout that is sent from one place of an array of `cells` cells and received at another one.
template <class T, int cell, bool single = false>
Kernel nest_kernel(std::string name, const Layout& layout, const Nest& nest, Count cells, Count sent_from,
                   Count received_at) {
  Arrays arrays;
  const Count array = arrays.add<T>(cells * cell);
  const auto offset = [&](Count first) { return array + first * cell * static_cast<Count>(sizeof(T)); };
  const Count sent = offset(sent_from), received = offset(received_at);
  return {std::move(name),
          {layout, 1, sent},
          {layout, 1, received},
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            pack_nest<T, cell, single>(nest, in<T>(memory, sent), out<T>(wire, 0));
          },
          [=](const std::byte* wire, std::byte* memory) {
            unpack_nest<T, cell, single>(nest, in<T>(wire, 0), out<T>(memory, received));
          }};
}

/// MILC: on a lattice of four dimensions, vectors of three complex floats; every second site of a slice lies
/// together.
Kernel milc(int x, int y, int z, int t) {
  const int half_slice = x * y / 2, half_block = x * y * z / 2;
  const Layout layout =
      Layout::hvector(2, 1, Count{24} * half_block * t,
                      Layout::vector(t, half_slice, half_block, Layout::contiguous(6, float_)));
  return nest_kernel<float, 6>(concat("MILC su3 zdown ", x, '.', y, '.', z, '.', t), layout,
                               {1, 0, 2 * t, half_block, half_slice}, Count{2} * half_block * t, 0, 0);
}

/// NAS LU: five doubles a cell, a mesh of n x n with a margin of one.
Kernel nas_lu_x(int n) {
  const Count row = n + 2;
  return nest_kernel<double, 5>(concat("NAS LU x ", n), Layout::contiguous(Count{5} * n, double_),
                                {1, 0, 1, 0, n}, row * row, n * row + 1, 1);
}

Kernel nas_lu_y(int n) {
  const Count row = n + 2;
  return nest_kernel<double, 5, true>(concat("NAS LU y ", n),
                                      Layout::vector(n, 1, row, Layout::contiguous(5, double_)),
                                      {1, 0, n, n + 2, 1}, row * row, row + n, row);
}

/// NAS MG: the faces of a mesh of doubles, x the fastest, without its margin of one.
Kernel nas_mg_x(int nx, int ny, int nz) {
  const Layout column = Layout::vector(ny - 2, 1, nx, double_);
  const Count start = nx + Count{nx} * ny;
  return nest_kernel<double, 1, true>(
      concat("NAS MG x ", nx), Layout::hvector(nz - 2, 1, Count{8} * nx * ny, column),
      {nz - 2, nx * ny, ny - 2, nx, 1}, Count{nx} * ny * nz, start + nx - 2, start + nx - 1);
}

Kernel nas_mg_y(int nx, int ny, int nz) {
  const Count plane = Count{nx} * ny;
  return nest_kernel<double, 1>(concat("NAS MG y ", nx), Layout::vector(nz - 2, nx - 2, plane, double_),
                                {1, 0, nz - 2, nx * ny, nx - 2}, plane * nz, 1 + nx * (ny - 2) + plane,
                                1 + nx * (ny - 1) + plane);
}

Kernel nas_mg_z(int nx, int ny, int nz) {
  const Count plane = Count{nx} * ny;
  return nest_kernel<double, 1>(concat("NAS MG z ", nx), Layout::vector(ny - 2, nx - 2, nx, double_),
                                {1, 0, ny - 2, nx, nx - 2}, plane * nz, 1 + nx + plane, 1 + nx);
}

using Complex = std::complex<double>;

void put_down_columns(int rows, int columns, const Complex* __restrict from, Complex* __restrict to) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) to[column + row * columns] = from[row + column * rows];
}

/// A Fourier transform of n x n complex numbers on 16 processes: each has n / 16 rows, packs a block of n /
/// 16 columns for every other one, and puts what it gets down as columns.
Kernel transpose(int n) {
  constexpr int processes = 16;
  const int rows = n / processes;
  const Layout complex = Layout::contiguous(2, double_);
  const Layout block = Layout::resized(0, Count{16} * rows, Layout::vector(rows, rows, n, complex));
  const Layout column = Layout::resized(0, 16, Layout::vector(rows, 1, n, complex));
  Arrays arrays;
  const Count matrix = arrays.add<Complex>(Count{n} * rows);
  return {concat("FFT transpose ", n),
          {block, processes, matrix},
          {Layout::contiguous(rows, column), processes, matrix},
          arrays.bytes(),
          [=](const std::byte* memory, std::byte* wire) {
            const std::size_t bytes = sizeof(Complex) * static_cast<std::size_t>(rows);
            for (int process = 0; process < processes; ++process)
              for (int row = 0; row < rows; ++row)
                std::memcpy(out<Complex>(wire, 0) + (process * rows + row) * rows,
                            in<Complex>(memory, matrix) + process * rows + row * n, bytes);
          },
          [=](const std::byte* wire, std::byte* memory) {
            put_down_columns(rows, n, in<Complex>(wire, 0), out<Complex>(memory, matrix));
          }};
}

}  // namespace

std::vector<Kernel> mesh_kernels() {
  std::vector<Kernel> kernels;
  const auto add_wrf = [&](const std::string& name, const WrfGrid& grid) {
    kernels.push_back(wrf(name + " vectors", grid, false));
    kernels.push_back(wrf(name + " subarrays", grid, true));
  };
  add_wrf("WRF y 2x2", {32, 65, 52, 5, 23, 7, 3});
  add_wrf("WRF y 3x3", {27, 65, 41, 4, 19, 7, 3});
  add_wrf("WRF y 4x4", {24, 65, 34, 4, 16, 7, 3});
  add_wrf("WRF y 5x5", {22, 65, 30, 4, 14, 7, 3});
  add_wrf("WRF y 8x8", {19, 65, 24, 4, 11, 7, 3});
  add_wrf("WRF x 2x2", {32, 65, 52, 22, 3, 4, 44});
  add_wrf("WRF x 4x4", {24, 65, 34, 14, 3, 4, 26});
  add_wrf("WRF x 8x8", {19, 65, 24, 9, 3, 4, 16});
  kernels.push_back(milc(16, 16, 16, 16));
  kernels.push_back(milc(8, 8, 16, 16));
  kernels.push_back(milc(8, 8, 8, 16));
  kernels.push_back(milc(8, 8, 8, 8));
  for (const int n : {12, 33, 64, 102, 162, 408, 1020}) {
    kernels.push_back(nas_lu_x(n));
    kernels.push_back(nas_lu_y(n));
  }
  for (const int n : {18, 66, 130, 258}) {
    kernels.push_back(nas_mg_x(2 * n - 2, n, n));
    kernels.push_back(nas_mg_y(2 * n - 2, n, n));
    kernels.push_back(nas_mg_z(2 * n - 2, n, n));
  }
  for (const int n : {256, 512, 768, 1024, 1536}) kernels.push_back(transpose(n));
  return kernels;
}

}  // namespace halocline::bench
