// SPDX-License-Identifier: BSD-3-Clause
// One or many layouts, compiled: copies their bytes to a contiguous wire and back.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/layout.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace halocline::compile {

class Canonical;  // of the implementation

/// `count` elements of a layout, as MPI counts them: each an extent after the one before it.
struct Part {
  Layout layout;
  Count count = 1;
  Count offset = 0;  ///< In bytes, from the base that is given when packing.
};

/// What makes code out of layouts; engine() finds one.
struct Engine;
/// The engine of that name: kernels (compiled beforehand), llvm (generated on the spot) or auto, which takes
/// llvm where as many packs as are announced will pay for it. llvm and auto use kernels where the module
/// libhalocline-llvm.so is missing. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] HALOCLINE_API const Engine& engine(std::string_view name);
/// The engine for those who do not choose: the best that is always there.
[[nodiscard]] HALOCLINE_API const Engine& default_engine();

/// Packs and unpacks the parts it was made of, one after the other in the packed stream, in the order of
/// their typemaps. An immutable value: a copy costs O(1), any thread may use it.
///
/// A base is where offset 0 lies; with layouts of absolute addresses it is null. The wire must not overlap
/// the data. Where a layout names a byte more than once, unpacking leaves one of its values there.
class HALOCLINE_API Packer {
 public:
  /// Of nothing.
  Packer() : Packer(std::span<const Part>()) {}
  /// Throws Error{invalid_argument} for a negative count or more bytes than 64 bits count,
  /// Error{invalid_type} for an offset that leaves 64 bits, Error{unsupported} for more than 2000 levels of
  /// constructors. Linear in the length of explicit lists.
  explicit Packer(const Part& part, const Engine& engine = default_engine(),
                  std::optional<Count> packs = std::nullopt)
      : Packer(std::span(&part, 1), engine, packs) {}
  /// Fused: the parts are compiled as one unit. `packs` tells the engine auto how often they will be packed,
  /// about.
  explicit Packer(std::span<const Part> parts, const Engine& engine = default_engine(),
                  std::optional<Count> packs = std::nullopt);

  /// Of the packed stream.
  [[nodiscard]] Count bytes() const { return bytes_; }

  void pack(const std::byte* base, std::byte* wire) const { pack_(context_, base, wire); }
  void unpack(const std::byte* wire, std::byte* base) const { unpack_(context_, wire, base); }

  /// Bytes [first, first + bytes) of the stream alone; wire points to the first of them. Throws
  /// Error{invalid_argument} if the stream does not have them.
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const;
  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const;

  /// The bytes from the base on that the stream is a plain copy of, if it is one: they need no packing.
  [[nodiscard]] std::optional<Segment> contiguous() const;

  /// The name of the engine whose code packs whole streams now: one that could not make any leaves it to
  /// kernels.
  [[nodiscard]] std::string_view engine() const;

 private:
  friend const Canonical& canonical_of(const Packer& packer);

  struct State;
  std::shared_ptr<const State> state_;
  // Of the state, one step nearer.
  Count bytes_;
  const void* context_;
  void (*pack_)(const void* context, const std::byte* base, std::byte* wire);
  void (*unpack_)(const void* context, const std::byte* wire, std::byte* base);
};

}  // namespace halocline::compile
