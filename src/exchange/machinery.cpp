#include "exchange/machinery.hpp"

#include "base/integers.hpp"
#include "exchange/arena_plan.hpp"
#include "exchange/channel_flows.hpp"
#include "exchange/gateway_flows.hpp"
#include "halocline/base/error.hpp"
#include "halocline/schedule/local.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

/// A message longer than this goes through a channel in chunks, so that it is read while the rest is written,
/// and out of the cache.
constexpr Count chunk_bytes = Count{64} * 1024;
/// What goes from node to node is divided into messages of about this length, which travel side by side.
constexpr Count part_bytes = Count{16} * 1024;
constexpr Count most_parts = 64;
/// Blocks of a process to itself are fused up to this length.
constexpr Count largest_fused = 512;
/// Chunks a channel has room for at most.
constexpr Count most_slots = 16;

ChannelShape direct_shape(Count message_bytes, int readers) {
  const Count chunk = std::min(message_bytes, chunk_bytes);
  return {message_bytes, chunk, std::min(2 * divide_up(message_bytes, chunk), most_slots), 1, readers};
}

int as_rank(Rank rank) { return static_cast<int>(rank); }

}  // namespace

/// Puts a machinery together: first what needs no shared memory, then the plan of the own arena, then, once
/// the arenas of all are known, the flows through them.
class MachineryBuilder {
 public:
  MachineryBuilder(Machinery& machinery, Neighborhood::State& neighborhood, const Blocks& blocks,
                   const Choice& choice)
      : machinery_(machinery),
        neighborhood_(neighborhood),
        context_(*neighborhood.context),
        blocks_(blocks),
        choice_(choice),
        shared_(choice.shared && context_.memory() != nullptr),
        gateways_(choice.schedule == "node") {}

  void build() {
    try {
      plan();
    } catch (...) {
      // The others of the node wait in there.
      if (context_.memory() != nullptr) (void)context_.memory()->allocate(0, {});
      throw;
    }
    if (!allocate()) return;
    add_gateways();
    add_direct_writers();
    add_own_copies();
    add_readers();
  }

 private:
  void plan() {
    select_peers();
    first_tag_ = context_.take_tags(number_of_tags());
    add_rounds();
    if (shared_) plan_direct_channels();
    if (gateways_) select_links();
  }

  [[nodiscard]] bool gathers() const { return blocks_.operation == Operation::allgather; }
  [[nodiscard]] bool combines() const { return choice_.schedule != "direct" && !gateways_; }

  [[nodiscard]] std::vector<int> non_empty(const std::vector<int>& blocks) const {
    std::vector<int> kept;
    for (const int block : blocks)
      if (blocks_.bytes_of(block) > 0) kept.push_back(block);
    return kept;
  }

  void select(const std::vector<Peer>& peers, std::vector<Peer>& selected) const {
    for (const Peer& peer : peers) {
      Peer kept{peer.rank, non_empty(peer.out), non_empty(peer.in)};
      if (!kept.out.empty() || !kept.in.empty()) selected.push_back(std::move(kept));
    }
  }

  void select_peers() {
    const Traffic& traffic = neighborhood_.traffic;
    own_ = non_empty(traffic.own);
    select(traffic.on_node, shared_ ? through_memory_ : through_messages_);
    if (!gateways_) select(traffic.off_node, through_messages_);
  }

  [[nodiscard]] int number_of_tags() const {
    if (gateways_) return static_cast<int>(most_parts);
    return 1 + (combines() ? static_cast<int>(schedule().rounds()) : 0);
  }
  [[nodiscard]] const Schedule& schedule() const {
    return neighborhood_.schedule(choice_.schedule, blocks_.operation);
  }

  // ---- Messages between processes.

  void add_rounds() {
    const std::vector<RoundPlan> plans = combines() ? combined_rounds() : direct_rounds();
    if (!plans.empty()) add<Rounds>(plans, choice_.wire, context_.comm(), machinery_.requests_);
  }

  std::vector<RoundPlan> direct_rounds() const {
    std::vector<RoundPlan> plans;
    for (const Peer& peer : through_messages_) {
      RoundPlan& plan = plans.emplace_back();
      plan.tag = first_tag_;
      if (!peer.out.empty()) plan.to = as_rank(peer.rank);
      if (!peer.in.empty()) plan.from = as_rank(peer.rank);
      plan.sends = sent_to(peer.out);
      for (const int block : peer.in) plan.receives.push_back(blocks_.received_from(block));
      if (gathers() && peer.in.size() > 1) {
        // It was sent once: the other places get copies.
        const int round = static_cast<int>(plans.size()) - 1;
        RoundPlan copies;
        copies.after = {round};
        for (std::size_t i = 1; i < peer.in.size(); ++i)
          copies.copies.emplace_back(plan.receives[0], plan.receives[i]);
        plan.receives.erase(plan.receives.begin() + 1, plan.receives.end());
        plans.push_back(std::move(copies));
      }
    }
    return plans;
  }

