// SPDX-License-Identifier: BSD-3-Clause
// Sequences of sizes, such as "40 nodes of 48 and 20 of 24", at a cost that depends on the variety alone.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halocline {

struct Run {
  Count repeats;
  Count value;
  bool operator==(const Run&) const = default;
};

/// A sequence of positive counts, kept as runs of equal neighbours. Seen as segments laid end to end, element
/// i covers the positions [start(i), start(i) + (*this)[i]); look-ups take O(log runs).
class HALOCLINE_API Runs {
 public:
  Runs() = default;
  /// Throw Error{invalid_argument} for a value below 1 or a total past 2^63 - 1.
  explicit Runs(const Counts& values);
  [[nodiscard]] static Runs of(Count repeats, Count value);

  /// Reads "40x48,20x24,17": repeats x value, or a value. Throws Error{invalid_argument}.
  [[nodiscard]] static Runs parse(std::string_view text);

  /// Adds `repeats` elements of `value` at the end. Throws as the constructors; repeats of 0 add nothing.
  void append(Count value, Count repeats = 1);

  [[nodiscard]] Count size() const { return size_; }    ///< Number of elements.
  [[nodiscard]] Count total() const { return total_; }  ///< Sum of the elements.
  [[nodiscard]] bool uniform() const { return runs_.size() <= 1; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

  /// @pre 0 <= index < size(); start(size()) is total()
  [[nodiscard]] Count operator[](Count index) const;
  [[nodiscard]] Count start(Count index) const;
  /// The element that covers `position`. @pre 0 <= position < total()
  [[nodiscard]] Count find(Count position) const;

  /// What parse reads, shortest form: "40x48,20x24,17".
  [[nodiscard]] std::string to_text() const;

  bool operator==(const Runs& other) const { return runs_ == other.runs_; }

 private:
  std::vector<Run> runs_;
  Counts first_index_;     ///< Of each run; the number of elements before it.
  Counts first_position_;  ///< Of each run; the sum of the elements before it.
  Count size_ = 0;
  Count total_ = 0;
};

}  // namespace halocline
