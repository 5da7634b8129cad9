// SPDX-License-Identifier: BSD-3-Clause
#include "halo/devices/device_route.hpp"

#include "accelerate/kernel/moves.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/log.hpp"
#include "base/numbers.hpp"
#include "exchange/planning/device_messages.hpp"
#include "mpi/handles/agree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halocline::halo {
namespace {

using accelerate::Move;
using compile::Canonical;
using plan::DeviceWay;

constexpr Count staging_alignment = 64;

Canonical form_of(const FieldView& field, const FieldView::Part& part,
                  const std::vector<std::size_t>& order) {
  return Canonical(compile::Part{field.layout(part, order), 1, to_count(field.at(part.first))});
}

void append(std::vector<Move>& all, std::vector<Move> some) {
  all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

Offset back(const Offset& offset) {
  Offset opposite;
  for (const Count step : offset) opposite.push_back(-step);
  return opposite;
}

}  // namespace

Count bytes_of(const FieldView& field, const Filling::Parts& parts) {
  Count bytes = 0;
  for (const FieldView::Part& part : parts)
    bytes = checked_add(bytes, checked_multiply(field.element().size(), checked_product(part.count)));
  return bytes;
}

Count bytes_sent(const FieldView& field, const Ground& ground, const Cell& cell, const Offset& offset) {
  const Counts cells = ground.decomposition.box(cell).extents;
  return bytes_of(field, ground.filling.sent(cell, cells, field, offset));
}

DeviceRoute::DeviceRoute(const std::vector<FieldView>& fields, const DeviceFields& on_device,
                         const Orders& orders, const Neighborhood& neighborhood, const Ground& ground,
                         const InCommon& common)
    : fields_(fields), on_device_(on_device), orders_(orders), neighborhood_(neighborhood), ground_(ground) {
  MemoryOfNode reached;
  const Incoming incoming = expected();
  if (common.alike && common.may)
    reached = reached_memory(fields_, on_device_, neighborhood_, ground_, incoming);
  choice_ = plan::choose_device_way(
      {common.alike, common.may, reached.reach, common.mpi_takes_them, reached.most_bytes, reached.linked},
      context().prices());
  reached.on_streams = reached.on_streams && fills_node();
  if (context().rank() == 0)
    log_line(choice_.to_text() + (reached.on_streams ? " Streams do it without the host." : ""));
  side_ = mpi::agreed(ground.comm, [&] {
    (void)exchange::wants_device_messages(ground.options.info);  // throws for nonsense
    std::shared_ptr<exchange::DeviceSide> side;
    if (on_device_.device == nullptr) return side;
    side = std::make_shared<exchange::DeviceSide>(*on_device_.device, choice_);
    Moves moves;
    stage(*side, moves);
    if (choice_.way != DeviceWay::staged) go_straight(*side, moves, incoming, std::move(reached));
    side->everywhere = common.alike && std::all_of(on_device_.memories.begin(), on_device_.memories.end(),
                                                   [](const auto& memory) { return memory; });
    side->gathers = exchange::DeviceGathers(side->device(), batches_of(moves.gather));
    side->scatters = exchange::DeviceScatters(side->device(), batches_of(moves.scatter));
    side->unpack = accelerate::Transfer(side->device(), moves.unpack);
    side->push = accelerate::Transfer(side->device(), moves.push);
    return side;
  });
}

/// In the order in which messages are sent.
std::vector<exchange::DeviceBatch> DeviceRoute::batches_of(
    std::map<Rank, std::vector<Move>>& moves_of) const {
  std::vector<Rank> peers;
  peers.reserve(moves_of.size());
  for (const auto& [peer, moves] : moves_of) peers.push_back(peer);
  std::sort(peers.begin(), peers.end(),
            [me = context().rank()](Rank a, Rank b) { return exchange::served_before(a, b, me); });
  Counts bytes;
  for (const Rank peer : peers)
    bytes.push_back(std::accumulate(moves_of[peer].begin(), moves_of[peer].end(), Count{0},
                                    [](Count sum, const Move& move) { return sum + move.bytes(); }));
  std::vector<exchange::DeviceBatch> batches;
  for (const std::vector<std::size_t>& launch : plan::packed_together(bytes)) {
    exchange::DeviceBatch& batch = batches.emplace_back();
    for (const std::size_t i : launch) {
      batch.peers.push_back(peers[i]);
      append(batch.moves, std::move(moves_of[peers[i]]));
    }
  }
  return batches;
}

/// What the others of the node write, if they write into a buffer.
Incoming DeviceRoute::expected() const {
  Incoming incoming;
  for (const exchange::Peer& peer : state_of(neighborhood_)->peers.on_node) {
    incoming.places.push_back(incoming.bytes);
    const Count bytes = on_device_.device == nullptr ? 0 : bytes_from(peer);
    incoming.bytes =
        checked_add(incoming.bytes, checked_multiply(divide_up(bytes, staging_alignment), staging_alignment));
  }
  return incoming;
}

bool DeviceRoute::fills_node() const {
  return choice_.way == DeviceWay::straight || choice_.way == DeviceWay::buffered;
}

bool DeviceRoute::makes_uneven() const { return fills_node() && context().several_nodes(); }

bool DeviceRoute::carries(std::size_t field, const std::optional<Cell>& writer, const Offset& offset) const {
  if (!on_device_.has(field) || choice_.way == DeviceWay::staged) return true;
  if (fills_node() && !context().several_nodes()) return false;
  const Grid& grid = ground_.decomposition.grid();
  const auto reader = writer ? grid.neighbor(*writer, offset) : std::nullopt;
  if (!reader) return true;
  const Rank from = grid.index(*writer), to = grid.index(*reader);
  return choice_.way == DeviceWay::own ? from != to : context().nodes()[from] != context().nodes()[to];
}

/// Lays out what is carried of the fields on the device: what goes to one process, or comes from it, is one
/// run, so that messages are sent from there.
template <class PartsOf, class Carries>
accelerate::OwnMemory DeviceRoute::staging(Stages& stages, const std::vector<Rank>& others,
                                           const PartsOf& parts_of, const Carries& carried) const {
  std::vector<std::size_t> order(offsets().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return others[a] < others[b]; });
  std::vector<Counts> places(offsets().size());
  Count all = 0;
  Rank other = -1;
  stages.assign(offsets().size(), std::vector<Staged>(fields_.size()));
  for (const std::size_t i : order) {
    if (std::exchange(other, others[i]) != others[i])
      all = checked_multiply(divide_up(all, staging_alignment), staging_alignment);
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      places[i].push_back(all);
      if (!on_device_.has(f) || !carried(f, offsets()[i])) continue;
      stages[i][f].bytes = bytes_of(fields_[f], parts_of(fields_[f], offsets()[i]));
      all = checked_add(all, stages[i][f].bytes);
    }
  }
  using Kind = accelerate::OwnMemory::Kind;
  accelerate::OwnMemory memory(*on_device_.device,
                               choice_.messages_on_device ? Kind::of_device : Kind::pinned, all);
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (std::size_t f = 0; f < fields_.size(); ++f) stages[i][f].memory = memory.get() + places[i][f];
  return memory;
}

