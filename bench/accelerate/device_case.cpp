#include "device_case.hpp"

#include "accelerate/kernel/addresses.hpp"
#include "base/fail.hpp"
#include "halocline/compile/packer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

namespace halocline::bench {
namespace {

using accelerate::Move;
using accelerate::OwnMemory;
using accelerate::Transfer;

Count count_of(const std::byte* address) { return static_cast<Count>(accelerate::number_of(address)); }

void turn(std::vector<Move>& moves) {
  for (Move& move : moves) {
    std::swap(move.from, move.to);
    for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
  }
}

std::string make_all_ways(Direction& direction, const std::string& name, const std::vector<Move>& moves) {
  std::string source;
  for (const MadeRows rows : {MadeRows::as_aligned, MadeRows::ragged}) {
    if (rows == MadeRows::ragged && !has_ragged_rows(moves)) continue;
    const std::string its_name = name + (rows == MadeRows::ragged ? "_ragged" : "");
    MadeKernel kernel = made_kernel(its_name, moves, rows);
    direction.made.push_back({its_name, kernel.blocks});
    source += kernel.source;
  }
  return source;
}

}  // namespace

DeviceCase::DeviceCase(accelerate::Device& device, const PackCase& of, Count wire_offset)
    : device_(device),
      of_(of),
      form_(of.parts),
      wire_offset_(wire_offset),
      memory_(device, OwnMemory::Kind::of_device, of.memory_bytes),
      wire_(device, OwnMemory::Kind::of_device, wire_bytes()) {
  std::vector<Move> moves = accelerate::moves_to(form_, count_of(wire_.get()) + wire_offset_);
  for (Move& move : moves) move.from += count_of(memory_.get());
  pack_.table = Transfer(device_, moves);
  turn(moves);
  unpack_.table = Transfer(device_, moves);
}

std::string DeviceCase::make(const std::string& name) {
  std::vector<Move> moves = accelerate::moves_to(form_, wire_offset_);
  const std::string packing = make_all_ways(pack_, name + "_pack", moves);
  turn(moves);
  return packing + make_all_ways(unpack_, name + "_unpack", moves);
}

void DeviceCase::launch_made(const accelerate::CudaDriver& driver, const Made& made, bool packs,
                             accelerate::Stream stream) const {
  std::uint64_t from = accelerate::number_of(memory_.get()), to = accelerate::number_of(wire_.get());
  if (!packs) std::swap(from, to);
  void* parameters[] = {static_cast<void*>(&from), static_cast<void*>(&to)};
  const auto result = driver.launch(made.function, static_cast<unsigned>(made.blocks), 1, 1, made_threads, 1,
                                    1, 0, stream, static_cast<void**>(parameters), nullptr);
  if (result != accelerate::CudaDriver::success)
    fail(Fault::internal, "a kernel that was made did not start: ", result);
}

void DeviceCase::check(bool packs, const std::function<void()>& run) const {
  std::mt19937_64 random(1);
  const auto random_bytes = [&](Count count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + i, &word, std::min(sizeof word, bytes.size() - i));
    }
    return bytes;
  };
  const std::vector<std::byte> source = random_bytes(packs ? of_.memory_bytes : wire_bytes());
  std::vector<std::byte> target = random_bytes(packs ? wire_bytes() : of_.memory_bytes), expected = target;
  const compile::Packer packer(of_.parts);
  if (packs)
    packer.pack(source.data(), expected.data() + wire_offset_);
  else
    packer.unpack(source.data() + wire_offset_, expected.data());
  const OwnMemory &from = packs ? memory_ : wire_, &to = packs ? wire_ : memory_;
  device_.copy(from.get(), source.data(), static_cast<Count>(source.size()), nullptr);
  device_.copy(to.get(), target.data(), static_cast<Count>(target.size()), nullptr);
  device_.synchronize_all();
  run();
  device_.synchronize_all();
  device_.copy(target.data(), to.get(), static_cast<Count>(target.size()), nullptr);
  device_.synchronize_all();
  if (target != expected)
    fail(Fault::internal, of_.name, packs ? ": packing" : ": unpacking",
         " leaves other bytes behind than on the host");
}

}  // namespace halocline::bench
