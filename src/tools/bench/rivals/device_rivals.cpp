// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/rivals/device_rivals.hpp"

#include "accelerate/host/host_device.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <utility>

namespace halocline::tools {
namespace {

using accelerate::Device;
using accelerate::Move;
using accelerate::OwnMemory;
using PointBox = HaloProblem::PointBox;

constexpr int rival_tag = 79;
constexpr Count value_bytes = sizeof(double);

std::byte* first_byte(const HaloProblem& problem, const PointBox& part, double* array) {
  const Count rows = problem.extents[1] + 2 * problem.width, points = problem.extents[2] + 2 * problem.width;
  return reinterpret_cast<std::byte*>(array + (part.first[0] * rows + part.first[1]) * points +
                                      part.first[2]);
}

Count pitch_bytes(const HaloProblem& problem) {
  return (problem.extents[2] + 2 * problem.width) * value_bytes;
}

Count number(const std::byte* address) { return static_cast<Count>(accelerate::number_of(address)); }

/// The bytes of a part of an array, one after the other.
Move packed_part(const HaloProblem& problem, const PointBox& part, double* array, const std::byte* wire) {
  const Count row = part.count[2] * value_bytes, pitch = pitch_bytes(problem);
  return {number(first_byte(problem, part, array)),
          number(wire),
          row,
          {{part.count[1], pitch, row},
           {part.count[0], pitch * (problem.extents[1] + 2 * problem.width), row * part.count[1]}}};
}

/// Visits all that is sent, or received, with its place in memory that has one after the other.
template <class Visit>
void for_each_part(const HaloProblem& problem, PointBox (HaloProblem::*part_of)(const Offset&) const,
                   std::byte* wire, const Visit& visit) {
  for (const Offset& offset : problem.offsets.offsets()) {
    const PointBox part = (problem.*part_of)(offset);
    for (double* const array : problem.arrays) {
      visit(part, array, wire);
      wire += HaloProblem::points(part) * value_bytes;
    }
  }
}

std::vector<Move> gathered(const HaloProblem& problem, std::byte* to) {
  std::vector<Move> moves;
  for_each_part(problem, &HaloProblem::sent, to, [&](const PointBox& part, double* array, std::byte* wire) {
    moves.push_back(packed_part(problem, part, array, wire));
  });
  return moves;
}

std::vector<Move> scattered(const HaloProblem& problem, std::byte* from) {
  std::vector<Move> moves;
  for_each_part(problem, &HaloProblem::received, from,
                [&](const PointBox& part, double* array, std::byte* wire) {
                  Move& move = moves.emplace_back(packed_part(problem, part, array, wire));
                  std::swap(move.from, move.to);
                  for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
                });
  return moves;
}

Counts firsts_of(const HaloProblem& problem) {
  Counts firsts{0};
  for (const Offset& offset : problem.offsets.offsets())
    firsts.push_back(firsts.back() +
                     HaloProblem::points(problem.sent(offset)) * value_bytes * count_of(problem.arrays));
  return firsts;
}

std::size_t size(Count number) { return to_size(number); }

/// As the driver calls it.
void* driver_function(const char* name) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  void* const function = driver == nullptr ? nullptr : dlsym(driver, name);
  if (function == nullptr) fail(Fault::unsupported, "the driver of the GPU has no ", name);
  return function;
}

}  // namespace

PinnedMessages::PinnedMessages(const HaloProblem& problem, Device& device)
    : comm_(problem.cart),
      neighbours_(exchange::neighbours_of(problem.grid, problem.offsets, mpi::rank(problem.cart))),
      firsts_(firsts_of(problem)),
      bytes_(firsts_.back()),
      sent_(device, OwnMemory::Kind::pinned, bytes_),
      received_(device, OwnMemory::Kind::pinned, bytes_),
      requests_(2 * problem.offsets.size()) {}

void PinnedMessages::run() {
  const std::size_t count = neighbours_.targets.size();
  const auto bytes = [&](std::size_t i) { return to_int(firsts_[i + 1] - firsts_[i]); };
  for (std::size_t i = 0; i < count; ++i)
    HALOCLINE_MPI(Irecv, received() + firsts_[i], bytes(i), MPI_BYTE, to_int(neighbours_.sources[i]),
                  rival_tag, comm_, &requests_[i]);
  for (std::size_t i = 0; i < count; ++i)
    HALOCLINE_MPI(Isend, sent() + firsts_[i], bytes(i), MPI_BYTE, to_int(neighbours_.targets[i]), rival_tag,
                  comm_, &requests_[count + i]);
  mpi::wait_all(requests_);
}

