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

/// The block of one rank with its halo.
struct Block {
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

MPI_Datatype region(const std::array<Range, 3>& ranges) {
  std::array<int, 3> sizes{};
  std::array<int, 3> counts{};
  std::array<int, 3> starts{};
  for (std::size_t d = 0; d < 3; ++d) {
    sizes[d] = padded_extent;
    counts[d] = static_cast<int>(ranges[d].count);
    starts[d] = static_cast<int>(ranges[d].first);
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(3, sizes.data(), counts.data(), starts.data(), MPI_ORDER_C, MPI_INT64_T, &type);
  MPI_Type_commit(&type);
  return type;
}

/// Messages are told apart by the direction in which they travel.
int tag_of(const hc::Offset& direction) {
  return static_cast<int>((direction[0] + 1) * 9 + (direction[1] + 1) * 3 + direction[2] + 1);
}

void exchange(Block& block, const hc::Grid& grid, const hc::Cell& here, const hc::Stencil& stencil) {
  std::vector<MPI_Request> requests;
  std::vector<MPI_Datatype> types;
  for (const hc::Offset& direction : stencil.offsets()) {
    const hc::Offset opposite{-direction[0], -direction[1], -direction[2]};
    const int neighbour = static_cast<int>(grid.index(*grid.neighbour(here, direction)));
    types.push_back(region({received(direction[0]), received(direction[1]), received(direction[2])}));
    requests.emplace_back();
    MPI_Irecv(block.cells.data(), 1, types.back(), neighbour, tag_of(opposite), MPI_COMM_WORLD,
              &requests.back());
    types.push_back(region({sent(direction[0]), sent(direction[1]), sent(direction[2])}));
    requests.emplace_back();
    MPI_Isend(block.cells.data(), 1, types.back(), neighbour, tag_of(direction), MPI_COMM_WORLD,
              &requests.back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
}

/// The global number of the cell at local (x, y, z), halo included.
hc::Count global_number(const hc::Mesh& mesh, const hc::Cell& here, hc::Count x, hc::Count y, hc::Count z) {
  const hc::Cell origin{here[0] * block_extent, here[1] * block_extent, here[2] * block_extent};
  return mesh.index(*mesh.neighbour(origin, hc::Offset{x - 1, y - 1, z - 1}));
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
  const hc::Cell here = grid.cell(rank);
  const hc::Machine machine = hc::discover(MPI_COMM_WORLD).machine;

  Block block;
  for_each_cell(1, block_extent + 1,
                [&](auto x, auto y, auto z) { block.at(x, y, z) = global_number(mesh, here, x, y, z); });
  exchange(block, grid, here, stencil);

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
    std::printf("%d ranks (%s), grid %s, mesh %s\n", ranks, machine.to_text().c_str(), grid.to_text().c_str(),
                mesh.to_text().c_str());
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
