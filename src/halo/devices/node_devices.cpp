// SPDX-License-Identifier: BSD-3-Clause
#include "halo/devices/node_devices.hpp"

#include "accelerate/devices.hpp"
#include "base/numbers.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/fields/staggering.hpp"
#include "mpi/handles/agree.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace halocline::halo {
namespace {

using plan::DeviceReach;

/// What a process tells of some memory on devices: for each a handle, where in it something begins, and
/// numbers.
class MemoryNotes {
 public:
  MemoryNotes(std::size_t memories, std::size_t numbers)
      : numbers_(numbers), all_(memories * (numbers_place + numbers)) {}

  [[nodiscard]] Count bytes() const { return to_count(all_.size() * sizeof(Count)); }
  void put(std::byte* to) const { std::memcpy(to, all_.data(), all_.size() * sizeof(Count)); }
  void get(const std::byte* from) { std::memcpy(all_.data(), from, all_.size() * sizeof(Count)); }

  /// Nothing of memory that has no handle, or is none.
  void write(std::size_t memory, const std::byte* origin, const Counts& numbers = {}) {
    const auto found = accelerate::what_is(origin);
    const auto handle = found ? found->device->exported(*found) : std::nullopt;
    if (!handle) return;
    Count* const note = at(memory);
    note[0] = 1;
    std::memcpy(note + 1, handle->bytes.data(), handle->bytes.size());
    note[offset_place] = origin - found->base;
    note[device_place] = found->device->place().value_or(untold);
    std::copy(numbers.begin(), numbers.end(), note + numbers_place);
  }
  /// Of the process that wrote it; null if it cannot be reached.
  [[nodiscard]] std::byte* read(std::size_t memory, accelerate::Device& device, MemoryOfNode& kept) {
    const Count* const note = at(memory);
    if (note[0] == 0) return nullptr;
    accelerate::MemoryHandle handle;
    std::memcpy(handle.bytes.data(), note + 1, handle.bytes.size());
    std::shared_ptr<std::byte> opened = device.opened(handle);
    if (!opened) return nullptr;
    kept.loan->opened.push_back(opened);
    return opened.get() + note[offset_place];
  }
  /// Is what was read on a device, which may be far from here? If nobody can tell, it is: the driver knows of
  /// opened memory what it has opened it for, and may take that for a device that this process does not use.
  [[nodiscard]] bool is_on(std::size_t memory, const accelerate::Device& device) {
    const Count there = at(memory)[device_place], here = device.place().value_or(untold);
    return there == here || there == untold || here == untold;
  }
  [[nodiscard]] const Count* numbers(std::size_t memory) { return at(memory) + numbers_place; }

 private:
  static constexpr std::size_t offset_place = 1 + sizeof(accelerate::MemoryHandle) / sizeof(Count);
  static constexpr std::size_t device_place = offset_place + 1, numbers_place = device_place + 1;
  static constexpr Count untold = -1;
  [[nodiscard]] Count* at(std::size_t memory) { return all_.data() + memory * (numbers_place + numbers_); }

  std::size_t numbers_;
  Counts all_;
};

class NodeDevices {
 public:
  NodeDevices(const std::vector<FieldView>& fields, const DeviceFields& on_device,
              const NeighborhoodState& neighborhood, const Ground& ground, const Incoming& incoming)
      : fields_(fields),
        on_device_(on_device),
        peers_(neighborhood.peers.on_node),
        context_(*neighborhood.context),
        keeper_(neighborhood.context),
        ground_(ground),
        incoming_(incoming) {}

  [[nodiscard]] MemoryOfNode fields() const {
    MemoryOfNode reached = with_words();
    MemoryNotes notes(fields_.size() + 1, fields_.front().dimensions());
    tell(
        notes, *reached.loan,
        [&] {
          for (std::size_t f = 0; f < fields_.size(); ++f)
            if (on_device_.has(f)) {
              if (memory_of(fields_[f])) reached.loan->fields.push_back(memory_of(fields_[f]));
              notes.write(f, static_cast<const std::byte*>(fields_[f].origin()), fields_[f].strides());
            }
          notes.write(fields_.size(), reached.loan->words.get());
        },
        [&](const exchange::Peer& peer) {
          auto theirs = fields_of(peer.rank, notes, reached);
          if (!theirs) return false;
          reached.fields[peer.rank] = std::move(*theirs);
          for (std::size_t f = 0; f < fields_.size(); ++f)
            if (on_device_.has(f) && !notes.is_on(f, device())) reached.linked = true;
          read_words(peer.rank, fields_.size(), notes, reached);
          return true;
        });
    return reached;
  }

