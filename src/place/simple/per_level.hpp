// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace halocline::place {

/// One entry for each level, on the stack for the usual number of them.
template <class Entry>
class PerLevel {
 public:
  explicit PerLevel(std::size_t levels) : unusual_(levels > usual_.size() ? levels : 0) {}
  [[nodiscard]] Entry* data() { return unusual_.empty() ? usual_.data() : unusual_.data(); }
  [[nodiscard]] Entry& operator[](std::size_t level) { return data()[level]; }

 private:
  std::array<Entry, 8> usual_;
  std::vector<Entry> unusual_;
};

}  // namespace halocline::place
