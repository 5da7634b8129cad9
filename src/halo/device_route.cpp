// SPDX-License-Identifier: BSD-3-Clause
#include "halo/device_route.hpp"

#include "accelerate/moves.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/log.hpp"
#include "mpi/handles/agree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace halocline::halo {
namespace {

using accelerate::Move;
using compile::Canonical;
using plan::DeviceWay;

constexpr Count staging_alignment = 64;

Count number_of(const void* address) { return static_cast<Count>(reinterpret_cast<std::intptr_t>(address)); }

Canonical form_of(const FieldView& field, const FieldView::Part& part,
                  const std::vector<std::size_t>& order) {
  return Canonical(compile::Part{field.layout(part, order), 1, number_of(field.at(part.first))});
}

void append(std::vector<Move>& all, std::vector<Move> some) {
  all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

Offset back(const Offset& offset) {
  Offset opposite;
  for (const Count step : offset) opposite.push_back(-step);
  return opposite;
}

/// What a process tells of its fields on devices: for each a handle, and where in that memory its points lie.
class FieldNotes {
 public:
  FieldNotes(std::size_t fields, std::size_t dimensions)
      : dimensions_(dimensions), numbers_(fields * size()) {}

  [[nodiscard]] Count bytes() const { return static_cast<Count>(numbers_.size() * sizeof(Count)); }
  void write(std::size_t number, const FieldView& field, const accelerate::Allocation& memory) {
    write(number, memory, static_cast<const std::byte*>(field.origin()));
    std::copy(field.strides().begin(), field.strides().end(),
              numbers_.data() + number * size() + strides_place);
  }
  /// The same for memory that has no points.
  void write(std::size_t number, const accelerate::Allocation& memory, const std::byte* origin) {
    const auto handle = memory.device->exported(memory);
    if (!handle) return;
    Count* const note = numbers_.data() + number * size();
    note[0] = 1;
    std::memcpy(note + 1, handle->bytes.data(), handle->bytes.size());
    note[offset_place] = origin - memory.base;
  }
  void put(std::byte* to) const { std::memcpy(to, numbers_.data(), numbers_.size() * sizeof(Count)); }
  void get(const std::byte* from) { std::memcpy(numbers_.data(), from, numbers_.size() * sizeof(Count)); }

  /// The field of the process that wrote it; none if it cannot be reached.
  [[nodiscard]] std::optional<FieldView> read(std::size_t number, const FieldView& like,
                                              const Counts& extents, accelerate::Device& device,
                                              FieldsOfNode& kept) const {
    std::byte* const origin = read(number, device, kept);
    if (origin == nullptr) return std::nullopt;
    const Count* const strides = numbers_.data() + number * size() + strides_place;
    return FieldView(origin, like.element(), extents, Counts(strides, strides + dimensions_), like.halo());
  }
  /// The memory; null if it cannot be reached.
  [[nodiscard]] std::byte* read(std::size_t number, accelerate::Device& device, FieldsOfNode& kept) const {
    const Count* const note = numbers_.data() + number * size();
    if (note[0] == 0) return nullptr;
    accelerate::MemoryHandle handle;
    std::memcpy(handle.bytes.data(), note + 1, handle.bytes.size());
    kept.opened.push_back(device.opened(handle));
    return kept.opened.back() ? kept.opened.back().get() + note[offset_place] : nullptr;
  }

 private:
  static constexpr std::size_t offset_place = 1 + sizeof(accelerate::MemoryHandle) / sizeof(Count);
  static constexpr std::size_t strides_place = offset_place + 1;
  [[nodiscard]] std::size_t size() const { return strides_place + dimensions_; }

  std::size_t dimensions_;
  std::vector<Count> numbers_;
};

}  // namespace

Count bytes_of(const FieldView& field, const Filling::Parts& parts) {
  Count bytes = 0;
  for (const FieldView::Part& part : parts)
    bytes = checked_add(bytes, checked_multiply(field.element().size(), checked_product(part.count)));
  return bytes;
}

Count bytes_sent(const FieldView& field, const Ground& ground, const Cell& cell, const Offset& offset) {
  const Counts extents = ground.decomposition.box(cell).extents;
  return bytes_of(field, ground.filling.sent(cell, extents, field.halo(), offset));
}

DeviceRoute::DeviceRoute(const std::vector<FieldView>& fields, const DeviceFields& on_device,
                         const Orders& orders, const Neighborhood& neighborhood, const Ground& ground,
                         bool alike, bool may)
    : fields_(fields), on_device_(on_device), orders_(orders), neighborhood_(neighborhood), ground_(ground) {
  plan::DeviceNearness nearness{alike, may, false};
  FieldsOfNode reached;
  if (alike && may) {
    reached = reached_fields();
    const std::size_t others = state_of(neighborhood_)->peers.on_node.size();
    const bool words = reached.own_words.get() != nullptr && reached.words.size() == others;
    std::array<Count, 2> all{reached.of.size() == others ? 1 : 0, words ? 1 : 0};
    context().find_least(all);
    nearness.reachable = all[0] == 1;
    on_streams_ = all[1] == 1 && nearness.reachable;
  }
  way_ = plan::choose_device_way(nearness);
  if (context().rank() == 0)
    log_line(concat(
        "fields on devices go ",
        way_ == DeviceWay::straight ? "straight to processes of the node" : "through memory of the host",
        on_streams_ ? ", on streams without the host" : ""));
  side_ = mpi::agreed(ground.comm, [&] {
    std::shared_ptr<exchange::DeviceSide> side;
    if (on_device_.device == nullptr) return side;
    side = std::make_shared<exchange::DeviceSide>(*on_device_.device);
    stage(*side);
    if (way_ != DeviceWay::staged) go_straight(*side, std::move(reached));
    return side;
  });
}

FieldsOfNode DeviceRoute::reached_fields() const {
  const Neighborhood::State& state = *state_of(neighborhood_);
  exchange::NodeMemory* const memory = state.context->memory();
  FieldsOfNode reached;
  std::optional<Error> error;
  if (auto words = mpi::attempted([&] { return made_words(); }, error)) reached.own_words = std::move(*words);
  if (memory == nullptr) return reached;  // alone
  const std::size_t words_note = fields_.size();
  FieldNotes notes(fields_.size() + 1, fields_.front().dimensions());
  (void)mpi::attempted(
      [&] {
        if (const auto words = accelerate::what_is(reached.own_words.get()))
          notes.write(words_note, *words, reached.own_words.get());
        for (std::size_t f = 0; f < fields_.size(); ++f)
          if (on_device_.has(f)) notes.write(f, fields_[f], *on_device_.memories[f]);
        return 0;
      },
      error);
  auto arena = memory->allocate(notes.bytes(), [&](std::byte* mine) { notes.put(mine); });
  if (!arena) return reached;
  (void)mpi::attempted(
      [&] {
        for (const exchange::Peer& peer : state.peers.on_node) {
          notes.get(arena->of[static_cast<std::size_t>(state.context->member(peer.rank))]);
          const Counts extents =
              ground_.decomposition.box(ground_.decomposition.grid().cell(peer.rank)).extents;
          std::vector<std::optional<FieldView>> theirs(fields_.size());
          for (std::size_t f = 0; f < fields_.size(); ++f) {
            if (!on_device_.has(f)) continue;
            theirs[f] = notes.read(f, fields_[f], extents, *on_device_.device, reached);
            if (!theirs[f]) return 0;
          }
          reached.of[peer.rank] = std::move(theirs);
          if (std::byte* const words = notes.read(words_note, *on_device_.device, reached)) {
            auto* const theirs_to_write = reinterpret_cast<std::uint32_t*>(words);
            try_words(theirs_to_write);
            reached.words[peer.rank] = theirs_to_write;
          }
        }
        return 0;
      },
      error);
  // Others read it until all have said what they reached, which they do before anything is allocated again.
  memory->retire(std::move(arena), [] { return true; });
  return reached;
}

/// Two for each process of the node: it lets this one write, and it has written. None unless the device does
/// all alone.
accelerate::OwnMemory DeviceRoute::made_words() const {
  const auto on_host = [](const auto& memory) { return !memory; };
  const auto& memories = on_device_.memories;
  if (context().several_nodes() || std::any_of(memories.begin(), memories.end(), on_host) ||
      !on_device_.device->has_signals())
    return {};
  const std::vector<std::uint32_t> zeros(2 * context().members().size(), 0);
  const auto bytes = static_cast<Count>(zeros.size() * sizeof(std::uint32_t));
  accelerate::OwnMemory words(*on_device_.device, accelerate::OwnMemory::Kind::of_device, bytes);
  on_device_.device->copy(words.get(), reinterpret_cast<const std::byte*>(zeros.data()), bytes, nullptr);
  on_device_.device->synchronize(nullptr);
  return words;
}

/// Writes what this process has to write there, as it is: throws if a stream cannot.
// NOLINTNEXTLINE(readability-non-const-parameter): the stream writes there
void DeviceRoute::try_words(std::uint32_t* words) const {
  const auto me = static_cast<std::size_t>(context().member(context().rank()));
  const std::array<accelerate::Signal, 2> unchanged{
      {{words + me, 0}, {words + context().members().size() + me, 0}}};
  on_device_.device->signal(unchanged, unchanged, nullptr);
  on_device_.device->synchronize(nullptr);
}

exchange::DeviceSide::Words DeviceRoute::words_of(const exchange::DeviceSide& side,
                                                  FieldsOfNode& reached) const {
  exchange::DeviceSide::Words words{std::move(reached.own_words)};
  auto* const own = reinterpret_cast<std::uint32_t*>(words.own.get());
  const auto member = [&](Rank rank) { return static_cast<std::size_t>(context().member(rank)); };
  const std::size_t me = member(context().rank()), all = context().members().size();
  for (const exchange::DeviceSide::Target& target : side.fills) {
    words.opened.push_back({own + member(target.rank), 0});
    words.filling.push_back({reached.words.at(target.rank) + all + me, 0});
  }
  for (const Rank rank : side.filled_by) {
    words.opening.push_back({reached.words.at(rank) + me, 0});
    words.filled.push_back({own + all + member(rank), 0});
  }
  return words;
}

bool DeviceRoute::makes_uneven() const { return way_ == DeviceWay::straight && context().several_nodes(); }

bool DeviceRoute::carries(std::size_t field, const std::optional<Cell>& writer, const Offset& offset) const {
  if (!on_device_.has(field) || way_ == DeviceWay::staged) return true;
  if (way_ == DeviceWay::straight && !context().several_nodes()) return false;
  const Grid& grid = ground_.decomposition.grid();
  const auto reader = writer ? grid.neighbor(*writer, offset) : std::nullopt;
  if (!reader) return true;
  const Rank from = grid.index(*writer), to = grid.index(*reader);
  return way_ == DeviceWay::own ? from != to : context().nodes()[from] != context().nodes()[to];
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
  accelerate::OwnMemory memory(*on_device_.device, accelerate::OwnMemory::Kind::pinned, all);
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (std::size_t f = 0; f < fields_.size(); ++f) stages[i][f].memory = memory.get() + places[i][f];
  return memory;
}

void DeviceRoute::stage(exchange::DeviceSide& side) {
  const Grid& grid = ground_.decomposition.grid();
  const exchange::Neighbours& neighbours = state_of(neighborhood_)->neighbours;
  const auto sent_parts = [&](const FieldView& field, const Offset& offset) {
    return ground_.filling.sent(ground_.cell, field.extents(), field.halo(), offset);
  };
  const auto received_parts = [&](const FieldView& field, const Offset& offset) {
    return ground_.filling.received(ground_.cell, field.extents(), field.halo(), offset);
  };
  side.sent = staging(sent_, neighbours.targets, sent_parts,
                      [&](std::size_t f, const Offset& offset) { return carries(f, ground_.cell, offset); });
  side.received =
      staging(received_, neighbours.sources, received_parts, [&](std::size_t f, const Offset& offset) {
        return carries(f, grid.neighbor(ground_.cell, back(offset)), offset);
      });
  std::vector<Move> gather, scatter;
  for (std::size_t i = 0; i < offsets().size(); ++i)
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const Offset& offset = offsets()[i];
      if (sent_[i][f].bytes > 0 && grid.neighbor(ground_.cell, offset)) {
        auto wire = number_of(sent_[i][f].memory);
        for (const FieldView::Part& part : sent_parts(fields_[f], offset)) {
          append(gather, accelerate::moves_to(form_of(fields_[f], part, orders_[f]), wire));
          wire += bytes_of(fields_[f], {part});
        }
      }
      if (received_[i][f].bytes > 0 && grid.neighbor(ground_.cell, back(offset))) {
        auto wire = number_of(received_[i][f].memory);
        for (const FieldView::Part& part : received_parts(fields_[f], offset)) {
          append(scatter, accelerate::moves_from(wire, form_of(fields_[f], part, orders_[f])));
          wire += bytes_of(fields_[f], {part});
        }
      }
    }
  side.gather = accelerate::Transfer(side.device(), gather);
  side.scatter = accelerate::Transfer(side.device(), scatter);
}

