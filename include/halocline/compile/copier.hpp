// From one layout straight to another one, for what a process sends to itself.
#pragma once

#include "halocline/compile/packer.hpp"

namespace halocline::compile {

/// Copies the stream of `from` into the places of `to`: directly where both are the same loops at different
/// distances (a face and the margin it belongs to) or one side is contiguous, otherwise through a buffer that
/// stays in the nearest cache. An immutable value; any thread may use it. The source and the destination must
/// not overlap.
class Copier {
 public:
  /// Throws Error{invalid_argument} if the streams differ in length.
  Copier(Packer from, Packer to);

  [[nodiscard]] Count bytes() const { return from_.bytes(); }
  void copy(const std::byte* from_base, std::byte* to_base) const;

 private:
  Packer from_;
  Packer to_;
  bool same_loops_;
};

}  // namespace halocline::compile