  /// What a peer gets, in one message: what is the same for several neighbours once.
  [[nodiscard]] std::vector<compile::Part> sent_to(const std::vector<int>& out) const {
    std::vector<compile::Part> parts;
    for (const int block : out) parts.push_back(blocks_.sent_to(block));
    if (gathers() && parts.size() > 1) parts.erase(parts.begin() + 1, parts.end());
    return parts;
  }

  std::vector<RoundPlan> combined_rounds() {
    const NodeMap& nodes = context_.nodes();
    const auto travels = [&](Count origin, Count target) {
      return choice_.shared ? nodes[origin] != nodes[target] : origin != target;
    };
    const LocalSchedule local(schedule(), context_.grid(), context_.rank(), travels);
    const std::vector<compile::Part> scratch = allocate_scratch(local.scratch());
    const auto memory = [&](const Slot& slot) -> const compile::Part& {
      switch (slot.buffer) {
        case Slot::Buffer::send:
          return blocks_.sent_to(slot.index);
        case Slot::Buffer::receive:
          return blocks_.received_from(slot.index);
        case Slot::Buffer::scratch:
          break;
      }
      return scratch[static_cast<std::size_t>(slot.index)];
    };
    std::vector<RoundPlan> plans(local.rounds());
    for (std::size_t r = 0; r < plans.size(); ++r) {
      const LocalSchedule::Round round = local.round(r);
      RoundPlan& plan = plans[r];
      plan.tag = first_tag_ + 1 + round.number;
      if (round.to != LocalSchedule::nobody) plan.to = as_rank(round.to);
      if (round.from != LocalSchedule::nobody) plan.from = as_rank(round.from);
      for (const Slot& slot : round.sends) plan.sends.push_back(memory(slot));
      for (const Slot& slot : round.receives) plan.receives.push_back(memory(slot));
      for (const LocalSchedule::Copy& copy : round.copies)
        plan.copies.emplace_back(memory(copy.from), memory(copy.to));
      plan.after.assign(round.after.begin(), round.after.end());
    }
    return plans;
  }

  std::vector<compile::Part> allocate_scratch(std::span<const std::int32_t> neighbour_of_slot) {
    Count bytes = 0;
    for (const int neighbour : neighbour_of_slot) bytes += blocks_.bytes_of(neighbour);
    machinery_.scratch_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    std::vector<compile::Part> parts;
    auto place = static_cast<Count>(reinterpret_cast<std::intptr_t>(machinery_.scratch_.get()));
    for (const int neighbour : neighbour_of_slot) {
      parts.push_back({Layout::named(Elementary::byte), blocks_.bytes_of(neighbour), place});
      place += blocks_.bytes_of(neighbour);
    }
    return parts;
  }

  // ---- Memory shared on the node.

  /// The bytes of one direct message.
  [[nodiscard]] Count message_bytes(const std::vector<int>& blocks) const {
    if (gathers()) return blocks_.bytes_of(blocks.front());
    Count bytes = 0;
    for (const int block : blocks) bytes += blocks_.bytes_of(block);
    return bytes;
  }

  void plan_direct_channels() {
    std::vector<int> readers;
    for (const Peer& peer : through_memory_) {
      if (peer.out.empty()) continue;
      const int reader = context_.member(peer.rank);
      readers.push_back(reader);
      if (!gathers()) plan_.add(Use::direct, 0, 0, direct_shape(message_bytes(peer.out), 1), {&reader, 1});
    }
    if (gathers() && !readers.empty())
      plan_.add(Use::direct, 0, 0, direct_shape(blocks_.bytes.front(), static_cast<int>(readers.size())),
                readers);
  }

  /// A link without empty blocks, and what its message consists of.
  struct Route {
    Link link;
    std::vector<Rank> writers, readers;
    Count bytes;
  };

  void select_links() {
    const NodeTraffic& traffic = neighborhood_.node_traffic();
    for (const Link& link : traffic.out) select_link(link, out_);
    for (const Link& link : traffic.in) select_link(link, in_);
    for (const Route& route : out_)
      if (route.link.sending_gateway() == context_.rank())
        plan_.add(Use::outgoing, route.link.to, route.link.part,
                  {route.bytes, route.bytes, 2, static_cast<int>(route.writers.size()), 1},
                  members(route.writers));
    for (const Route& route : in_)
      if (route.link.receiving_gateway() == context_.rank())
        plan_.add(Use::incoming, route.link.from, route.link.part,
                  {route.bytes, route.bytes, 2, 1, static_cast<int>(route.readers.size())},
                  members(route.readers));
  }

