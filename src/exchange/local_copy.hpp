// Blocks that a process sends to itself.
#pragma once

#include "exchange/flow.hpp"
#include "exchange/memory_news.hpp"
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
  void copy() const {
    copier_.copy(nullptr, nullptr);
    spend_on_copy(copier_.bytes());
  }

 private:
  compile::Copier copier_;
};

/// Those of one start.
class LocalCopies : public Flow {
 public:
  explicit LocalCopies(std::vector<LocalCopy> copies) : copies_(std::move(copies)) {}
  void begin() override { done_ = false; }
  [[nodiscard]] bool advance() override {
    if (done_) return true;
    const Lap lap(stopwatch());
    for (const LocalCopy& copy : copies_) copy.copy();
    return done_ = true;
  }

 private:
  std::vector<LocalCopy> copies_;
  bool done_ = true;
};

}  // namespace halocline::exchange
