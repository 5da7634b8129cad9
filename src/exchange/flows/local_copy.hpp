// SPDX-License-Identifier: BSD-3-Clause
// Blocks that a process sends to itself.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/memory/memory_news.hpp"
#include "halocline/compile/copier.hpp"

#include <span>
#include <vector>

namespace halocline::exchange {

/// Copies the bytes of some parts to others of the same size.
class LocalCopy {
 public:
  /// @pre offsets are addresses, both lists have as many bytes
  LocalCopy(std::span<const compile::Part> from, std::span<const compile::Part> to)
      : copier_(compile::Packer(from), compile::Packer(to)) {}
  LocalCopy(const compile::Part& from, const compile::Part& to)
      : LocalCopy(std::span(&from, 1), std::span(&to, 1)) {}
  void copy(Share share = {}) const {
    if (share.whole())
      copier_.copy(nullptr, nullptr);
    else
      copier_.copy_part(nullptr, nullptr, share.number, share.of);
    if (share.number == 0) spend_on_copy(copier_.bytes());
  }
  [[nodiscard]] Count bytes() const { return copier_.bytes(); }
  [[nodiscard]] Count runs() const { return copier_.runs(); }

  /// As those of compile::Copier.
  [[nodiscard]] Count slices() const { return copier_.slices(); }
  void copy_slice(Count slice) const {
    copier_.copy_slice(nullptr, nullptr, slice);
    if (slice == 0) spend_on_copy(copier_.bytes());
  }

 private:
  compile::Copier copier_;
};

/// What they cost, one by one.
[[nodiscard]] Load load_of(std::span<const LocalCopy> copies);

/// Those of one start.
class LocalCopies : public Flow {
 public:
  explicit LocalCopies(std::vector<LocalCopy> copies);
  void begin() override { done_ = false; }
  [[nodiscard]] bool advance() override;

 private:
  void copy(std::size_t item, Share share) const;

  std::vector<LocalCopy> whole_;
  std::vector<std::vector<LocalCopy>> in_turns_;  ///< Of as many slices each.
  Load load_;                                     ///< First of the former, then of the latter.
  bool done_ = true;
};

}  // namespace halocline::exchange