void DeviceRoute::stage(exchange::DeviceSide& side, Moves& moves) {
  const Grid& grid = ground_.decomposition.grid();
  const exchange::Neighbours& neighbours = state_of(neighborhood_)->neighbours;
  side.sent = staging(
      sent_, neighbours.targets,
      [&](const FieldView& field, const Offset& offset) { return sent_parts(field, offset); },
      [&](std::size_t f, const Offset& offset) { return carries(f, ground_.cell, offset); });
  side.received = staging(
      received_, neighbours.sources,
      [&](const FieldView& field, const Offset& offset) { return received_parts(field, offset); },
      [&](std::size_t f, const Offset& offset) {
        return carries(f, grid.neighbor(ground_.cell, back(offset)), offset);
      });
  for (std::size_t i = 0; i < offsets().size(); ++i)
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const Offset& offset = offsets()[i];
      if (sent_[i][f].bytes > 0 && grid.neighbor(ground_.cell, offset)) {
        auto wire = to_count(sent_[i][f].memory);
        for (const FieldView::Part& part : sent_parts(fields_[f], offset)) {
          append(moves.gather[neighbours.targets[i]],
                 accelerate::moves_to(form_of(fields_[f], part, orders_[f]), wire));
          wire += bytes_of(fields_[f], {part});
        }
      }
      if (received_[i][f].bytes > 0 && grid.neighbor(ground_.cell, back(offset))) {
        auto wire = to_count(received_[i][f].memory);
        for (const FieldView::Part& part : received_parts(fields_[f], offset)) {
          append(moves.scatter[neighbours.sources[i]],
                 accelerate::moves_from(wire, form_of(fields_[f], part, orders_[f])));
          wire += bytes_of(fields_[f], {part});
        }
      }
    }
}

