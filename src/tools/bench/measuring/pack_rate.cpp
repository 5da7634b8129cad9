// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/pack_rate.hpp"

#include "base/numbers.hpp"
#include "base/wide.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/median.hpp"

#include <algorithm>
#include <vector>

namespace halocline::tools {

std::optional<double> pack_seconds(const compile::Packer& packer, const compile::Part& part) {
  constexpr Count most_bytes = Count{1} << 30;
  const Wide last = (Wide{part.count} - 1) * part.layout.extent();
  const Wide low = part.layout.true_lb() + std::min<Wide>(last, 0);
  const Wide span = part.layout.true_ub() + std::max<Wide>(last, 0) - low;
  if (span > most_bytes || packer.bytes() > most_bytes) return std::nullopt;

  std::vector<std::byte> memory(static_cast<std::size_t>(span), std::byte{1});
  std::vector<std::byte> wire(to_size(packer.bytes()), std::byte{1});
  const auto* const base =
      reinterpret_cast<const std::byte*>(  // NOLINT(performance-no-int-to-ptr): below the memory it may lie
          reinterpret_cast<std::uintptr_t>(memory.data()) - static_cast<std::uintptr_t>(low) -
          static_cast<std::uintptr_t>(part.offset));
  const auto batch_seconds = [&](int packs) {
    return seconds_of(
        wall_clock, [&] { packer.pack(base, wire.data()); }, packs);
  };
  constexpr double budget_seconds = 0.02;
  constexpr double most_seconds = 0.5;  // For packs that take longer than the budget.
  constexpr int most_batches = 21;
  // The first one finds cold caches; where packs take long that makes no difference.
  if (const double first = batch_seconds(1); first > most_seconds) return first;
  const double estimate = std::max(batch_seconds(2), 1e-9);
  const int batches = std::clamp(static_cast<int>(most_seconds / estimate), 1, most_batches);
  const int packs = std::clamp(static_cast<int>(budget_seconds / batches / estimate), 1, 1 << 20);
  std::vector<double> samples(to_size(batches));
  for (double& seconds : samples) seconds = batch_seconds(packs);
  return median(samples);
}

}  // namespace halocline::tools
