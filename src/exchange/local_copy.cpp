#include "exchange/local_copy.hpp"

#include <algorithm>
#include <array>

namespace halocline::exchange {
namespace {

std::byte* address(Count offset) {
  return reinterpret_cast<std::byte*>(offset);  // NOLINT(performance-no-int-to-ptr): it was a pointer
}

}  // namespace

void LocalCopy::copy() const {
  if (const auto whole = from_.contiguous()) return to_.unpack(address(whole->offset), nullptr);
  if (const auto whole = to_.contiguous()) return from_.pack(nullptr, address(whole->offset));
  std::array<std::byte, 8192> bounce;
  const auto room = static_cast<Count>(bounce.size());
  for (Count first = 0; first < from_.bytes(); first += room) {
    const Count bytes = std::min(room, from_.bytes() - first);
    from_.pack(nullptr, bounce.data(), first, bytes);
    to_.unpack(bounce.data(), nullptr, first, bytes);
  }
}

}  // namespace halocline::exchange
