// Blocks that a process sends to itself.
#pragma once

#include "exchange/flow.hpp"
#include "halocline/compile/packer.hpp"

#include <span>
#include <vector>

namespace halocline::exchange {

/// Copies the bytes of some parts to others of the same size.
class LocalCopy {
 public:
  /// @pre offsets are addresses, both lists have as many bytes
  LocalCopy(std::span<const compile::Part> from, std::span<const compile::Part> to) : from_(from), to_(to) {}
  LocalCopy(const compile::Part& from, const compile::Part& to) : from_(from), to_(to) {}
  void copy() const;

 private:
  compile::Packer from_, to_;
};

/// Those of one start.
class LocalCopies : public Flow {
 public:
  explicit LocalCopies(std::vector<LocalCopy> copies) : copies_(std::move(copies)) {}
  void begin() override { done_ = false; }
  [[nodiscard]] bool advance() override {
    if (!done_)
      for (const LocalCopy& copy : copies_) copy.copy();
    return done_ = true;
  }

 private:
  std::vector<LocalCopy> copies_;
  bool done_ = true;
};

}  // namespace halocline::exchange
