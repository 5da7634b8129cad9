// SPDX-License-Identifier: BSD-3-Clause
// Memory for packed messages, kept for the next ones: to get fresh pages takes longer than to pack into them.
#pragma once

#include <cstddef>
#include <utility>

namespace halocline::exchange {

/// Owns memory that was taken from what earlier ones left behind, as far as that goes. Not for threads that
/// run at once.
class KeptBuffer {
 public:
  /// None.
  KeptBuffer() = default;
  /// Room for so many bytes, with anything in it. Throws std::bad_alloc.
  explicit KeptBuffer(std::size_t bytes);
  KeptBuffer(KeptBuffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_class_(other.size_class_) {}
  KeptBuffer& operator=(KeptBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_class_, other.size_class_);
    return *this;
  }
  KeptBuffer(const KeptBuffer&) = delete;
  KeptBuffer& operator=(const KeptBuffer&) = delete;
  ~KeptBuffer();

  [[nodiscard]] std::byte* get() const { return memory_; }
  [[nodiscard]] explicit operator bool() const { return memory_ != nullptr; }

 private:
  std::byte* memory_ = nullptr;
  int size_class_ = 0;
};

}  // namespace halocline::exchange
