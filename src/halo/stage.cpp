// SPDX-License-Identifier: BSD-3-Clause
#include "halo/stage.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/packer_state.hpp"
#include "halo/ends.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/points/problem.hpp"
#include "halocline/base/error.hpp"
#include "mpi/datatypes/engine_choice.hpp"
#include "plan/messages/message_walk.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

namespace halocline::halo {
namespace {

constexpr Count line = 64;

/// Where blocks lie one behind the other: those for one process side by side, so that they are one message as
/// they lie there.
struct Shelf {
  std::vector<Count> at;
  Count bytes = 0;
};
Shelf shelf_for(const Counts& bytes, const std::vector<std::optional<Rank>>& peers) {
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return peers[a] < peers[b]; });
  Shelf shelf{std::vector<Count>(bytes.size(), 0)};
  std::optional<Rank> before;
  for (const std::size_t i : order) {
    if (!peers[i]) continue;
    if (peers[i] != before) shelf.bytes = checked_add(shelf.bytes, line - 1) / line * line;
    before = peers[i];
    shelf.at[i] = shelf.bytes;
    shelf.bytes = checked_add(shelf.bytes, bytes[i]);
  }
  return shelf;
}

/// From the first own point on.
std::vector<compile::Part> parts_of(const FieldView& field, const Filling::Parts& parts,
                                    const std::vector<std::size_t>& order) {
  std::vector<compile::Part> list;
  for (const FieldView::Part& part : parts)
    list.push_back({field.layout(part, order), 1, to_count(field.at(part.first)) - to_count(field.origin())});
  return list;
}

std::optional<Rank> peer_of(const Ground& ground, const Offset& offset) {
  const Grid& grid = ground.decomposition.grid();
  const auto cell = grid.neighbor(ground.cell, offset);
  return cell ? std::optional(grid.index(*cell)) : std::nullopt;
}

/// The same for all processes that have one there: around a periodic dimension of one process.
bool leads_back(const Ground& ground, const Cell& cell, const Offset& offset) {
  return ground.decomposition.grid().neighbor(cell, offset) == cell;
}

/// Of the blocks of any process.
exchange::SizeOfBlock sizes_between(const std::vector<FieldView>& fields, const Stencil& offsets,
                                    const Ground& ground) {
  return [fields, &offsets, &ground](Rank writer, int block) {
    const Offset& offset = offsets.offsets()[to_size(block)];
    const Cell cell = ground.decomposition.grid().cell(writer);
    Count bytes = 0;
    for (const FieldView& field : fields)
      if (!leads_back(ground, cell, offset))
        bytes = checked_add(bytes, bytes_sent(field, ground, cell, offset));
    return bytes;
  };
}

/// Of a packed stream.
Segment part_of(const compile::Packer& packer, exchange::Share share) {
  const Count begin = share.begin(packer.bytes());
  return {begin, share.end(packer.bytes()) - begin};
}

template <class Pieces>
exchange::Load load_of(const Pieces& pieces) {
  exchange::Load load;
  for (const auto& piece : pieces) load.add(piece.packer.bytes(), compile::canonical_of(piece.packer).runs());
  return load;
}

Layout as_bytes(Count bytes) { return Layout::contiguous(bytes, Layout::named(Elementary::byte)); }

}  // namespace

Stage::Stage(std::vector<FieldView> fields, std::vector<std::vector<Known>> known) {
  for (std::size_t s = 0; s < fields.size(); ++s) {
    const Count first = to_count(first_point(fields[s])) - to_count(fields[s].origin());
    auto* const origin = static_cast<std::byte*>(fields[s].origin());
    const Extent extent = extent_of(fields[s]);
    places_.push_back({std::move(fields[s]), first, extent, origin, std::move(known[s]), nullptr});
  }
}

Stage::~Stage() {
  try {
    wait();
  } catch (const std::exception&) {  // nobody is left to tell
    return;
  }
}

