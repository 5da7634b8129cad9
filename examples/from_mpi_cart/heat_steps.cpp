// SPDX-License-Identifier: BSD-3-Clause
// The program of docs/from_mpi_cart.md, as heat_steps.c: the heat equation on a 3-D mesh, x open with cold
// walls, y and z periodic. STEP says how far it has come: 0 is plain MPI; 1 has Halocline's exchange of its
// own arrays on its own communicator; 2 has a communicator that is made for the mesh; 3 has fields of the
// library. The answer is always the same, to the last bit.
//
//   mpirun -n 8 heat_steps_cpp_0 [nx ny nz steps]        also heat_steps_cpp_1, _2, _3

#include <mpi.h>
#if STEP > 0
#include <halocline/halocline.hpp>
namespace hc = halocline;
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Count = std::int64_t;
using Triple = std::array<Count, 3>;

/// The own points: where they begin in the mesh, and how many there are.
struct Share {
  Triple first{}, n{};
};

/// An array of the program: one value for each own point and for one layer around them.
struct Array {
  explicit Array(const Triple& n)
      : y(n[2] + 2), x((n[1] + 2) * y), values(static_cast<std::size_t>((n[0] + 2) * x)) {}
  double& operator()(Count i, Count j, Count k) {
    return values[static_cast<std::size_t>((i + 1) * x + (j + 1) * y + k + 1)];
  }
  Count y, x;
  std::vector<double> values;
};

#if STEP < 2
Share make_communicator(const Triple& mesh, MPI_Comm& cart) {
  std::array<int, 3> dims{}, coords{};
  const std::array<int, 3> periods{0, 1, 1};
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims.data());
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims.data(), periods.data(), 0, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 3, coords.data());
  Share share;
  for (std::size_t d = 0; d < 3; ++d) {
    share.first[d] = mesh[d] * coords[d] / dims[d];
    share.n[d] = mesh[d] * (coords[d] + 1) / dims[d] - share.first[d];
  }
  return share;
}
#endif

#if STEP == 0
/// Faces of an array: for each dimension the first own points, the last ones, the halo before and behind.
class Faces {
 public:
  Faces(MPI_Comm cart, const Triple& n) : cart_(cart) {
    for (int d = 0; d < 3; ++d) {
      const int points = static_cast<int>(n[static_cast<std::size_t>(d)]);
      const std::array<int, 4> begins{1, points, 0, points + 1};
      MPI_Cart_shift(cart, d, 1, &dimensions_[static_cast<std::size_t>(d)].before,
                     &dimensions_[static_cast<std::size_t>(d)].behind);
      for (std::size_t face = 0; face < 4; ++face) {
        std::array<int, 3> sizes{}, subsizes{}, starts{};
        for (std::size_t e = 0; e < 3; ++e) {
          const bool across = static_cast<int>(e) == d;
          sizes[e] = static_cast<int>(n[e]) + 2;
          subsizes[e] = across ? 1 : static_cast<int>(n[e]);
          starts[e] = across ? begins[face] : 1;
        }
        MPI_Datatype& type = dimensions_[static_cast<std::size_t>(d)].types[face];
        MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE,
                                 &type);
        MPI_Type_commit(&type);
      }
    }
  }
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;
  ~Faces() {
    for (Dimension& d : dimensions_)
      for (MPI_Datatype& type : d.types) MPI_Type_free(&type);
  }

  void exchange(double* u) {
    for (const auto& [before, behind, types] : dimensions_) {
      MPI_Sendrecv(u, 1, types[0], before, 0, u, 1, types[3], behind, 0, cart_, MPI_STATUS_IGNORE);
      MPI_Sendrecv(u, 1, types[1], behind, 0, u, 1, types[2], before, 0, cart_, MPI_STATUS_IGNORE);
    }
  }

 private:
  struct Dimension {
    int before = MPI_PROC_NULL, behind = MPI_PROC_NULL;
    std::array<MPI_Datatype, 4> types{};
  };
  MPI_Comm cart_;
  std::array<Dimension, 3> dimensions_{};
};
#endif

