#include "pack_bench.hpp"

#include "measured.hpp"
#include "rival_ways.hpp"

#include <cstdio>
#include <cstring>

namespace halocline::bench {
namespace {

using accelerate::OwnMemory;

/// Are the bytes that a kernel packed those of the fields, one after the other?
bool is_right(const DeviceGrid& grid, const std::byte* packed, Count bytes) {
  accelerate::Device& device = grid.device();
  std::vector<std::byte> seen(static_cast<std::size_t>(bytes));
  device.copy(seen.data(), packed, bytes, nullptr);
  device.synchronize(nullptr);
  const auto* next = seen.data();
  const std::size_t values = static_cast<std::size_t>(grid.pitch() * grid.pitch() * grid.pitch());
  std::vector<std::vector<double>> fields;
  for (std::size_t f = 0; f < grid.fields(); ++f) {
    fields.emplace_back(values);
    device.copy(reinterpret_cast<std::byte*>(fields.back().data()), grid.memory(f),
                static_cast<Count>(values * 8), nullptr);
    device.synchronize(nullptr);
  }
  for (const Offset& offset : grid.offsets())
    for (const std::vector<double>& field : fields) {
      const DeviceGrid::Region region = grid.sent(offset);
      for (Count x = 0; x < region.count[0]; ++x)
        for (Count y = 0; y < region.count[1]; ++y) {
          const Count row = ((region.first[0] + x) * grid.pitch() + region.first[1] + y) * grid.pitch();
          const auto row_bytes = static_cast<std::size_t>(region.count[2] * 8);
          if (std::memcmp(next, &field[static_cast<std::size_t>(row + region.first[2])], row_bytes) != 0)
            return false;
          next += row_bytes;
        }
    }
  return next == seen.data() + seen.size();
}

}  // namespace

bool compare_packing(accelerate::Device& device, const Counts& sizes, Count fields, int repeats) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool right = true;
  if (rank == 0) std::printf("%-24s %10s %12s %8s\n", "packing, us", "kernel", "plain copy", "ratio");
  for (const Count points : sizes) {
    const DeviceGrid grid(device, points, fields);
    grid.fill();
    Count bytes = 0;
    for (const Offset& offset : grid.offsets()) bytes += grid.sent(offset).points() * 8 * fields;
    if (rank == 0) {
      const OwnMemory to(device, OwnMemory::Kind::of_device, bytes),
          from(device, OwnMemory::Kind::of_device, bytes);
      const accelerate::Transfer pack(device, gathered(grid, to.get()));
      const accelerate::OwnStream stream(device);
      const double kernel = median_us(MPI_COMM_SELF, repeats, [&] {
        pack.launch(stream.get());
        device.synchronize(stream.get());
      });
      right = is_right(grid, to.get(), bytes) && right;
      const double copy = median_us(MPI_COMM_SELF, repeats, [&] {
        device.copy(to.get(), from.get(), bytes, stream.get());
        device.synchronize(stream.get());
      });
      std::printf("%lld^3, %lld fields%*s %10.1f %12.1f %8.2f\n", static_cast<long long>(points),
                  static_cast<long long>(fields), points > 99 ? 8 : 9, "", kernel, copy, kernel / copy);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int fine = right ? 1 : 0;
  MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fine == 1;
}

}  // namespace halocline::bench
