#include "rival_ways.hpp"

#include "accelerate/addresses.hpp"

#include <dlfcn.h>

namespace halocline::bench {
namespace {

using accelerate::Move;
using accelerate::OwnMemory;

Count number(const std::byte* address) { return static_cast<Count>(accelerate::number_of(address)); }

Count point_offset(const DeviceGrid& grid, const DeviceGrid::Region& region) {
  return ((region.first[0] * grid.pitch() + region.first[1]) * grid.pitch() + region.first[2]) * 8;
}

/// A region of a field, and its bytes in a buffer.
Move packed_region(const DeviceGrid& grid, const DeviceGrid::Region& region, const std::byte* field,
                   const std::byte* buffer) {
  const Count row = region.count[2] * 8;
  return {number(field) + point_offset(grid, region),
          number(buffer),
          row,
          {{region.count[1], grid.pitch() * 8, row},
           {region.count[0], grid.pitch() * grid.pitch() * 8, row * region.count[1]}}};
}

/// Messages of packed offsets in memory of the host.
class Messages {
 public:
  explicit Messages(const DeviceGrid& grid) : grid_(grid) {
    for (const Offset& offset : grid.offsets()) {
      firsts_.push_back(bytes_);
      bytes_ += grid.sent(offset).points() * 8 * static_cast<Count>(grid.fields());
    }
    sent_ = OwnMemory(grid.device(), OwnMemory::Kind::pinned, bytes_);
    received_ = OwnMemory(grid.device(), OwnMemory::Kind::pinned, bytes_);
    requests_.resize(2 * grid.offsets().size());
  }
  [[nodiscard]] Count bytes() const { return bytes_; }
  [[nodiscard]] std::byte* sent() const { return sent_.get(); }
  [[nodiscard]] std::byte* received() const { return received_.get(); }
  [[nodiscard]] Count first(std::size_t offset) const { return firsts_[offset]; }

