// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/kept_buffer.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <array>
#include <bit>
#include <memory>

namespace halocline::exchange {
namespace {

/// What nobody has at the moment, in lists by size: powers of two, and a little more, since a message of such
/// a size may have a gap.
class Store {
 public:
  static constexpr std::size_t more = 64;

  /// Lives as long as the process: requests may be completed by whatever runs at its end.
  static Store& of_process() {
    static Store& store = *new Store;
    return store;
  }

  static int size_class(std::size_t bytes) {
    return to_int(std::bit_width(bytes > more ? bytes - more - 1 : 0));
  }
  static std::size_t room(int size_class) { return (std::size_t{1} << size_class) + more; }

  std::byte* take(int size_class) {
    Free*& first = first_[to_index(size_class)];
    if (first == nullptr) return std::make_unique_for_overwrite<std::byte[]>(room(size_class)).release();
    Free* const taken = first;
    first = taken->next;
    kept_ -= room(size_class);
    std::destroy_at(taken);
    return reinterpret_cast<std::byte*>(taken);
  }

  void give_back(std::byte* memory, int size_class) noexcept {
    if (kept_ + room(size_class) > most_kept) return std::default_delete<std::byte[]>()(memory);
    Free*& first = first_[to_index(size_class)];
    first = std::construct_at(reinterpret_cast<Free*>(memory), Free{first});
    kept_ += room(size_class);
  }

 private:
  static constexpr std::size_t most_kept = std::size_t{32} << 20;
  /// Lies in the memory itself.
  struct Free {
    Free* next;
  };
  std::array<Free*, 64> first_{};
  std::size_t kept_ = 0;
};

}  // namespace

KeptBuffer::KeptBuffer(std::size_t bytes)
    : memory_(Store::of_process().take(Store::size_class(bytes))), size_class_(Store::size_class(bytes)) {}

KeptBuffer::~KeptBuffer() {
  if (memory_ != nullptr) Store::of_process().give_back(memory_, size_class_);
}

}  // namespace halocline::exchange
