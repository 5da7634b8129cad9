#include "halocline/compile/copier.hpp"

#include "compile/address.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace halocline::compile {
namespace {

/// A quarter of the smallest first-level caches.
constexpr Count buffer_bytes = 8192;

}  // namespace

Copier::Copier(Packer from, Packer to) : from_(std::move(from)), to_(std::move(to)) {
  require(from_.bytes() == to_.bytes(), "a source of ", from_.bytes(),
          " bytes does not fit a destination of ", to_.bytes(), " bytes");
}

void Copier::copy(const std::byte* from_base, std::byte* to_base) const {
  if (const auto source = from_.contiguous()) return to_.unpack(at(from_base, source->offset), to_base);
  if (const auto target = to_.contiguous()) return from_.pack(from_base, at(to_base, target->offset));
  alignas(64) std::array<std::byte, buffer_bytes> buffer;
  if (bytes() <= buffer_bytes) {
    from_.pack(from_base, buffer.data());
    return to_.unpack(buffer.data(), to_base);
  }
  for (Count first = 0; first < bytes(); first += buffer_bytes) {
    const Count piece = std::min(buffer_bytes, bytes() - first);
    from_.pack(from_base, buffer.data(), first, piece);
    to_.unpack(buffer.data(), to_base, first, piece);
  }
}

}  // namespace halocline::compile