exchange::Ends Stage::ends(const Orders& orders, const Stencil& offsets, const Ground& ground) {
  const mpi::EngineChoice engine = mpi::chosen_engine(ground.options.info);
  const Stencil back = against(offsets);
  std::vector<FieldView> fields;
  for (const Place& place : places_) fields.push_back(place.shape);
  std::vector<std::optional<Rank>> to, from;
  Counts bytes_out(offsets.size(), 0), bytes_in(offsets.size(), 0);
  const auto sent = [&](const FieldView& field, std::size_t i) {
    return ground.filling.sent(ground.cell, field, offsets.offsets()[i]);
  };
  const auto received = [&](const FieldView& field, std::size_t i) {
    return ground.filling.received(ground.cell, field, offsets.offsets()[i]);
  };
  out_.clear(), in_.clear(), own_.clear();
  to_itself_ = {};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const bool own = leads_back(ground, ground.cell, offsets.offsets()[i]);
    to.push_back(own ? std::nullopt : peer_of(ground, offsets.offsets()[i]));
    from.push_back(own ? std::nullopt : peer_of(ground, back.offsets()[i]));
    Count to_itself = 0;
    for (std::size_t s = 0; s < fields.size(); ++s) {
      const auto out = engine.packer(parts_of(fields[s], sent(fields[s], i), orders[s]));
      const auto in = engine.packer(parts_of(fields[s], received(fields[s], i), orders[s]));
      if (own) {
        to_itself = checked_add(to_itself, out.bytes());
        if (out.bytes() > 0) own_.push_back({s, compile::Copier(out, in)});
        continue;
      }
      if (to[i] && out.bytes() > 0) out_.push_back({s, bytes_out[i], out, i});
      if (from[i] && in.bytes() > 0) in_.push_back({s, bytes_in[i], in, i});
      bytes_out[i] = checked_add(bytes_out[i], out.bytes());
      bytes_in[i] = checked_add(bytes_in[i], in.bytes());
    }
    if (to_itself > 0) to_itself_ += Traffic{1, to_itself};
  }
  const Shelf out_shelf = shelf_for(bytes_out, to), in_shelf = shelf_for(bytes_in, from);
  for (Piece& piece : out_) piece.at += out_shelf.at[piece.block];
  for (Piece& piece : in_) piece.at += in_shelf.at[piece.block];
  out_load_ = load_of(out_);
  in_load_ = load_of(in_);
  own_load_ = {};
  for (const OwnCopy& copy : own_) own_load_.add(copy.copier.bytes(), copy.copier.runs());
  sent_.resize(to_size(std::max(out_shelf.bytes, Count{1})));
  received_.resize(to_size(std::max(in_shelf.bytes, Count{1})));

  exchange::Ends ends;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    ends.send.push_back({sent_.data() + out_shelf.at[i], as_bytes(bytes_out[i])});
    ends.receive.push_back({received_.data() + in_shelf.at[i], as_bytes(bytes_in[i])});
  }
  if (!ground.decomposition.even() ||
      !plan::same_for_all(ground.filling.border_points(fields, offsets), ground.decomposition.grid()))
    ends.sizes = sizes_between(fields, offsets, ground);
  ends.described = [fields, &ground](const Machine& machine) {
    return problem_of(ground.decomposition, ground.filling, fields, machine);
  };
  return ends;
}

FieldView Stage::field(std::size_t slot) const {
  const FieldView& shape = places_[slot].shape;
  return staggered({places_[slot].origin, shape.element(), shape.extents(), shape.strides(), shape.halo()},
                   shape.staggered());
}

const void* Stage::origin_at(std::size_t slot, const void* address) const {
  const Place& place = places_[slot];
  if (address == nullptr) return nullptr;
  for (const Known& known : place.known)
    if (known.origin == address) return address;
  return static_cast<const std::byte*>(address) - place.first_point;
}

void Stage::require_alike(std::size_t slot, const FieldView& field) const {
  halo::require_alike(slot, field, places_[slot].shape);
}