  void exchange() {
    for (std::size_t i = 0; i < grid_.offsets().size(); ++i) {
      const Offset& offset = grid_.offsets()[i];
      Offset back;
      for (const Count step : offset) back.push_back(-step);
      const Count end = i + 1 < firsts_.size() ? firsts_[i + 1] : bytes_;
      const int bytes = static_cast<int>(end - firsts_[i]), tag = static_cast<int>(i);
      MPI_Irecv(received() + firsts_[i], bytes, MPI_BYTE, grid_.neighbour(back), tag, grid_.comm(),
                &requests_[2 * i]);
      MPI_Isend(sent() + firsts_[i], bytes, MPI_BYTE, grid_.neighbour(offset), tag, grid_.comm(),
                &requests_[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const DeviceGrid& grid_;
  Count bytes_ = 0;
  Counts firsts_;
  OwnMemory sent_, received_;
  std::vector<MPI_Request> requests_;
};

class PackedCopies : public RivalWay {
 public:
  explicit PackedCopies(const DeviceGrid& grid)
      : device_(grid.device()),
        stream_(device_),
        messages_(grid),
        buffer_(device_, OwnMemory::Kind::of_device, messages_.bytes()),
        pack_(device_, gathered(grid, buffer_.get())),
        unpack_(device_, scattered(grid, buffer_.get())) {}

  void exchange() override {
    pack_.launch(stream_.get());
    device_.copy(messages_.sent(), buffer_.get(), messages_.bytes(), stream_.get());
    device_.synchronize(stream_.get());
    messages_.exchange();
    device_.copy(buffer_.get(), messages_.received(), messages_.bytes(), stream_.get());
    unpack_.launch(stream_.get());
    device_.synchronize(stream_.get());
  }

 private:
  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  Messages messages_;
  OwnMemory buffer_;
  accelerate::Transfer pack_, unpack_;
};

/// The driver's copy of a box, whose arguments are declared as the driver has them.
struct BoxCopy {
  std::size_t from_x, from_y, from_z, from_level;
  unsigned from_kind;
  const void* from_host;
  std::uint64_t from_device;
  void *from_array, *unused_from;
  std::size_t from_pitch, from_height;
  std::size_t to_x, to_y, to_z, to_level;
  unsigned to_kind;
  void* to_host;
  std::uint64_t to_device;
  void *to_array, *unused_to;
  std::size_t to_pitch, to_height;
  std::size_t width_bytes, height, depth;
};
using CopyBox = int(const BoxCopy* copy, void* stream);
constexpr unsigned kind_host = 1, kind_device = 2;

class StridedCopies : public RivalWay {
 public:
  StridedCopies(const DeviceGrid& grid, CopyBox* copy_box)
      : device_(grid.device()), stream_(device_), messages_(grid), copy_box_(copy_box) {
    for (std::size_t i = 0; i < grid.offsets().size(); ++i) {
      const DeviceGrid::Region out = grid.sent(grid.offsets()[i]), in = grid.received(grid.offsets()[i]);
      for (std::size_t f = 0; f < grid.fields(); ++f) {
        const Count place = messages_.first(i) + static_cast<Count>(f) * out.points() * 8;
        to_host_.push_back(box(grid, out, f, messages_.sent() + place, true));
        to_device_.push_back(box(grid, in, f, messages_.received() + place, false));
      }
    }
  }

  void exchange() override {
    for (const BoxCopy& copy : to_host_) copy_box_(&copy, stream_.get());
    device_.synchronize(stream_.get());
    messages_.exchange();
    for (const BoxCopy& copy : to_device_) copy_box_(&copy, stream_.get());
    device_.synchronize(stream_.get());
  }

 private:
  static BoxCopy box(const DeviceGrid& grid, const DeviceGrid::Region& region, std::size_t field,
                     std::byte* host, bool to_host) {
    const auto size = [](Count number) { return static_cast<std::size_t>(number); };
    BoxCopy copy{};
    copy.width_bytes = size(region.count[2] * 8);
    copy.height = size(region.count[1]);
    copy.depth = size(region.count[0]);
    const std::size_t pitch = size(grid.pitch() * 8), height = size(grid.pitch());
    if (to_host) {
      copy.from_kind = kind_device;
      copy.from_device = accelerate::number_of(grid.memory(field)) + size(point_offset(grid, region));
      copy.from_pitch = pitch;
      copy.from_height = height;
      copy.to_kind = kind_host;
      copy.to_host = host;
      copy.to_pitch = copy.width_bytes;
      copy.to_height = copy.height;
    } else {
      copy.to_kind = kind_device;
      copy.to_device = accelerate::number_of(grid.memory(field)) + size(point_offset(grid, region));
      copy.to_pitch = pitch;
      copy.to_height = height;
      copy.from_kind = kind_host;
      copy.from_host = host;
      copy.from_pitch = copy.width_bytes;
      copy.from_height = copy.height;
    }
    return copy;
  }

  accelerate::Device& device_;
  accelerate::OwnStream stream_;
  Messages messages_;
  CopyBox* copy_box_;
  std::vector<BoxCopy> to_host_, to_device_;
};

}  // namespace

std::vector<Move> gathered(const DeviceGrid& grid, const std::byte* to) {
  std::vector<Move> moves;
  for (const Offset& offset : grid.offsets())
    for (std::size_t f = 0; f < grid.fields(); ++f) {
      moves.push_back(packed_region(grid, grid.sent(offset), grid.memory(f), to));
      to += grid.sent(offset).points() * 8;
    }
  return moves;
}

std::vector<Move> scattered(const DeviceGrid& grid, const std::byte* from) {
  std::vector<Move> moves;
  for (const Offset& offset : grid.offsets())
    for (std::size_t f = 0; f < grid.fields(); ++f) {
      Move move = packed_region(grid, grid.received(offset), grid.memory(f), from);
      std::swap(move.from, move.to);
      for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
      moves.push_back(std::move(move));
      from += grid.received(offset).points() * 8;
    }
  return moves;
}

std::unique_ptr<RivalWay> strided_copies(const DeviceGrid& grid) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return nullptr;
  auto* const copy_box = reinterpret_cast<CopyBox*>(dlsym(driver, "cuMemcpy3DAsync_v2"));
  return copy_box == nullptr ? nullptr : std::make_unique<StridedCopies>(grid, copy_box);
}

std::unique_ptr<RivalWay> packed_copies(const DeviceGrid& grid) {
  return std::make_unique<PackedCopies>(grid);
}

}  // namespace halocline::bench
