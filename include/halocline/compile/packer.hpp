// One or many layouts, compiled: copies their bytes to a contiguous wire and back.
#pragma once

#include "halocline/compile/engines.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace halocline::compile {

/// Packs and unpacks the parts it was made of, one after the other in the packed stream, in the order of
/// their typemaps. An immutable value: a copy costs O(1), any thread may use it.
///
/// A base is where offset 0 lies; with layouts of absolute addresses it is null. The wire must not overlap
/// the data. Where a layout names a byte more than once, unpacking leaves one of its values there.
class Packer {
 public:
  /// Of nothing.
  Packer() : Packer(std::span<const Part>()) {}
  /// Throws as Canonical does.
  explicit Packer(const Part& part, const Engine& engine = default_engine(),
                  std::optional<Count> packs = std::nullopt)
      : Packer(std::span(&part, 1), engine, packs) {}
  /// Fused: the parts are compiled as one unit. `packs` tells the engine auto how often they will be packed,
  /// about; without it, it counts.
  explicit Packer(std::span<const Part> parts, const Engine& engine = default_engine(),
                  std::optional<Count> packs = std::nullopt);

  /// Of the packed stream.
  [[nodiscard]] Count bytes() const { return state_->canonical.bytes(); }

  void pack(const std::byte* base, std::byte* wire) const { whole_.pack(whole_.context, base, wire); }
  void unpack(const std::byte* wire, std::byte* base) const { whole_.unpack(whole_.context, wire, base); }

  /// Bytes [first, first + bytes) of the stream alone; wire points to the first of them. Throws
  /// Error{invalid_argument} if the stream does not have them.
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const;
  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const;

  /// The bytes from the base on that the stream is a plain copy of, if it is one: they need no packing.
  [[nodiscard]] std::optional<Segment> contiguous() const { return state_->canonical.contiguous(); }

  /// The name of the engine whose code packs whole streams now (Code::engine).
  [[nodiscard]] std::string_view engine() const { return state_->code->engine(); }
  [[nodiscard]] const Canonical& canonical() const { return state_->canonical; }

 private:
  struct State {
    State(std::span<const Part> parts, const Engine& engine, std::optional<Count> packs);

    Canonical canonical;
    std::unique_ptr<const Code> code;
  };

  std::shared_ptr<const State> state_;
  Code::Whole whole_;  ///< Of state_->code, one step nearer.
};

}  // namespace halocline::compile
