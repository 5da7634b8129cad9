// SPDX-License-Identifier: BSD-3-Clause
// What a datatype does to memory, in a form that no longer knows how it was built: the bytes it picks, in the
// order of the typemap, as few loops and lists.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/describe/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halocline::compile {

/// The byte sequence of one or several parts. Two parts are the same sequence if they name the same offsets
/// in the same order; element types and bounds do not matter.
///
/// The sequence is cut into *runs*, the longest stretches of bytes that follow each other in memory too.
/// Terms describe runs in order:
///
/// - a *nest*: equal blocks under loops, `dims` from the outermost to the innermost, each with at least 2
///   iterations;
/// - a *list*: blocks at given offsets from the first one, of one length or each of its own, possibly under
///   loops as well.
///
/// Guarantees:
/// - Equal forms have equal sequences, always.
/// - Equal sequences have equal forms if they have at most `exact_runs` runs, or if both were built by
/// repeating
///   one nest whose copies do not touch (vectors, subarrays, contiguous, ... around each other). Beyond that,
///   equal constructions have equal forms.
/// - The order of bytes is never changed.
class Canonical {
 public:
  static constexpr Count exact_runs = 2000;

  struct Dim {
    Count count;
    Count stride;  ///< In bytes.
    bool operator==(const Dim&) const = default;
  };

  struct Term {
    enum class Kind { nest, blocks, runs };
    Kind kind = Kind::nest;
    bool narrow = true;     ///< A list: its entries are 32 bits wide, otherwise 64.
    Count offset = 0;       ///< Of the first byte.
    Count block = 0;        ///< Bytes of each block; 0 in a list of runs of different length.
    Count bytes = 0;        ///< Of the packed stream.
    Count first_dim = 0;    ///< Into dims().
    Count dims = 0;         ///< Loops around the block or the list.
    Count first_entry = 0;  ///< Into narrow_entries() or wide_entries().
    Count entries = 0;      ///< Offsets from `offset`; in a list of runs as many lengths follow them.
    bool operator==(const Term&) const = default;
  };

  /// Of no bytes.
  Canonical() = default;
  /// Of `part`, or of the parts one after the other. Throws Error{invalid_argument} for a negative count or
  /// more bytes than 64 bits count, Error{invalid_type} for an offset that leaves 64 bits,
  /// Error{unsupported} for more than 2000 levels of constructors. Linear in the length of explicit lists;
  /// loops are not unrolled but for sequences of a few thousand runs.
  explicit Canonical(const Part& part) : Canonical(std::span(&part, 1)) {}
  explicit Canonical(std::span<const Part> parts);

  [[nodiscard]] Count bytes() const { return bytes_; }
  /// How many runs there are; beyond exact_runs, stretches that touch may count as several.
  [[nodiscard]] Count runs() const;
  /// The only run if there is but one: the sequence is already contiguous.
  [[nodiscard]] std::optional<Segment> contiguous() const;

  [[nodiscard]] std::span<const Term> terms() const { return terms_; }
  [[nodiscard]] std::span<const Dim> dims(const Term& term) const;
  [[nodiscard]] std::span<const std::int32_t> narrow_entries(const Term& term) const;
  [[nodiscard]] std::span<const std::int64_t> wide_entries(const Term& term) const;

  bool operator==(const Canonical&) const = default;
  [[nodiscard]] std::size_t hash() const;
  /// For people: "at 0: 2 by 24576, 8 by 768, 192 bytes"; terms are separated by "; ", long lists cut short.
  [[nodiscard]] std::string to_text() const;

 private:
  friend class CanonicalWriter;

  Count bytes_ = 0;
  std::vector<Term> terms_;
  std::vector<Dim> dims_;
  std::vector<std::int32_t> narrow_;
  std::vector<std::int64_t> wide_;
};

}  // namespace halocline::compile

template <>
struct std::hash<halocline::compile::Canonical> {
  std::size_t operator()(const halocline::compile::Canonical& form) const { return form.hash(); }
};
