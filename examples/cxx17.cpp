// SPDX-License-Identifier: BSD-3-Clause
// Averages of four neighbours on a periodic mesh, in C++17 by halocline.h: handles that free themselves, and
// arrays of the program's. The sum of all values stays what it is, to the last bit.
#include <halocline/halocline.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/// What the library refuses, as an exception with its text.
void check(int code) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  HCL_Error_string(code, text.data(), &length);
  throw std::runtime_error(std::string(text.data(), static_cast<std::size_t>(length)));
}

/// The owner of a handle.
template <class Handle, int (*free)(Handle*)>
class Owned {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) free(&handle_);
  }
  Handle get() const { return handle_; }
  Handle* put() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};
using Field = Owned<HCL_Field, HCL_Field_free>;
using Halo = Owned<HCL_Halo, HCL_Halo_free>;

/// The values of this process with one point more on each side, in the order of C.
struct Sheet {
  std::array<std::int64_t, 2> all;
  std::vector<double> values;
  Field field;

  explicit Sheet(const std::array<std::int64_t, 2>& own)
      : all{own[0] + 2, own[1] + 2}, values(static_cast<std::size_t>(all[0] * all[1])) {
    check(HCL_Field_attach(values.data(), 2, all.data(), nullptr, nullptr, MPI_ORDER_C, MPI_DOUBLE,
                           field.put()));
  }
  double& operator()(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>((i + 1) * all[1] + j + 1)];
  }
};

double total(Sheet& sheet, const std::array<std::int64_t, 2>& own, MPI_Comm comm) {
  double mine = 0, all = 0;
  for (std::int64_t i = 0; i < own[0]; ++i)
    for (std::int64_t j = 0; j < own[1]; ++j) mine += sheet(i, j);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

bool run() {
  const std::array<std::int64_t, 2> mesh{32, 48};
  const std::array<int, 2> periods{1, 1};
  std::array<int, 2> dims{};
  MPI_Comm cart = MPI_COMM_NULL;
  check(HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, mesh.data(), nullptr, periods.data(), 1, 0,
                             HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, dims.data(), &cart));
  check(MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN));
  int rank = 0;
  MPI_Comm_rank(cart, &rank);
  std::array<std::int64_t, 2> first{}, own{};
  check(HCL_Cart_box(cart, rank, first.data(), own.data()));
  double before = 0, after = 0;
  {
    Sheet now(own), next(own);
    const std::array<HCL_Field, 2> fields{now.field.get(), next.field.get()};
    const int memories = 2;  // one field, which has the two in turn
    Halo halo;
    check(HCL_Halo_create_rotating(cart, 1, &memories, fields.data(), 0, HCL_DIRECTIONS_FACES, MPI_INFO_NULL,
                                   halo.put()));
    for (std::int64_t i = 0; i < own[0]; ++i)
      for (std::int64_t j = 0; j < own[1]; ++j) now(i, j) = static_cast<double>(first[0] + i);
    before = total(now, own, cart);
    for (int step = 0; step < 8; ++step) {
      const void* const exchanged = now.values.data();
      check(HCL_Halo_exchange_with(halo.get(), &exchanged));
      for (std::int64_t i = 0; i < own[0]; ++i)
        for (std::int64_t j = 0; j < own[1]; ++j)
          next(i, j) = (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1)) / 4;
      std::swap(now, next);
    }
    after = total(now, own, cart);
  }
  if (rank == 0) std::printf("the sum was %.1f and is %.1f\n", before, after);
  MPI_Comm_free(&cart);
  return before == after;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = false;
  try {
    right = run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