  [[nodiscard]] MemoryOfNode buffers() const {
    MemoryOfNode reached = with_words();
    MemoryNotes notes(2, context_.members().size());
    tell(
        notes, *reached.loan,
        [&] {
          reached.loan->incoming = accelerate::OwnMemory(device(), accelerate::OwnMemory::Kind::of_device,
                                                         std::max(incoming_.bytes, Count{1}));
          Counts places(context_.members().size(), 0);
          for (std::size_t i = 0; i < peers_.size(); ++i)
            places[member(peers_[i].rank)] = incoming_.places[i];
          notes.write(0, reached.loan->incoming.get(), places);
          notes.write(1, reached.loan->words.get());
        },
        [&](const exchange::Peer& peer) {
          std::byte* const theirs = notes.read(0, device(), reached);
          if (theirs == nullptr) return false;
          if (!notes.is_on(0, device())) reached.linked = true;
          reached.buffers[peer.rank] = theirs + notes.numbers(0)[member(context_.rank())];
          read_words(peer.rank, 1, notes, reached);
          return true;
        });
    return reached;
  }

  /// Have all processes reached something of all their peers? Then it is kept.
  bool agree(MemoryOfNode& reached, std::size_t reached_peers, DeviceReach reach) const {
    const bool words = reached.loan->words.get() != nullptr && reached.words.size() == peers_.size();
    std::array<Count, 5> all{reached_peers == peers_.size() ? 1 : 0, words ? 1 : 0, -incoming_.bytes,
                             -reached.sharing, reached.linked ? 0 : 1};
    context_.find_least(all);
    if (all[0] == 0) return false;
    reached.most_bytes = -all[2];
    reached.reach = reach;
    reached.on_streams = all[1] == 1;
    reached.sharing = -all[3];
    reached.linked = all[4] == 0;
    return true;
  }

 private:
  [[nodiscard]] accelerate::Device& device() const { return *on_device_.device; }
  [[nodiscard]] std::size_t member(Rank rank) const { return to_size(context_.member(rank)); }

  /// Hands what `write` has noted to the others, and what each of them has to `read`, as long as that is
  /// true.
  template <class Write, class Read>
  void tell(MemoryNotes& notes, exchange::DeviceLoan& loan, const Write& write, const Read& read) const {
    exchange::NodeMemory* const memory = context_.memory();
    if (memory == nullptr) return;  // alone
    std::optional<Error> error;     // then there is less to be reached, which all will know
    (void)mpi::attempted([&] { return write(), 0; }, error);
    const Count flags = exchange::DeviceLoan::flag_bytes(context_.members().size());
    auto arena = memory->allocate(notes.bytes() + flags, [&](std::byte* mine) {
      notes.put(mine);
      std::memset(mine + notes.bytes(), 0, to_size(flags));
    });
    if (!arena) return;
    const std::vector<std::byte*> parts = arena->of;
    std::vector<std::size_t> members;
    for (const exchange::Peer& peer : peers_) members.push_back(member(peer.rank));
    // Others read it until all have said what they reached, which they do before anything is lent again.
    loan.lend(*memory, keeper_, std::move(arena), notes.bytes(), std::move(members), member(context_.rank()));
    (void)mpi::attempted(
        [&] {
          for (const exchange::Peer& peer : peers_) {
            notes.get(parts[member(peer.rank)]);
            if (!read(peer)) break;
          }
          return 0;
        },
        error);
  }

  [[nodiscard]] std::optional<std::vector<std::optional<FieldView>>> fields_of(Rank rank, MemoryNotes& notes,
                                                                               MemoryOfNode& reached) const {
    const Counts cells = ground_.decomposition.box(ground_.decomposition.grid().cell(rank)).extents;
    std::vector<std::optional<FieldView>> theirs(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (!on_device_.has(f)) continue;
      std::byte* const origin = notes.read(f, device(), reached);
      if (origin == nullptr) return std::nullopt;
      const Count* const strides = notes.numbers(f);
      theirs[f] = staggered({origin, fields_[f].element(), points_on(cells, fields_[f].staggered()),
                             Counts(strides, strides + fields_[f].dimensions()), fields_[f].halo()},
                            fields_[f].staggered());
    }
    return theirs;
  }

