// The bytes of datatypes, one by one as the typemap has them: what packing and sending must do.
#pragma once

#include "describe/layout_typemap.hpp"
#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace halocline {

using Bytes = std::vector<unsigned char>;

constexpr Count guard = 64;  ///< Bytes around what is written.

inline Bytes random_bytes(Count size, std::mt19937_64& random) {
  Bytes bytes(static_cast<std::size_t>(size));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i, number >>= 8) {
    if (i % sizeof number == 0) number = random();
    bytes[i] = static_cast<unsigned char>(number);
  }
  return bytes;
}

/// The data of `count` elements of a layout, byte by byte as the typemap has it, moved so that the lowest
/// byte is number `guard` of a buffer that has as much room behind.
struct Image {
  std::vector<std::size_t> places;  ///< In the buffer, in the order of the packed form.
  Count origin = guard;             ///< Where offset 0 lies in the buffer.
  Count buffer_bytes = 2 * guard;
  bool overlaps = false;  ///< Unpacking is erroneous in MPI then.

  Image(const Layout& layout, Count count) {
    Typemap typemap = typemap_of(layout);
    std::erase_if(typemap, [](const Entry& e) { return e.kind != Entry::Kind::data; });
    Counts offsets;
    for (Count element = 0; element < count; ++element)
      for (const Entry& e : typemap)
        for (Count byte = 0; byte < e.bytes; ++byte)
          offsets.push_back(element * layout.extent() + e.displacement + byte);
    if (offsets.empty()) return;
    const auto [lowest, highest] = std::minmax_element(offsets.begin(), offsets.end());
    origin = guard - *lowest;
    buffer_bytes = *highest - *lowest + 1 + 2 * guard;
    std::vector<bool> taken(static_cast<std::size_t>(buffer_bytes));
    for (const Count offset : offsets) {
      places.push_back(static_cast<std::size_t>(offset + origin));
      overlaps = overlaps || taken[places.back()];
      taken[places.back()] = true;
    }
  }

  /// Offset 0 may lie outside the buffer.
  [[nodiscard]] unsigned char* base(Bytes& buffer) const {
    return reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(buffer.data()) +
                                            static_cast<std::uintptr_t>(origin));
  }
  [[nodiscard]] Bytes packed(const Bytes& buffer) const {
    Bytes wire;
    for (const std::size_t place : places) wire.push_back(buffer[place]);
    return wire;
  }
  void unpack(const Bytes& wire, Bytes& buffer) const {
    for (std::size_t i = 0; i < places.size(); ++i) buffer[places[i]] = wire[i];
  }
  /// What `actual` must be after unpacking over `before`: where the wire has several values for a place, any
  /// of them will do.
  [[nodiscard]] Bytes unpacked(const Bytes& wire, Bytes before, const Bytes& actual) const {
    unpack(wire, before);
    for (std::size_t i = 0; overlaps && i < places.size(); ++i)
      if (actual[places[i]] == wire[i]) before[places[i]] = wire[i];
    return before;
  }
};

}  // namespace halocline
