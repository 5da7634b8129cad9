// Blocks that a process sends to itself.
#pragma once

#include "exchange/flow.hpp"
#include "halocline/compile/packer.hpp"

#include <vector>

namespace halocline::exchange {

/// Copies the bytes of one part to another of the same size, without a wire where one of them is contiguous.
class LocalCopy {
 public:
  /// @pre offsets are addresses, both parts have as many bytes
  LocalCopy(const compile::Part& from, const compile::Part& to) : from_(from), to_(to) {}
  void copy() const;

 private:
  compile::Packer from_, to_;
};

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
