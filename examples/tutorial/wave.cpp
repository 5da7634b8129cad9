// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <halocline/halocline.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace hc = halocline;

void solve() {
  const hc::Mesh mesh({120, 120, 120}, hc::periodic(0, 1, 1));

  hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::nearest(3));  // who owns which points
  hc::Field<double, 3> now(cart), before(cart);                  // the own points, and a halo around them
  hc::Halo halo(cart, hc::rotating(now, before));                // how the halo of `now` is filled

  for (int i = 0; i < now.extent(0); ++i)
    for (int j = 0; j < now.extent(1); ++j)
      for (int k = 0; k < now.extent(2); ++k) {
        const auto x = double(now.first(0) + i - 60), y = double(now.first(1) + j - 60),
                   z = double(now.first(2) + k - 60);
        now(i, j, k) = before(i, j, k) = std::exp(-(x * x + y * y + z * z) / 50);
      }

  for (int step = 0; step < 100; ++step) {
    halo.exchange();
    for (int i = 0; i < now.extent(0); ++i)
      for (int j = 0; j < now.extent(1); ++j)
        for (int k = 0; k < now.extent(2); ++k) {
          const double around = now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) + now(i, j + 1, k) +
                                now(i, j, k - 1) + now(i, j, k + 1);
          before(i, j, k) = 2 * now(i, j, k) - before(i, j, k) + 0.2 * (around - 6 * now(i, j, k));
        }
    std::swap(now, before);  // the halo follows
  }

  double largest = 0, of_all = 0;
  for (int i = 0; i < now.extent(0); ++i)
    for (int j = 0; j < now.extent(1); ++j)
      for (int k = 0; k < now.extent(2); ++k) largest = std::fmax(largest, std::fabs(now(i, j, k)));
  MPI_Reduce(&largest, &of_all, 1, MPI_DOUBLE, MPI_MAX, 0, cart.comm());
  int rank = 0;
  MPI_Comm_rank(cart.comm(), &rank);
  if (rank == 0) std::printf("grid %s, largest value %.17g\n", cart.grid().to_text().c_str(), of_all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  solve();  // fields, halo and cart are gone when MPI ends
  MPI_Finalize();
}