  [[nodiscard]] MemoryOfNode with_words() const {
    MemoryOfNode reached;
    std::optional<Error> error;
    if (auto words = mpi::attempted([&] { return made_words(); }, error))
      reached.loan->words = std::move(*words);
    return reached;
  }

  /// Two for each process of the node: it lets this one write, and it has written. None unless the device
  /// does all alone.
  [[nodiscard]] accelerate::OwnMemory made_words() const {
    const auto on_host = [](const auto& memory) { return !memory; };
    const auto& memories = on_device_.memories;
    if (context_.several_nodes() || std::any_of(memories.begin(), memories.end(), on_host) ||
        !device().has_signals())
      return {};
    const std::vector<std::uint64_t> zeros(2 * context_.members().size(), 0);
    const auto bytes = to_count(zeros.size() * sizeof(std::uint64_t));
    accelerate::OwnMemory words(device(), accelerate::OwnMemory::Kind::of_device, bytes);
    device().copy(words.get(), reinterpret_cast<const std::byte*>(zeros.data()), bytes, device().aside());
    device().synchronize(device().aside());
    return words;
  }

  void read_words(Rank rank, std::size_t note, MemoryNotes& notes, MemoryOfNode& reached) const {
    std::byte* const words = notes.read(note, device(), reached);
    if (words == nullptr) return;
    auto* const theirs = reinterpret_cast<std::uint64_t*>(words);
    std::optional<Error> refusal;  // costs the streams of all, and nothing else
    if (!mpi::attempted([&] { return try_words(theirs), true; }, refusal)) return;
    reached.words[rank] = theirs;
    if (notes.is_on(note, device())) ++reached.sharing;
  }

  /// Writes what this process has to write there, as it is: throws if a stream cannot.
  // NOLINTNEXTLINE(readability-non-const-parameter): the stream writes there
  void try_words(std::uint64_t* words) const {
    const std::size_t me = member(context_.rank());
    const std::array<accelerate::Signal, 2> unchanged{
        {{words + me, 0}, {words + context_.members().size() + me, 0}}};
    device().signal(unchanged, unchanged, device().aside());
    device().synchronize(device().aside());
  }

  const std::vector<FieldView>& fields_;
  const DeviceFields& on_device_;
  const std::vector<exchange::Peer>& peers_;
  const exchange::Context& context_;
  std::shared_ptr<const void> keeper_;
  const Ground& ground_;
  const Incoming& incoming_;
};

}  // namespace

MemoryOfNode reached_memory(const std::vector<FieldView>& fields, const DeviceFields& on_device,
                            const Neighborhood& neighborhood, const Ground& ground,
                            const Incoming& incoming) {
  const NodeDevices devices(fields, on_device, *state_of(neighborhood), ground, incoming);
  {
    MemoryOfNode reached = devices.fields();
    if (devices.agree(reached, reached.fields.size(), DeviceReach::fields)) return reached;
  }
  MemoryOfNode reached = devices.buffers();
  if (devices.agree(reached, reached.buffers.size(), DeviceReach::buffers)) return reached;
  return {};
}

exchange::DeviceSide::Words words_of(const exchange::DeviceSide& side, MemoryOfNode& reached,
                                     const exchange::Context& context) {
  exchange::DeviceSide::Words words;
  auto* const own = reinterpret_cast<std::uint64_t*>(reached.loan->words.get());
  const auto member = [&](Rank rank) { return to_size(context.member(rank)); };
  const std::size_t me = member(context.rank()), all = context.members().size();
  for (const exchange::DeviceSide::Target& target : side.fills) {
    words.opened.push_back({own + member(target.rank), 0});
    words.filling.push_back({reached.words.at(target.rank) + all + me, 0});
  }
  for (const Rank rank : side.filled_by) {
    words.opening.push_back({reached.words.at(rank) + me, 0});
    words.filled.push_back({own + all + member(rank), 0});
  }
  words.news = accelerate::News(side.device(), words.filling);
  words.sharing = reached.sharing;
  return words;
}

}  // namespace halocline::halo
