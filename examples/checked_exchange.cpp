// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange in which every cell is checked: each rank fills its block of a periodic 3-D mesh with the
// global numbers of its cells, exchanges one layer with all 26 neighbours, and looks at what arrived.
//
//   mpirun -n 8 checked_exchange

#include <mpi.h>
#include <halocline/halocline.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace hc = halocline;

namespace {

constexpr hc::Count block_extent = 12;  // cells of a rank along each dimension, without the halo
constexpr hc::Count padded_extent = block_extent + 2;

/// The cells of one rank with their halo.
struct Cells {
  std::vector<hc::Count> cells = std::vector<hc::Count>(padded_extent * padded_extent * padded_extent, -1);
  hc::Count& at(hc::Count x, hc::Count y, hc::Count z) {
    return cells[static_cast<std::size_t>((x * padded_extent + y) * padded_extent + z)];
  }
};

/// The cells [first, first + count) of a dimension that travel towards `direction`, or arrive from there.
struct Range {
  hc::Count first, count;
};
Range sent(hc::Count direction) {
  if (direction == 0) return {1, block_extent};
  return {direction < 0 ? 1 : block_extent, 1};
}
Range received(hc::Count direction) {
  if (direction == 0) return {1, block_extent};
  return {direction < 0 ? 0 : block_extent + 1, 1};
}

hc::Block region(Cells& block, const std::array<Range, 3>& ranges) {
  const hc::Counts sizes(3, padded_extent);
  return {block.cells.data(),
          hc::Layout::subarray(sizes, {ranges[0].count, ranges[1].count, ranges[2].count},
                               {ranges[0].first, ranges[1].first, ranges[2].first}, hc::Layout::Order::c,
                               hc::Layout::named(hc::Elementary::int64))};
}

/// What goes towards each direction, and what comes from the opposite one.
hc::Exchange halo_exchange(const hc::Neighborhood& neighborhood, Cells& block) {
  std::vector<hc::Block> send, receive;
  for (const hc::Offset& d : neighborhood.offsets().offsets()) {
    send.push_back(region(block, {sent(d[0]), sent(d[1]), sent(d[2])}));
    receive.push_back(region(block, {received(-d[0]), received(-d[1]), received(-d[2])}));
  }
  return hc::Exchange::alltoall(neighborhood, send, receive);
}

/// The global number of the cell at local (x, y, z), halo included.
hc::Count global_number(const hc::Mesh& mesh, const hc::Cell& here, hc::Count x, hc::Count y, hc::Count z) {
  const hc::Cell origin{here[0] * block_extent, here[1] * block_extent, here[2] * block_extent};
  return mesh.index(*mesh.neighbor(origin, hc::Offset{x - 1, y - 1, z - 1}));
}

template <class Visit>
void for_each_cell(hc::Count first, hc::Count end, const Visit& visit) {
  for (hc::Count x = first; x < end; ++x)
    for (hc::Count y = first; y < end; ++y)
      for (hc::Count z = first; z < end; ++z) visit(x, y, z);
}

int run() {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::array<int, 3> dims{};
  MPI_Dims_create(ranks, 3, dims.data());

  const hc::Grid grid({dims[0], dims[1], dims[2]}, hc::periodic(1, 1, 1));
  const hc::Mesh mesh({dims[0] * block_extent, dims[1] * block_extent, dims[2] * block_extent},
                      hc::periodic(1, 1, 1));
  const hc::Stencil stencil = hc::Stencil::moore(3, 1);
  const hc::Cart cart(MPI_COMM_WORLD, grid, stencil);
  const hc::Cell& here = cart.cell();

  Cells block;
  for_each_cell(1, block_extent + 1,
                [&](auto x, auto y, auto z) { block.at(x, y, z) = global_number(mesh, here, x, y, z); });
  hc::Exchange exchange = halo_exchange(hc::Neighborhood(cart.comm(), stencil), block);
  exchange.start();
  exchange.wait();

  long long wrong = 0;
  for_each_cell(0, padded_extent, [&](auto x, auto y, auto z) {
    const hc::Count expected = global_number(mesh, here, x, y, z);
    if (block.at(x, y, z) == expected) return;
    if (wrong++ == 0)
      std::fprintf(stderr, "rank %d: cell (%lld, %lld, %lld) holds %lld instead of %lld\n", rank,
                   static_cast<long long>(x), static_cast<long long>(y), static_cast<long long>(z),
                   static_cast<long long>(block.at(x, y, z)), static_cast<long long>(expected));
  });
  long long all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);

  if (rank == 0) {
    constexpr auto cubed = [](hc::Count n) { return n * n * n; };
    const long long halo_cells = ranks * (cubed(padded_extent) - cubed(block_extent));
    std::printf("%d ranks (%s), grid %s, mesh %s\n", ranks, cart.machine()->to_text().c_str(),
                grid.to_text().c_str(), mesh.to_text().c_str());
    std::printf("exchanged by: %s between nodes, %s inside\n", exchange.schedule().c_str(),
                exchange.shares_memory() ? "shared memory" : "messages");
    std::printf("%lld halo cells checked, %lld wrong\n", halo_cells, all_wrong);
  }
  return all_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = run();
  } catch (const hc::Error& error) {
    std::fprintf(stderr, "checked_exchange: %s\n", error.what());
  }
  MPI_Finalize();
  return status;
}
