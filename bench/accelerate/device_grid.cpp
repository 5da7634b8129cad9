#include "device_grid.hpp"

namespace halocline::bench {

DeviceGrid::DeviceGrid(accelerate::Device& device, Count points, Count fields)
    : device_(device), points_(points), offsets_(Stencil::moore(3, 1).offsets()) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, dims_.data());
  const std::array<int, 3> periods{1, 1, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims_.data(), periods.data(), 0, &comm_);
  MPI_Comm_rank(comm_, &rank);
  MPI_Cart_coords(comm_, rank, 3, cell_.data());
  for (Count f = 0; f < fields; ++f)
    memories_.emplace_back(device, accelerate::OwnMemory::Kind::of_device, field_bytes());
}

std::vector<FieldView> DeviceGrid::views() const {
  std::vector<FieldView> views;
  for (const accelerate::OwnMemory& memory : memories_)
    views.push_back(view(memory.get(), Layout::named(Elementary::double_), {pitch(), pitch(), pitch()},
                         HaloWidths({1, 1, 1}), Layout::Order::c));
  return views;
}

DeviceGrid::Region DeviceGrid::sent(const Offset& offset) const {
  Region region{};
  for (std::size_t d = 0; d < 3; ++d) {
    region.first[d] = offset[d] > 0 ? points_ : 1;
    region.count[d] = offset[d] == 0 ? points_ : 1;
  }
  return region;
}

DeviceGrid::Region DeviceGrid::received(const Offset& offset) const {
  Region region = sent(offset);
  for (std::size_t d = 0; d < 3; ++d)
    if (offset[d] != 0) region.first[d] = offset[d] > 0 ? 0 : points_ + 1;
  return region;
}

int DeviceGrid::neighbour(const Offset& offset) const {
  std::array<int, 3> there{};
  for (std::size_t d = 0; d < 3; ++d) there[d] = cell_[d] + static_cast<int>(offset[d]);
  int rank = 0;
  MPI_Cart_rank(comm_, there.data(), &rank);
  return rank;
}

template <class Visit>
void DeviceGrid::for_each_point(const Visit& visit) const {
  for (Count x = -1; x <= points_; ++x)
    for (Count y = -1; y <= points_; ++y)
      for (Count z = -1; z <= points_; ++z) visit(x, y, z);
}

double DeviceGrid::value(std::size_t field, Count x, Count y, Count z) const {
  const std::array<Count, 3> point{x, y, z};
  Count number = static_cast<Count>(field) + 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const Count all = dims_[d] * points_;
    number = number * all + (cell_[d] * points_ + point[d] + all) % all;
  }
  return static_cast<double>(number);
}

void DeviceGrid::fill() const {
  std::vector<double> values;
  for (std::size_t f = 0; f < fields(); ++f) {
    values.clear();
    for_each_point([&](Count x, Count y, Count z) {
      const auto own = [&](Count i) { return i >= 0 && i < points_; };
      values.push_back(own(x) && own(y) && own(z) ? value(f, x, y, z) : -1);
    });
    device_.copy(memory(f), reinterpret_cast<const std::byte*>(values.data()), field_bytes(), nullptr);
    device_.synchronize(nullptr);
  }
  MPI_Barrier(comm_);
}

Count DeviceGrid::wrong() const {
  std::vector<double> values(static_cast<std::size_t>(field_bytes() / 8));
  Count wrong = 0, all = 0;
  for (std::size_t f = 0; f < fields(); ++f) {
    device_.copy(reinterpret_cast<std::byte*>(values.data()), memory(f), field_bytes(), nullptr);
    device_.synchronize(nullptr);
    auto next = values.begin();
    for_each_point([&](Count x, Count y, Count z) { wrong += *next++ == value(f, x, y, z) ? 0 : 1; });
  }
  MPI_Allreduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, comm_);
  return all;
}

}  // namespace halocline::bench
