// SPDX-License-Identifier: BSD-3-Clause
// Lists of runs, which are filled right after they are made.
#pragma once

#include "halocline/describe/layout.hpp"

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace halocline::compile {

/// Leaves new elements as they are instead of clearing them: that would take as long as filling them.
template <class T>
struct Uninitialized : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Uninitialized<U>;
  };
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

using RunList = std::vector<Segment, Uninitialized<Segment>>;

}  // namespace halocline::compile
