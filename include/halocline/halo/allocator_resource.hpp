// SPDX-License-Identifier: BSD-3-Clause
// Any allocator as a memory resource for one field.
#pragma once

#include "halocline/base/cxx20.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

namespace halocline {

/// Of the implementation. Asks for bytes and aligns them itself, since not all allocators know types that
/// have to lie at a cache line. Gives memory for one thing.
template <class Allocator>
class AllocatorResource final : public std::pmr::memory_resource {
  using Bytes = typename std::allocator_traits<Allocator>::template rebind_alloc<std::byte>;
  using Traits = std::allocator_traits<Bytes>;
  static_assert(std::is_same_v<typename Traits::pointer, std::byte*>,
                "a field lies at a plain address; this allocator has pointers of its own");

 public:
  explicit AllocatorResource(const Allocator& allocator) : allocator_(allocator) {}

 private:
  static std::size_t room(std::size_t bytes, std::size_t alignment) {
    if (bytes > std::numeric_limits<std::size_t>::max() - alignment) throw std::bad_alloc();
    return bytes + alignment;
  }
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    std::size_t space = room(bytes, alignment);
    begin_ = Traits::allocate(allocator_, space);
    void* first = begin_;
    return begin_ == nullptr ? nullptr : std::align(alignment, bytes, first, space);
  }
  void do_deallocate(void* /*memory*/, std::size_t bytes, std::size_t alignment) override {
    Traits::deallocate(allocator_, std::exchange(begin_, nullptr), room(bytes, alignment));
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  Bytes allocator_;
  std::byte* begin_ = nullptr;
};

/// Of the implementation.
template <class Allocator>
[[nodiscard]] std::shared_ptr<std::pmr::memory_resource> resource_of(const Allocator& allocator) {
  return std::make_shared<AllocatorResource<Allocator>>(allocator);
}

}  // namespace halocline
