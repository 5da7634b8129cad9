// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/evidence.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::plan {
namespace {

/// Of the pairs that could, so many tenths send along an offset of the stencil.
constexpr Count tenths_of_a_complete_offset = 9;

struct Tally {
  Count pairs = 0;
  Count bytes = 0;
};

/// Offsets within the reach as numbers, and back.
class OffsetNumbers {
 public:
  static constexpr Count base = 2 * most_reach + 1;
  static constexpr std::size_t none = ~std::size_t{0};

  OffsetNumbers(const Counts& extents, const Periodicity& periodic) : extents_(extents), periodic_(periodic) {
    for (std::size_t d = 0; d < extents.size(); ++d) size_ *= to_size(base);
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::size_t number(const std::int32_t* from, const std::int32_t* to) const {
    Count number = 0;
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const Count step = shortest(to[d] - from[d], d);
      if (std::abs(step) > most_reach) return none;
      number = number * base + step + most_reach;
    }
    return to_size(number);
  }

  [[nodiscard]] Offset offset(std::size_t number) const {
    Offset offset(extents_.size());
    Count rest = to_count(number);
    for (std::size_t d = extents_.size(); d-- > 0; rest /= base) offset[d] = rest % base - most_reach;
    return offset;
  }

  /// How many cells have a neighbour there.
  [[nodiscard]] Count possible(const Offset& offset) const {
    Count cells = 1;
    for (std::size_t d = 0; d < offset.size(); ++d)
      cells *= extents_[d] - (periodic_[d] ? 0 : std::abs(offset[d]));
    return cells;
  }

 private:
  [[nodiscard]] Count shortest(Count step, std::size_t d) const {
    if (!periodic_[d]) return step;
    const Count extent = extents_[d];
    if (2 * step > extent) return step - extent;
    return 2 * step <= -extent ? step + extent : step;
  }

  const Counts& extents_;
  const Periodicity& periodic_;
  std::size_t size_ = 1;
};

/// Messages that go more than half way across are a sign of a ring: as many as a quarter of its ends.
std::vector<bool> may_be_rings(const MessageMatrix& matrix, const Reading& reading) {
  const std::size_t dimensions = reading.dimensions();
  Counts far(dimensions);
  matrix.for_each([&](std::size_t source, std::size_t target, Count) {
    const std::int32_t *from = reading.cell(source), *to = reading.cell(target);
    for (std::size_t d = 0; d < dimensions; ++d)
      far[d] += 2 * std::abs(Count{to[d]} - from[d]) > reading.extents[d] ? 1 : 0;
  });
  std::vector<bool> rings(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d)
    rings[d] = reading.extents[d] > 2 && far[d] > 0 && 4 * far[d] * reading.extents[d] >= matrix.ranks();
  return rings;
}

bool better(const Evidence& a, const Evidence& b, const MessageMatrix& matrix) {
  const double gain = b.defect(matrix) - a.defect(matrix);
  return gain > 1e-9 || (gain > -1e-9 && a.offsets.size() < b.offsets.size());
}

}  // namespace

double Evidence::defect(const MessageMatrix& matrix) const {
  if (offsets.empty()) return 2;
  return 1 - ratio_of(explained_bytes, matrix.bytes()) + ratio_of(absent, possible);
}

Evidence evidence(const MessageMatrix& matrix, const Reading& reading, Periodicity periodic) {
  const OffsetNumbers numbers(reading.extents, periodic);
  std::vector<Tally> tallies(numbers.size());
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    const std::size_t number = numbers.number(reading.cell(source), reading.cell(target));
    if (number == OffsetNumbers::none) return;
    ++tallies[number].pairs;
    tallies[number].bytes += bytes;
  });
  Evidence found;
  for (std::size_t number = 0; number < tallies.size(); ++number) {
    const auto [pairs, bytes] = tallies[number];
    if (pairs == 0) continue;
    Offset offset = numbers.offset(number);
    const Count possible = numbers.possible(offset);
    if (10 * pairs < tenths_of_a_complete_offset * possible) continue;
    found.offsets.push_back({std::move(offset), pairs, bytes});
    found.explained_bytes += bytes;
    found.absent += possible - pairs;
    found.possible += possible;
  }
  found.periodicity = std::move(periodic);
  return found;
}

bool Evidence::has_all_steps() const {
  std::vector<bool> found(periodicity.size());
  for (const OffsetEvidence& entry : offsets) {
    Count length = 0;
    std::size_t along = 0;
    for (std::size_t d = 0; d < found.size(); ++d) {
      length += std::abs(entry.offset[d]);
      if (entry.offset[d] != 0) along = d;
    }
    if (length == 1) found[along] = true;
  }
  return std::find(found.begin(), found.end(), false) == found.end();
}

Evidence evidence(const MessageMatrix& matrix, const Reading& reading) {
  const std::vector<bool> rings = may_be_rings(matrix, reading);
  Evidence best;
  for (unsigned mask = 0; mask < 1U << reading.dimensions(); ++mask) {
    Periodicity periodic(reading.dimensions());
    bool wanted = true;
    for (std::size_t d = 0; d < reading.dimensions(); ++d) {
      periodic[d] = (mask >> d & 1U) != 0;
      wanted = wanted && (rings[d] || !periodic[d]);
    }
    if (!wanted) continue;
    Evidence found = evidence(matrix, reading, std::move(periodic));
    if (mask == 0 || better(found, best, matrix)) best = std::move(found);
  }
  return best;
}

}  // namespace halocline::plan