  void select_link(const Link& link, std::vector<Route>& routes) const {
    Link kept{link.from, link.to, {}, 0};
    Count bytes = 0;
    for (const Parcel& parcel : link.parcels) {
      if (blocks_.bytes_of(parcel.block) == 0) continue;
      kept.parcels.push_back(parcel);
      bytes += blocks_.bytes_of(parcel.block);
    }
    if (kept.parcels.empty()) return;
    if (gathers()) bytes = static_cast<Count>(kept.writers().size()) * blocks_.bytes.front();
    // What is gathered is sent once for all readers, so it is divided by writers.
    const auto parts = static_cast<std::size_t>(std::clamp(bytes / part_bytes, Count{1}, most_parts));
    for (Link& part : split(kept, parts, gathers() ? &Parcel::writer : &Parcel::reader))
      add_route(std::move(part), routes);
  }

  void add_route(Link link, std::vector<Route>& routes) const {
    std::vector<Rank> writers = link.writers(), readers = link.readers();
    Count bytes = 0;
    if (gathers())
      bytes = static_cast<Count>(writers.size()) * blocks_.bytes.front();
    else
      for (const Parcel& parcel : link.parcels) bytes += blocks_.bytes_of(parcel.block);
    routes.push_back({std::move(link), std::move(writers), std::move(readers), bytes});
  }

  [[nodiscard]] std::vector<int> members(const std::vector<Rank>& ranks) const {
    std::vector<int> numbers;
    for (const Rank rank : ranks) numbers.push_back(context_.member(rank));
    return numbers;
  }

  bool allocate() {
    if (context_.memory() == nullptr) {
      if (plan_.bytes() > 0) allocate_alone();
      return true;
    }
    auto arena = context_.memory()->allocate(plan_.bytes(), [&](std::byte* memory) { plan_.fill(memory); });
    if (!arena) return machinery_.usable_ = false;
    machinery_.arena_ = std::move(arena);
    machinery_.own_channels_ = plan_.channels(machinery_.arena_->mine);
    return true;
  }

  /// The only process of a node is its own gateway and needs no shared memory for it.
  void allocate_alone() {
    machinery_.private_arena_ =
        std::make_unique<Counter[]>(static_cast<std::size_t>(plan_.bytes()) / sizeof(Counter));
    plan_.fill(reinterpret_cast<std::byte*>(machinery_.private_arena_.get()));
  }

  [[nodiscard]] std::byte* arena_of(Rank rank) const {
    if (machinery_.private_arena_) return reinterpret_cast<std::byte*>(machinery_.private_arena_.get());
    return machinery_.arena_->of[static_cast<std::size_t>(context_.member(rank))];
  }
  [[nodiscard]] FoundChannel find(Rank owner, Use use, Rank who) const {
    return ArenaPlan::find(arena_of(owner), {use, 0, 0, context_.member(who)});
  }
  [[nodiscard]] FoundChannel outgoing(const Route& route, Rank who) const {
    return ArenaPlan::find(arena_of(route.link.sending_gateway()),
                           {Use::outgoing, route.link.to, route.link.part, context_.member(who)});
  }
  [[nodiscard]] FoundChannel incoming(const Route& route, Rank who) const {
    return ArenaPlan::find(arena_of(route.link.receiving_gateway()),
                           {Use::incoming, route.link.from, route.link.part, context_.member(who)});
  }

  // ---- Flows through it.

  void add_gateways() {
    const Rank me = context_.rank();
    for (const Route& route : in_)
      if (route.link.receiving_gateway() == me)
        add<GatewayReceiver>(
            incoming(route, route.readers.front()).channel, machinery_.requests_,
            Remote{context_.comm(), as_rank(route.link.sending_gateway()), first_tag_ + route.link.part});
    for (const Route& route : out_) {
      if (Pieces pieces = contribution(route); !pieces.empty()) {
        const FoundChannel found = outgoing(route, me);
        add<ChannelWriter>(found.channel, found.number, std::move(pieces));
      }
      if (route.link.sending_gateway() == me)
        add<GatewaySender>(
            outgoing(route, route.writers.front()).channel, machinery_.requests_,
            Remote{context_.comm(), as_rank(route.link.receiving_gateway()), first_tag_ + route.link.part});
    }
  }

  /// Where each parcel begins in the message of a route.
  [[nodiscard]] Counts offsets_in(const Route& route) const {
    Counts offsets;
    Count next = 0;
    for (const Parcel& parcel : route.link.parcels) {
      if (gathers()) {
        const auto writer = std::lower_bound(route.writers.begin(), route.writers.end(), parcel.writer);
        next = (writer - route.writers.begin()) * blocks_.bytes.front();
      }
      offsets.push_back(next);
      next += blocks_.bytes_of(parcel.block);
    }
    return offsets;
  }