/// From the fields of this process to those of another, or of its own.
Count DeviceRoute::add_straight(Rank target, const std::vector<int>& blocks,
                                const std::function<const FieldView&(std::size_t)>& field_there,
                                std::vector<Move>& push) const {
  Count bytes = 0;
  const Cell there = ground_.decomposition.grid().cell(target);
  for_each_of(blocks, [&](const Offset& offset, std::size_t f) {
    const FieldView& here = fields_[f];
    const FieldView& other = field_there(f);
    const Filling::Parts from = ground_.filling.sent(ground_.cell, here, offset);
    const Filling::Parts to = ground_.filling.received(there, other, offset);
    for (std::size_t p = 0; p < from.size(); ++p)
      append(push, accelerate::moves_between(form_of(here, from[p], orders_[f]),
                                             form_of(other, to[p], orders_[f])));
    bytes += bytes_of(here, from);
  });
  return bytes;
}

/// Between the fields of this process and a buffer, one part behind the other; returns the bytes of all.
template <class PartsOf, class MovesOf>
Count DeviceRoute::add_buffered(std::byte* buffer, const std::vector<int>& blocks, const PartsOf& parts_of,
                                const MovesOf& moves_of, std::vector<Move>& moves) const {
  Count bytes = 0;
  for_each_of(blocks, [&](const Offset& offset, std::size_t f) {
    for (const FieldView::Part& part : parts_of(fields_[f], offset)) {
      append(moves, moves_of(form_of(fields_[f], part, orders_[f]), to_count(buffer) + bytes));
      bytes += bytes_of(fields_[f], {part});
    }
  });
  return bytes;
}

void DeviceRoute::go_straight(exchange::DeviceSide& side, Moves& moves, const Incoming& incoming,
                              MemoryOfNode reached) const {
  const exchange::Peers& peers = state_of(neighborhood_)->peers;
  side.own_bytes = add_straight(
      ground_.decomposition.grid().index(ground_.cell), peers.own,
      [&](std::size_t f) -> const FieldView& { return fields_[f]; }, moves.push);
  for (std::size_t i = 0; fills_node() && i < peers.on_node.size(); ++i) {
    const exchange::Peer& peer = peers.on_node[i];
    Count bytes = 0;
    if (choice_.way == DeviceWay::straight) {
      const auto& theirs = reached.fields.at(peer.rank);
      bytes = add_straight(
          peer.rank, peer.out, [&](std::size_t f) -> const FieldView& { return *theirs[f]; }, moves.push);
    } else {
      bytes = add_buffered(
          reached.buffers.at(peer.rank), peer.out,
          [&](const FieldView& field, const Offset& offset) { return sent_parts(field, offset); },
          [](const Canonical& from, Count wire) { return accelerate::moves_to(from, wire); }, moves.push);
      (void)add_buffered(
          reached.loan->incoming.get() + incoming.places[i], peer.in,
          [&](const FieldView& field, const Offset& offset) { return received_parts(field, offset); },
          [](const Canonical& to, Count wire) { return accelerate::moves_from(wire, to); }, moves.unpack);
    }
    if (bytes > 0) side.fills.push_back({peer.rank, bytes});
    if (bytes_from(peer) > 0) side.filled_by.push_back(peer.rank);
  }
  if (reached.on_streams) side.words = words_of(side, reached, context());
  side.loan = std::move(reached.loan);
}

Count DeviceRoute::bytes_from(const exchange::Peer& peer) const {
  Count bytes = 0;
  const Cell there = ground_.decomposition.grid().cell(peer.rank);
  for_each_of(peer.in, [&](const Offset& offset, std::size_t f) {
    bytes = checked_add(bytes, bytes_sent(fields_[f], ground_, there, offset));
  });
  return bytes;
}

Filling::Parts DeviceRoute::sent_parts(const FieldView& field, const Offset& offset) const {
  return ground_.filling.sent(ground_.cell, field, offset);
}

Filling::Parts DeviceRoute::received_parts(const FieldView& field, const Offset& offset) const {
  return ground_.filling.received(ground_.cell, field, offset);
}

}  // namespace halocline::halo