bool Stage::overlap_at(const std::vector<const void*>& origins, std::size_t a, std::size_t b) const {
  const Place &one = places_[a], &other = places_[b];
  const Count at = to_count(origins[a]), there = to_count(origins[b]);
  // Mostly that is enough to know, and takes no time.
  if (at + one.extent.to <= there + other.extent.from || there + other.extent.to <= at + one.extent.from)
    return false;
  return overlap(one.shape, origins[a], other.shape, origins[b]);
}

void Stage::move_to(const std::vector<const void*>& origins) {
  for (std::size_t s = 0; s < places_.size(); ++s)
    require(origins[s] != nullptr, "field ", s,
            " begins at a null pointer, or was moved from; it needs memory");
  for (std::size_t s = 0; s < places_.size(); ++s)
    for (std::size_t before = 0; before < s; ++before)
      require(!overlap_at(origins, before, s), "field ", s, " at ", origins[s], " and field ", before, " at ",
              origins[before], " have memory in common; each needs its own");
  for (std::size_t s = 0; s < places_.size(); ++s) {
    // What is told by its address alone is written to all the same.
    auto* const origin = static_cast<std::byte*>(const_cast<void*>(origins[s]));  // NOLINT(*-const-cast)
    if (origin != places_[s].origin) places_[s].kept.reset();
    places_[s].origin = origin;
  }
}

void Stage::keep(std::size_t slot, std::shared_ptr<FieldView::Memory> memory) {
  places_[slot].kept = std::move(memory);
}

void Stage::copy_out() {
  const exchange::Lap lap(timed_ ? &watch_ : nullptr);
  crew_.share(out_load_, [this](std::size_t i, exchange::Share share) {
    const Piece& piece = out_[i];
    std::byte* const wire = sent_.data() + piece.at;
    if (share.whole()) return piece.packer.pack(origin(piece.slot), wire);
    const Segment part = part_of(piece.packer, share);
    piece.packer.pack(origin(piece.slot), wire + part.offset, part.offset, part.bytes);
  });
}

void Stage::copy_own() {
  const exchange::Lap lap(timed_ ? &watch_ : nullptr);
  crew_.share(own_load_, [this](std::size_t i, exchange::Share share) {
    std::byte* const field = origin(own_[i].slot);
    if (share.whole()) return own_[i].copier.copy(field, field);
    own_[i].copier.copy_part(field, field, share.number, share.of);
  });
}

void Stage::start(Exchange& exchange) {
  crew_.require_rest();
  copy_out();
  std::exception_ptr failure;
  try {
    exchange.start();
  } catch (...) {
    if (!exchange.active()) throw;
    failure = std::current_exception();  // it is under way all the same
  }
  under_way_ = &exchange;
  copy_own();
  if (failure) std::rethrow_exception(failure);
  crew_.tell();
}

bool Stage::test() {
  crew_.require_rest();
  if (under_way_ == nullptr) return true;
  return ended([this] { return under_way_->test(); });
}

void Stage::wait() {
  crew_.require_rest();
  if (under_way_ == nullptr) return;
  (void)ended([this] {
    under_way_->wait();
    return true;
  });
}

template <class Move>
bool Stage::ended(const Move& move) {
  try {
    if (!move()) return false;
  } catch (...) {
    if (!under_way_->active()) finish();
    throw;
  }
  finish();
  crew_.tell();
  return true;
}

void Stage::finish() {
  under_way_ = nullptr;
  const exchange::Lap lap(timed_ ? &watch_ : nullptr);
  crew_.share(in_load_, [this](std::size_t i, exchange::Share share) {
    const Piece& piece = in_[i];
    const std::byte* const wire = received_.data() + piece.at;
    if (share.whole()) return piece.packer.unpack(wire, origin(piece.slot));
    const Segment part = part_of(piece.packer, share);
    piece.packer.unpack(wire + part.offset, origin(piece.slot), part.offset, part.bytes);
  });
}

}  // namespace halocline::halo
