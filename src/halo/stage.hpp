// SPDX-License-Identifier: BSD-3-Clause
// Memory of the halo between its fields and its exchange: neighbours know this, and never where fields lie.
#pragma once

#include "exchange/planning/create.hpp"
#include "exchange/progress/stopwatch.hpp"
#include "exchange/threads/crew.hpp"
#include "halo/fields/overlap.hpp"
#include "halo/points/ground.hpp"
#include "halocline/compile/copier.hpp"
#include "halocline/compile/packer.hpp"

#include <memory>
#include <vector>

namespace halocline::halo {

/// For one field of each slot, at any address: at a start what is sent is packed into the stage, in the end
/// what came is unpacked. What a process sends to itself is copied from place to place.
class Stage {
 public:
  /// A memory of the library, which lives as long as the stage.
  struct Known {
    const void* origin;
    std::shared_ptr<FieldView::Memory> memory;
  };

  /// The fields as they lie at first. @pre all of `known` are as that of their slot
  Stage(std::vector<FieldView> fields, std::vector<std::vector<Known>> known);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  /// Completes what was started.
  ~Stage();

  /// The blocks of the exchange; none has anything for the process itself. What is given must outlive them.
  [[nodiscard]] exchange::Ends ends(const Orders& orders, const Stencil& offsets, const Ground& ground);

  void time_copies(bool wanted) { timed_ = wanted; }

  /// The field of a slot where it is now.
  [[nodiscard]] FieldView field(std::size_t slot) const;
  [[nodiscard]] std::byte* origin(std::size_t slot) const { return places_[slot].origin; }
  /// What begins at an address: its first point, halo included, or the first own one of a memory of the
  /// library that the slot was made for. Told by the first own point; null stays null.
  [[nodiscard]] const void* origin_at(std::size_t slot, const void* address) const;
  /// Throws Error{invalid_argument} that names the slot if a field is not as the stage knows it.
  void require_alike(std::size_t slot, const FieldView& field) const;
  /// From the next start on. Throws Error{invalid_argument} that names the slot for a null pointer, or if
  /// memories overlap; nothing has changed then.
  void move_to(const std::vector<const void*>& origins);
  /// Keeps what is there until the slot moves on.
  void keep(std::size_t slot, std::shared_ptr<FieldView::Memory> memory);

  /// @pre it is not under way
  void start(Exchange& exchange);
  [[nodiscard]] bool test();
  void wait();

  /// Who does its copies.
  [[nodiscard]] exchange::Crew& crew() { return crew_; }

  /// In each exchange.
  [[nodiscard]] const Traffic& to_itself() const { return to_itself_; }
  /// Of packing, unpacking and copying; 0 if no times are taken.
  [[nodiscard]] double copy_seconds() const { return watch_.seconds; }

 private:
  struct Piece {
    std::size_t slot;
    Count at;  ///< In the stage.
    compile::Packer packer;
    std::size_t block;
  };
  struct OwnCopy {
    std::size_t slot;
    compile::Copier copier;
  };
  struct Place {
    FieldView shape;
    Count first_point;  ///< From the first own one, in bytes.
    Extent extent;
    std::byte* origin;
    std::vector<Known> known;
    std::shared_ptr<FieldView::Memory> kept;
  };

  void copy_out();
  void copy_own();
  /// Moves the exchange, and unpacks what has come once it is complete. Is it?
  template <class Move>
  bool ended(const Move& move);
  void finish();
  [[nodiscard]] bool overlap_at(const std::vector<const void*>& origins, std::size_t a, std::size_t b) const;

  std::vector<Place> places_;
  std::vector<Piece> out_, in_;
  std::vector<OwnCopy> own_;
  exchange::Load out_load_, in_load_, own_load_;
  exchange::Crew crew_;
  std::vector<std::byte> sent_, received_;
  Traffic to_itself_;
  exchange::Stopwatch watch_;
  bool timed_ = false;
  Exchange* under_way_ = nullptr;
};

}  // namespace halocline::halo