/// A copy of a box, declared as the driver has it.
struct StridedCopies::DriverBox {
  struct Side {
    std::size_t x, y, z, level;
    unsigned kind;
    const void* host;
    std::uint64_t device;
    void *array, *unused;
    std::size_t pitch_bytes, rows;
  };
  Side from, to;
  std::size_t width_bytes, height, depth;
};

StridedCopies::StridedCopies(const HaloProblem& problem, Device& device)
    : device_(device), stream_(device), messages_(problem, device) {
  if (dynamic_cast<const accelerate::HostDevice*>(&device) == nullptr)
    copy_box_ = reinterpret_cast<decltype(copy_box_)>(driver_function("cuMemcpy3DAsync_v2"));
  for_each_part(problem, &HaloProblem::sent, messages_.sent(),
                [&](const PointBox& part, double* array, std::byte* wire) {
                  sent_.push_back(box(problem, part, array, wire));
                });
  for_each_part(problem, &HaloProblem::received, messages_.received(),
                [&](const PointBox& part, double* array, std::byte* wire) {
                  received_.push_back(box(problem, part, array, wire));
                });
}

StridedCopies::CopiedBox StridedCopies::box(const HaloProblem& problem, const PointBox& part, double* array,
                                            std::byte* wire) {
  return {first_byte(problem, part, array),
          wire,
          part.count[0],
          part.count[1],
          part.count[2] * value_bytes,
          pitch_bytes(problem),
          problem.extents[1] + 2 * problem.width};
}

void StridedCopies::copy(const CopiedBox& box, bool to_host) {
  if (copy_box_ != nullptr)
    copy_by_driver(box, to_host);
  else
    copy_rows(box, to_host);
}

void StridedCopies::copy_by_driver(const CopiedBox& box, bool to_host) {
  constexpr unsigned of_host = 1, of_device = 2;
  DriverBox::Side array{}, wire{};
  array.kind = of_device;
  array.device = accelerate::number_of(box.array);
  array.pitch_bytes = size(box.pitch_bytes);
  array.rows = size(box.rows);
  wire.kind = of_host;
  wire.host = box.wire;
  wire.pitch_bytes = size(box.width_bytes);
  wire.rows = size(box.height);
  const DriverBox whole{to_host ? array : wire, to_host ? wire : array, size(box.width_bytes),
                        size(box.height), size(box.depth)};
  const int result = copy_box_(&whole, stream_.get());
  if (result != 0) fail(Fault::internal, "cuMemcpy3DAsync fails with error ", result);
}

void StridedCopies::copy_rows(const CopiedBox& box, bool to_host) {
  std::byte* wire = box.wire;
  for (Count z = 0; z < box.depth; ++z)
    for (Count y = 0; y < box.height; ++y, wire += box.width_bytes) {
      std::byte* const row = box.array + (z * box.rows + y) * box.pitch_bytes;
      device_.copy(to_host ? wire : row, to_host ? row : wire, box.width_bytes, stream_.get());
    }
}

void StridedCopies::run() {
  for (const CopiedBox& box : sent_) copy(box, true);
  device_.synchronize(stream_.get());
  messages_.run();
  for (const CopiedBox& box : received_) copy(box, false);
  device_.synchronize(stream_.get());
}

PackedCopies::PackedCopies(const HaloProblem& problem, Device& device)
    : device_(device),
      stream_(device),
      messages_(problem, device),
      buffer_(device, OwnMemory::Kind::of_device, messages_.bytes()),
      pack_(device, gathered(problem, buffer_.get())),
      unpack_(device, scattered(problem, buffer_.get())) {}

void PackedCopies::run() {
  pack_.launch(stream_.get());
  device_.copy(messages_.sent(), buffer_.get(), messages_.bytes(), stream_.get());
  device_.synchronize(stream_.get());
  messages_.run();
  device_.copy(buffer_.get(), messages_.received(), messages_.bytes(), stream_.get());
  unpack_.launch(stream_.get());
  device_.synchronize(stream_.get());
}

PackingAlone::PackingAlone(const HaloProblem& problem, Device& device)
    : device_(device),
      stream_(device),
      bytes_(firsts_of(problem).back()),
      to_(device, OwnMemory::Kind::of_device, bytes_),
      from_(device, OwnMemory::Kind::of_device, bytes_),
      pack_(device, gathered(problem, to_.get())) {}

void PackingAlone::pack() {
  pack_.launch(stream_.get());
  device_.synchronize(stream_.get());
}

void PackingAlone::copy() {
  device_.copy(to_.get(), from_.get(), bytes_, stream_.get());
  device_.synchronize(stream_.get());
}

std::vector<double> PackingAlone::packed() const {
  std::vector<double> values(size(bytes_ / value_bytes));
  device_.copy(reinterpret_cast<std::byte*>(values.data()), to_.get(), bytes_, stream_.get());
  device_.synchronize(stream_.get());
  return values;
}

}  // namespace halocline::tools
