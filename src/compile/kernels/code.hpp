// SPDX-License-Identifier: BSD-3-Clause
// What is made of layouts: code that packs and unpacks them, and what it is made from.
#pragma once

#include "compile/form/canonical.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace halocline::compile {

/// What an engine makes: functions that pack and unpack one unit. Immutable; any thread may call them.
class Code {
 public:
  using Pack = void(const void* context, const std::byte* base, std::byte* wire);
  using Unpack = void(const void* context, const std::byte* wire, std::byte* base);
  /// The whole stream at once: the fast path, without a check.
  struct Whole {
    const void* context = nullptr;
    Pack* pack = nullptr;
    Unpack* unpack = nullptr;
  };

  Code() = default;
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  virtual ~Code() = default;

  [[nodiscard]] const Whole& whole() const { return whole_; }
  /// The name of the engine whose code copies whole streams now: one that could not make any leaves it to
  /// kernels, and auto changes its mind.
  [[nodiscard]] virtual std::string_view engine() const = 0;

  /// Bytes [first, first + bytes) of the stream; wire points to the first of them. @pre they exist
  virtual void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const = 0;
  virtual void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const = 0;

 protected:
  Whole whole_;  ///< Set by the constructor of the derived class; the context lives as long as this.
};

/// What an engine gets: the parts of a unit and their canonical form. The form outlives the code, the list of
/// parts does not.
struct CodeUnit {
  std::span<const Part> parts;
  const Canonical& canonical;
  std::optional<Count> packs = std::nullopt;  ///< How often it will be packed, if somebody knows.
};

}  // namespace halocline::compile