/// Calls visit(i, j, k) for the own points.
template <class Visit>
void for_own_points(const Triple& n, const Visit& visit) {
  for (Count i = 0; i < n[0]; ++i)
    for (Count j = 0; j < n[1]; ++j)
      for (Count k = 0; k < n[2]; ++k) visit(i, j, k);
}

void solve(const Triple& mesh, int steps) {
#if STEP < 2
  MPI_Comm cart = MPI_COMM_NULL;
  const auto [first, n] = make_communicator(mesh, cart);
#else
  const hc::Cart grid(MPI_COMM_WORLD, hc::Mesh({mesh[0], mesh[1], mesh[2]}, hc::periodic(0, 1, 1)),
                      hc::Stencil::nearest(3));
  const MPI_Comm cart = grid.comm();
  const hc::Box box = grid.decomposition()->box(grid.cell());
  const Triple first{box.first[0], box.first[1], box.first[2]};
  const Triple n{box.extents[0], box.extents[1], box.extents[2]};
#endif

#if STEP < 3
  Array u(n), v(n);
#else
  hc::Field<double, 3> u(grid), v(grid);
#endif
#if STEP == 0
  Faces faces(cart, n);
#elif STEP < 3
  hc::Halo halo(cart, {hc::view(u.values.data(), {n[0] + 2, n[1] + 2, n[2] + 2}, hc::Counts{1, 1, 1})},
                {.directions = hc::Stencil::nearest(3)});
#else
  hc::Halo halo(grid, u);
#endif

  for_own_points(n, [&, &first = first](Count i, Count j, Count k) {
    u(i, j, k) =
        static_cast<double>(((first[0] + i) * mesh[1] + 7 * (first[1] + j) + 29 * (first[2] + k)) % 101);
  });
  double least = 1e9, longest = 0;  // of all exchanges the shortest; of all processes the longest of these
  for (int step = 0; step < steps; ++step) {
    MPI_Barrier(cart);  // for the time alone: nobody is late
    const double began = MPI_Wtime();
#if STEP == 0
    faces.exchange(u.values.data());
#else
    halo.exchange();
#endif
    least = std::min(least, MPI_Wtime() - began);
    // Weights are powers of two, so that it does not matter whether the compiler fuses products and sums.
    for_own_points(n, [&](Count i, Count j, Count k) {
      v(i, j, k) = 0.25 * u(i, j, k) +
                   0.125 * (((u(i - 1, j, k) + u(i + 1, j, k)) + (u(i, j - 1, k) + u(i, j + 1, k))) +
                            (u(i, j, k - 1) + u(i, j, k + 1)));
    });
    for_own_points(n, [&](Count i, Count j, Count k) { u(i, j, k) = v(i, j, k); });
  }

  // What tells this result from any other, whatever the order in which points are looked at.
  std::uint64_t mine = 0, all = 0;
  for_own_points(n, [&, &first = first](Count i, Count j, Count k) {
    const Count point = ((first[0] + i) * mesh[1] + first[1] + j) * mesh[2] + first[2] + k;
    mine ^= std::rotl(std::bit_cast<std::uint64_t>(static_cast<double>(u(i, j, k))),
                      static_cast<int>(point % 63) + 1);
  });
  int rank = 0;
  MPI_Comm_rank(cart, &rank);
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_BXOR, cart);
  MPI_Reduce(&least, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, cart);
  if (rank == 0)
    std::printf("step %d, %lldx%lldx%lld points: %016llx, %.1f us for the fastest exchange\n", STEP,
                static_cast<long long>(mesh[0]), static_cast<long long>(mesh[1]),
                static_cast<long long>(mesh[2]), static_cast<unsigned long long>(all), 1e6 * longest);
#if STEP < 2
  MPI_Comm_free(&cart);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Triple mesh{64, 64, 64};
  int steps = 20;
  if (argc == 5) {
    for (std::size_t d = 0; d < 3; ++d) mesh[d] = std::atoi(argv[1 + d]);
    steps = std::atoi(argv[4]);
  }
  solve(mesh, steps);
  MPI_Finalize();
}