void DeviceRoute::go_straight(exchange::DeviceSide& side, FieldsOfNode reached) const {
  const Grid& grid = ground_.decomposition.grid();
  const exchange::Peers& peers = state_of(neighborhood_)->peers;
  std::vector<Move> push;
  const auto add = [&](Rank target, const std::vector<int>& blocks, const auto& field_there) {
    Count bytes = 0;
    const Cell there = grid.cell(target);
    for (const int block : blocks)
      for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (!on_device_.has(f)) continue;
        const Offset& offset = offsets()[static_cast<std::size_t>(block)];
        const FieldView& here = fields_[f];
        const FieldView& other = field_there(f);
        const Filling::Parts from = ground_.filling.sent(ground_.cell, here.extents(), here.halo(), offset);
        const Filling::Parts to = ground_.filling.received(there, other.extents(), other.halo(), offset);
        for (std::size_t p = 0; p < from.size(); ++p)
          append(push, accelerate::moves_between(form_of(here, from[p], orders_[f]),
                                                 form_of(other, to[p], orders_[f])));
        bytes += bytes_of(here, from);
      }
    return bytes;
  };
  side.own_bytes =
      add(grid.index(ground_.cell), peers.own, [&](std::size_t f) -> const FieldView& { return fields_[f]; });
  for (std::size_t i = 0; way_ == DeviceWay::straight && i < peers.on_node.size(); ++i) {
    const exchange::Peer& peer = peers.on_node[i];
    const auto& theirs = reached.of.at(peer.rank);
    if (const Count bytes =
            add(peer.rank, peer.out, [&](std::size_t f) -> const FieldView& { return *theirs[f]; }))
      side.fills.push_back({peer.rank, bytes});
    if (bytes_from(peer) > 0) side.filled_by.push_back(peer.rank);
  }
  if (on_streams_) side.words = words_of(side, reached);
  side.opened = std::move(reached.opened);
  side.push = accelerate::Transfer(side.device(), push);
}

Count DeviceRoute::bytes_from(const exchange::Peer& peer) const {
  Count bytes = 0;
  for (const int block : peer.in)
    for (std::size_t f = 0; f < fields_.size(); ++f)
      if (on_device_.has(f))
        bytes += bytes_sent(fields_[f], ground_, ground_.decomposition.grid().cell(peer.rank),
                            offsets()[static_cast<std::size_t>(block)]);
  return bytes;
}

}  // namespace halocline::halo
