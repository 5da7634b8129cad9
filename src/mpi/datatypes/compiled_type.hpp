// SPDX-License-Identifier: BSD-3-Clause
// Datatypes ready to be packed, kept on their handles: the second use costs a look-up.
#pragma once

#include "compile/engines.hpp"
#include "compile/kernels/address.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/datatypes/engine_choice.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace halocline::mpi {

/// A layout compiled for any count. Small types are compiled for 1, 2, 4, ... elements at once, when a count
/// asks for it, until a call copies enough to be worth it; every other count is put together from these.
/// Any thread may use it.
class CompiledType {
 public:
  CompiledType(Layout layout, const EngineChoice& choice);
  CompiledType(const CompiledType&) = delete;
  CompiledType& operator=(const CompiledType&) = delete;
  ~CompiledType();

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const compile::Engine& engine() const { return *choice_.engine; }

  /// Of one packed element.
  [[nodiscard]] Count element_bytes() const { return element_bytes_; }
  /// Of `count` packed elements. Throws Error{invalid_argument} if that leaves 64 bits.
  [[nodiscard]] Count bytes(Count count) const;
  /// As bytes(), of elements that are in memory; throws Error{invalid_type} if no memory has so many.
  [[nodiscard]] Count bytes_in_memory(Count count) const {
    if (count > most_elements_) [[unlikely]]
      refuse(count);
    return element_bytes_ * count;
  }
  /// So many must have room for one element; more than there are, if memory cannot hold one.
  [[nodiscard]] Count needed_bytes() const { return needed_bytes_; }
  /// Its data lies at addresses: it needs no buffer. No data lies in the first page: what would be there was
  /// meant relative to a buffer.
  [[nodiscard]] const bool& absolute() const { return absolute_; }
  /// As many elements as memory can hold where the type says: no more may be packed.
  [[nodiscard]] Count most_elements() const { return most_elements_; }

  /// Is this a number of elements that may be packed?
  [[nodiscard]] bool can_hold(Count count) const {
    return static_cast<std::uint64_t>(count) <= static_cast<std::uint64_t>(most_elements_);
  }
  /// Elements follow each other without a gap: any number of them is one copy.
  [[nodiscard]] bool dense() const { return dense_; }
  /// Where the data of a dense type begins.
  template <class Byte>
  [[nodiscard]] Byte* first_byte(Byte* base) const {
    return compile::at(base, first_byte_);
  }

  /// `base` is where the first element's offset 0 lies; null with absolute addresses. @pre count <=
  /// most_elements()
  void pack(const std::byte* base, Count count, std::byte* wire) const;
  void unpack(const std::byte* wire, std::byte* base, Count count) const;
  /// One element; throws nothing. @pre most_elements() is not 0
  void pack_one(const std::byte* base, std::byte* wire) const { one_.pack(base, wire); }
  void unpack_one(const std::byte* wire, std::byte* base) const { one_.unpack(wire, base); }

 private:
  [[noreturn]] void refuse(Count count) const;
  /// For 2^rung elements.
  [[nodiscard]] const compile::Packer& packer(std::size_t rung) const;
  template <class Copy>
  void in_powers_of_two(Count count, const Copy& copy) const;

  static constexpr std::size_t most_rungs = 14;

  // In this order, so that what every call reads lies together.
  Layout layout_;
  Count element_bytes_;
  Count most_elements_;
  Count needed_bytes_;
  bool absolute_;
  EngineChoice choice_;
  compile::Packer one_;
  bool dense_;
  Count first_byte_;  ///< Of an element, from its base on.
  std::size_t highest_rung_;
  EngineChoice rung_choice_;  ///< For several elements.
  mutable std::array<std::atomic<const compile::Packer*>, most_rungs>
      rungs_{};  ///< Made when first asked for.
};

/// Do these bytes, counted from MPI_BOTTOM, lie at addresses?
[[nodiscard]] constexpr bool is_absolute(Count offset) {
  constexpr Count page = 4096;
  return offset <= -page || offset >= page;
}

/// The compiled form of a committed datatype: made by the engine of chosen_engine(MPI_INFO_NULL) when it is
/// asked for the first time, then an attribute of the type and of its duplicates. Good until the type is
/// freed or compiled again. Throws as layout_of does, and Error{invalid_type} for a type that is not
/// committed, which no error handler has heard of then. Local; any number of threads may ask at once.
[[nodiscard]] const CompiledType& compiled_type(MPI_Datatype type);
/// The same, made by that engine if it is made now.
[[nodiscard]] const CompiledType& compiled_type(MPI_Datatype type, const EngineChoice& choice);

/// Whether MPI takes the datatype in communication; no error handler hears of one that it does not take.
/// Local; any number of threads may ask at once.
[[nodiscard]] bool is_committed(MPI_Datatype type);

/// The layout of a committed datatype, from its compiled form if it has one. Throws as compiled_type.
[[nodiscard]] Layout committed_layout(MPI_Datatype type);

/// Makes the compiled form now, by the given engine, in place of what was there. @pre no other thread uses
/// the type
void compile_type(MPI_Datatype type, const EngineChoice& choice);

}  // namespace halocline::mpi
