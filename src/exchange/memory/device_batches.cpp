// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_batches.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace halocline::exchange {
namespace {

/// The driver is asked once in so many looks: it tells of failures, and a device that the host plays works
/// only when it is asked.
constexpr unsigned looks_for_each_question = 64;
/// So that no two words are in one line of a cache.
constexpr std::size_t word_distance = 64 / sizeof(std::uint64_t);

}  // namespace

DeviceGathers::DeviceGathers(accelerate::Device& device, const std::vector<DeviceBatch>& batches)
    : device_(&device) {
  if (batches.empty()) return;
  const std::size_t bytes = batches.size() * word_distance * sizeof(std::uint64_t);
  words_ = accelerate::OwnMemory(device, accelerate::OwnMemory::Kind::pinned, static_cast<Count>(bytes));
  std::memset(words_.get(), 0, bytes);
  auto* word = reinterpret_cast<std::uint64_t*>(words_.get());
  for (const DeviceBatch& batch : batches) {
    const std::array<accelerate::Signal, 1> told{{{word, 0}}};
    batches_.push_back(
        {batch.peers, accelerate::Transfer(device, batch.moves), accelerate::News(device, told), word});
    word += word_distance;
  }
}

void DeviceGathers::launch(accelerate::Stream stream) {
  ++launches_;
  stream_ = stream;
  looks_in_vain_ = 0;
  for (Batch& batch : batches_) {
    batch.done = batch.transfer.empty();
    if (!batch.done) batch.transfer.launch(stream, batch.news, launches_);
  }
}

bool DeviceGathers::look(Batch& batch) {
  // The device writes it beside this program.
  const auto is_told = [&] {
    return std::atomic_ref<std::uint64_t>(*batch.word).load(std::memory_order_acquire) == launches_;
  };
  if (batch.done || is_told()) return batch.done = true;
  if (looks_in_vain_++ % looks_for_each_question > 0 || !device_->finished(stream_)) return false;
  if (!is_told()) fail(Fault::internal, "a kernel on ", device_->name(), " is done and has not told so");
  return batch.done = true;
}

bool DeviceGathers::packed(Rank peer) {
  for (Batch& batch : batches_)
    if (std::find(batch.peers.begin(), batch.peers.end(), peer) != batch.peers.end()) return look(batch);
  return true;  // nothing for it lies on the device
}

bool DeviceGathers::all_packed() {
  return std::all_of(batches_.begin(), batches_.end(), [&](Batch& batch) { return look(batch); });
}

DeviceScatters::DeviceScatters(accelerate::Device& device, const std::vector<DeviceBatch>& batches) {
  for (const DeviceBatch& batch : batches)
    batches_.push_back({batch.peers, accelerate::Transfer(device, batch.moves)});
}

void DeviceScatters::begin() {
  for (Batch& batch : batches_) {
    batch.missing = batch.peers.size();
    batch.launched = false;
  }
}

void DeviceScatters::arrived(Rank peer, accelerate::Stream stream) {
  for (Batch& batch : batches_)
    if (std::find(batch.peers.begin(), batch.peers.end(), peer) != batch.peers.end() && --batch.missing == 0)
      launch(batch, stream);
}

void DeviceScatters::finish(accelerate::Stream stream) {
  for (Batch& batch : batches_) launch(batch, stream);
}

void DeviceScatters::launch(Batch& batch, accelerate::Stream stream) {
  if (batch.launched) return;
  batch.launched = true;
  batch.transfer.launch(stream);
}

}  // namespace halocline::exchange
