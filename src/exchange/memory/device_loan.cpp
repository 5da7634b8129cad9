// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/device_loan.hpp"

#include "exchange/progress/stopwatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include <sched.h>

namespace halocline::exchange {
namespace {

/// For processes that end a halo at about the same time: later, memory is freed when another is made.
constexpr std::chrono::milliseconds longest_wait{10};

/// What is to be freed.
struct Lent {
  accelerate::OwnMemory words, incoming;
  std::vector<std::shared_ptr<void>> fields;
};

}  // namespace

void DeviceLoan::lend(NodeMemory& memory, std::shared_ptr<const void> keeper,
                      std::unique_ptr<NodeMemory::Arena> arena, Count flags, std::vector<std::size_t> peers,
                      std::size_t own) {
  memory_ = &memory;
  keeper_ = std::move(keeper);
  arena_ = std::move(arena);
  flags_ = flags;
  peers_ = std::move(peers);
  own_ = own;
}

DeviceLoan::~DeviceLoan() {
  opened.clear();  // another halo may still have it open: then others wait for that one, too
  if (!arena_) return;
  for (const std::size_t peer : peers_)
    std::atomic_ref<std::uint64_t>(*flag(arena_->of[peer], own_)).store(1, std::memory_order_release);
  std::vector<std::uint64_t*> closed;
  for (const std::size_t peer : peers_) closed.push_back(flag(arena_->mine, peer));
  const auto all_closed = [closed = std::move(closed)] {
    // NOLINTNEXTLINE(readability-non-const-parameter): atomic_ref takes nothing const
    return std::all_of(closed.begin(), closed.end(), [](std::uint64_t* one) {
      return std::atomic_ref<std::uint64_t>(*one).load(std::memory_order_acquire) == 1;
    });
  };
  const bool is_large = incoming.get() != nullptr || !fields.empty();
  const auto give_up = Clock::now() + (is_large ? longest_wait : std::chrono::milliseconds(0));
  while (!all_closed() && Clock::now() < give_up) sched_yield();
  // Never freed if the shared memory goes first: somebody may have it open still.
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory, bugprone-unhandled-exception-at-new): a few bytes
  auto* lent = new Lent{std::move(words), std::move(incoming), std::move(fields)};
  auto idle = [all_closed, lent]() mutable {
    if (!all_closed()) return false;
    delete std::exchange(lent, nullptr);  // NOLINT(cppcoreguidelines-owning-memory)
    return true;
  };
  memory_->retire(std::move(arena_), std::move(idle));
  memory_->collect();
}

}  // namespace halocline::exchange
