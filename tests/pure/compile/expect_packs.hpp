// A packer against the typemap, byte by byte, with guards around everything it may write to.
#pragma once

#include "../describe/layout_typemap.hpp"
#include "base/fail.hpp"
#include "halocline/compile/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace halocline::compile {

/// The offsets of the packed stream, one for each byte, by the words of the standard.
inline Counts stream_of(std::span<const Part> parts) {
  Counts stream;
  for (const auto& [layout, count, offset] : parts) {
    const Typemap typemap = typemap_of(layout);
    for (Count i = 0; i < count; ++i)
      for (const Entry& entry : typemap)
        for (Count b = 0; entry.kind == Entry::Kind::data && b < entry.bytes; ++b)
          stream.push_back(offset + i * layout.extent() + entry.displacement + b);
  }
  return stream;
}

/// Memory around the offsets of a stream, with guards on both sides.
class Arena {
 public:
  explicit Arena(const Counts& stream) {
    constexpr Count guard = 64;
    const auto [least, most] = std::minmax_element(stream.begin(), stream.end());
    low_ = (stream.empty() ? 0 : *least) - guard;
    bytes_.resize(static_cast<std::size_t>((stream.empty() ? 0 : *most) + 1 + guard - low_));
  }

  void fill(std::mt19937_64& random) {
    for (std::byte& b : bytes_) b = static_cast<std::byte>(random());
  }
  std::byte* base() { return bytes_.data() - low_; }
  std::byte& operator[](Count offset) { return bytes_[static_cast<std::size_t>(offset - low_)]; }
  bool operator==(const Arena&) const = default;

 private:
  Count low_ = 0;
  std::vector<std::byte> bytes_;
};

using Bytes = std::vector<std::byte>;

constexpr std::byte untouched{0xA5};

/// A wire with guards on both sides.
class Wire {
 public:
  explicit Wire(std::size_t bytes) : bytes_(bytes + 2 * guard, untouched) {}

  std::byte* data() { return bytes_.data() + guard; }
  [[nodiscard]] std::span<const std::byte> content() const {
    return std::span(bytes_).subspan(guard, bytes_.size() - 2 * guard);
  }
  [[nodiscard]] bool guards_intact() const {
    for (std::size_t i = 0; i < guard; ++i)
      if (bytes_[i] != untouched || bytes_[bytes_.size() - 1 - i] != untouched) return false;
    return true;
  }

 private:
  static constexpr std::size_t guard = 64;
  Bytes bytes_;
};

inline bool equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

struct Case {
  std::vector<Part> parts;
  Counts stream;
  std::string name;

  explicit Case(std::vector<Part> of) : parts(std::move(of)), stream(stream_of(parts)) {
    for (const auto& [layout, count, offset] : parts)
      name += concat(" ", count, " x ", layout.to_text(), " @ ", offset);
  }
};

inline void expect_packs(const Packer& packer, const Case& test, std::mt19937_64& random) {
  Arena memory(test.stream);
  memory.fill(random);
  Bytes expected;
  for (const Count offset : test.stream) expected.push_back(memory[offset]);
  ASSERT_EQ(packer.bytes(), static_cast<Count>(expected.size()));

  Wire wire(expected.size());
  packer.pack(memory.base(), wire.data());
  ASSERT_TRUE(equal(wire.content(), expected));
  ASSERT_TRUE(wire.guards_intact());

  // In pieces, out of order.
  Wire pieces(expected.size());
  std::vector<std::pair<Count, Count>> cuts;
  for (Count first = 0; first < packer.bytes();) {
    const Count bytes = std::min<Count>(packer.bytes() - first, 1 + static_cast<Count>(random() % 300));
    cuts.emplace_back(first, bytes);
    first += bytes;
  }
  std::shuffle(cuts.begin(), cuts.end(), random);
  for (const auto& [first, bytes] : cuts) packer.pack(memory.base(), pieces.data() + first, first, bytes);
  ASSERT_TRUE(equal(pieces.content(), expected)) << "in pieces";
  ASSERT_TRUE(pieces.guards_intact()) << "in pieces";
}

inline void expect_unpacks(const Packer& packer, const Case& test, std::mt19937_64& random) {
  Bytes wire(test.stream.size());
  for (std::byte& b : wire) b = static_cast<std::byte>(random());
  Arena before(test.stream);
  before.fill(random);
  Arena expected = before;
  for (std::size_t i = 0; i < wire.size(); ++i) expected[test.stream[i]] = wire[i];

  // Where the stream has several values for a byte, any of them will do.
  const auto right = [&](Arena& actual) {
    if (actual == expected) return true;
    Arena any = expected;
    for (std::size_t i = 0; i < wire.size(); ++i)
      if (actual[test.stream[i]] == wire[i]) any[test.stream[i]] = wire[i];
    return actual == any;
  };

  Arena memory = before;
  packer.unpack(wire.data(), memory.base());
  ASSERT_TRUE(right(memory));

  memory = before;
  for (Count first = 0; first < packer.bytes();) {
    const Count bytes = std::min<Count>(packer.bytes() - first, 1 + static_cast<Count>(random() % 300));
    packer.unpack(wire.data() + first, memory.base(), first, bytes);
    first += bytes;
  }
  ASSERT_TRUE(right(memory)) << "in pieces";
}

}  // namespace halocline::compile
