// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/call_blocks.hpp"

#include "base/integers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <utility>

namespace halocline::preload {
namespace {

constexpr Count alignment = 64;

/// Other processes wait for this one: it cannot leave the call to the system.
template <class Work>
void on_devices(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const int code = error.fault() == Fault::out_of_memory ? MPI_ERR_NO_MEM : MPI_ERR_INTERN;
    throw Error(Fault::mpi, error.what(), code);
  }
}

}  // namespace

CallBlocks::CallBlocks(BlockStreams out, BlockStreams in) : out_(std::move(out)), in_(std::move(in)) {
  const auto is_elsewhere = [](const BlockStream& block) { return block.device() != nullptr; };
  if (std::any_of(out_.begin(), out_.end(), is_elsewhere) ||
      std::any_of(in_.begin(), in_.end(), is_elsewhere))
    on_devices([&] { stage(); });
}

CallBlocks::StagedBlocks& CallBlocks::stage_of(accelerate::Device& device) {
  const auto found = std::find_if(stages_.begin(), stages_.end(),
                                  [&](const StagedBlocks& stage) { return stage.device == &device; });
  return found != stages_.end() ? *found : stages_.emplace_back(StagedBlocks{&device, {}, {}, {}, {}});
}

void CallBlocks::stage() {
  for (const BlockStream& block : out_)
    if (block.device() != nullptr)
      stage_of(*block.device()).out.push_back({block.packer(), block.address(), nullptr, block.bytes()});
  for (std::size_t i = 0; i < in_.size(); ++i)
    if (in_[i].device() != nullptr) {
      StagedBlocks& stage = stage_of(*in_[i].device());
      stage.in.push_back({in_[i].packer(), in_[i].address(), nullptr, in_[i].bytes()});
      stage.numbers_in.push_back(i);
    }
  for (StagedBlocks& stage : stages_) {
    Count room = 0;
    const auto places_for = [&](std::vector<accelerate::Strip>& strips) {
      Counts places;
      for (const accelerate::Strip& strip : strips) {
        places.push_back(room);
        room = checked_add(room, checked_multiply(divide_up(strip.bytes, alignment), alignment));
      }
      return places;
    };
    const Counts out = places_for(stage.out), in = places_for(stage.in);
    stage.memory =
        accelerate::KeptMemory(*stage.device, accelerate::OwnMemory::Kind::pinned, std::max(room, Count{1}));
    for (std::size_t i = 0; i < out.size(); ++i) stage.out[i].wire = stage.memory.get() + out[i];
    for (std::size_t i = 0; i < in.size(); ++i) stage.in[i].wire = stage.memory.get() + in[i];
    std::size_t next = 0;
    for (BlockStream& block : out_)
      if (block.device() == stage.device) block = BlockStream(stage.out[next++].wire, block.bytes());
    for (std::size_t i = 0; i < stage.in.size(); ++i)
      in_[stage.numbers_in[i]] = BlockStream(stage.in[i].wire, stage.in[i].bytes);
  }
}

void CallBlocks::collect() const {
  for (const StagedBlocks& stage : stages_)
    on_devices([&] { move_strips(*stage.device, accelerate::StripDirection::pack, stage.out); });
}

void CallBlocks::distribute() {
  for (StagedBlocks& stage : stages_) {
    for (std::size_t i = 0; i < stage.in.size(); ++i)
      stage.in[i].bytes = std::min(in_[stage.numbers_in[i]].received(), in_[stage.numbers_in[i]].bytes());
    on_devices([&] { move_strips(*stage.device, accelerate::StripDirection::unpack, stage.in); });
  }
}

}  // namespace halocline::preload