  /// What this process puts into the message of a route.
  [[nodiscard]] Pieces contribution(const Route& route) const {
    return pieces_of(
        route, &Parcel::writer, [&](int block) { return blocks_.sent_to(block); }, gathers());
  }
  /// What it takes out.
  [[nodiscard]] Pieces share(const Route& route) const {
    return pieces_of(
        route, &Parcel::reader, [&](int block) { return blocks_.received_from(block); }, false);
  }

  /// The parcels of this process, those side by side in the message as one piece; all, or the first only.
  template <class Memory>
  [[nodiscard]] Pieces pieces_of(const Route& route, Rank Parcel::*role, const Memory& memory,
                                 bool first_only) const {
    const Counts offsets = offsets_in(route);
    Pieces pieces;
    std::vector<compile::Part> parts;
    Count begin = 0, end = -1;
    const auto flush = [&] {
      if (!parts.empty()) pieces.push_back({begin, compile::Packer(parts)});
      parts.clear();
    };
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const Parcel& parcel = route.link.parcels[i];
      if (parcel.*role != context_.rank()) continue;
      if (offsets[i] != end) {
        flush();
        begin = offsets[i];
      }
      parts.push_back(memory(parcel.block));
      end = offsets[i] + blocks_.bytes_of(parcel.block);
      if (first_only) break;
    }
    flush();
    return pieces;
  }

  void add_direct_writers() {
    for (const Peer& peer : through_memory_) {
      if (peer.out.empty()) continue;
      const FoundChannel found = find(context_.rank(), Use::direct, peer.rank);
      Pieces pieces{{0, compile::Packer(sent_to(peer.out))}};
      add<ChannelWriter>(found.channel, 0, std::move(pieces));
      if (gathers()) break;  // all read the same channel
    }
  }

  /// Small blocks are copied as one unit through a buffer, large ones straight from place to place.
  void add_own_copies() {
    std::vector<LocalCopy> copies;
    std::vector<compile::Part> from, to;
    for (const int block : own_) {
      if (blocks_.bytes_of(block) > largest_fused) {
        copies.emplace_back(blocks_.sent_to(block), blocks_.received_from(block));
        continue;
      }
      from.push_back(blocks_.sent_to(block));
      to.push_back(blocks_.received_from(block));
    }
    if (!from.empty()) copies.emplace_back(from, to);
    if (!copies.empty()) add<LocalCopies>(std::move(copies));
  }

  void add_readers() {
    for (const Peer& peer : through_memory_) {
      if (peer.in.empty()) continue;
      const FoundChannel found = find(peer.rank, Use::direct, context_.rank());
      add<ChannelReader>(found.channel, found.number, taken_from(peer.in));
    }
    for (const Route& route : in_) {
      Pieces pieces = share(route);
      if (pieces.empty()) continue;
      const FoundChannel found = incoming(route, context_.rank());
      add<ChannelReader>(found.channel, found.number, std::move(pieces));
    }
  }

  [[nodiscard]] Pieces taken_from(const std::vector<int>& in) const {
    Pieces pieces;
    std::vector<compile::Part> parts;
    for (const int block : in) {
      parts.push_back(blocks_.received_from(block));
      if (!gathers()) continue;
      pieces.push_back({0, compile::Packer(parts)});
      parts.clear();
    }
    if (!parts.empty()) pieces.push_back({0, compile::Packer(parts)});
    return pieces;
  }

  template <class F, class... Arguments>
  void add(Arguments&&... arguments) {
    machinery_.flows_.push_back(std::make_unique<F>(std::forward<Arguments>(arguments)...));
  }

  Machinery& machinery_;
  Neighborhood::State& neighborhood_;
  Context& context_;
  const Blocks& blocks_;
  const Choice& choice_;
  bool shared_, gateways_;
  int first_tag_ = 0;
  std::vector<int> own_;
  std::vector<Peer> through_memory_, through_messages_;
  std::vector<Route> out_, in_;
  ArenaPlan plan_;
};

Machinery::Machinery(Neighborhood::State& neighborhood, const Blocks& blocks, const Choice& choice)
    : context_(neighborhood.context) {
  MachineryBuilder(*this, neighborhood, blocks, choice).build();
}

Machinery::~Machinery() {
  if (!arena_) return;
  context_->memory()->retire(std::move(arena_), [channels = own_channels_, starts = starts_]() mutable {
    return std::all_of(channels.begin(), channels.end(),
                       [&](Channel& channel) { return channel.idle_after(starts); });
  });
}

void Machinery::begin() {
  ++starts_;
  open_.clear();
  for (const std::unique_ptr<Flow>& flow : flows_) {
    flow->begin();
    open_.push_back(flow.get());
  }
}

bool Machinery::advance() {
  requests_.poll();
  std::erase_if(open_, [](Flow* flow) { return flow->advance(); });
  return open_.empty();
}

}  // namespace halocline::exchange
