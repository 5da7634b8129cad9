#include "exchange/machinery.hpp"

#include "base/integers.hpp"
#include "exchange/arena_plan.hpp"
#include "exchange/channel_flows.hpp"
#include "exchange/gateway_flows.hpp"
#include "exchange/round_plans.hpp"
#include "exchange/routes.hpp"

#include <algorithm>
#include <set>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

/// A message longer than this goes through a channel in chunks, so that it is read while the rest is written,
/// and out of the cache.
constexpr Count chunk_bytes = Count{64} * 1024;
/// Chunks a channel has room for at most.
constexpr Count most_slots = 16;
/// Messages from here on are copied once instead of twice where processes see each other's blocks. Below that
/// it pays more that the sender need not wait for the receiver.
constexpr Count least_straight = Count{32} * 1024;
/// Blocks of a process to itself are fused up to this length.
constexpr Count largest_fused = 512;

ChannelShape direct_shape(Count message_bytes, int readers) {
  const Count chunk = std::min(message_bytes, chunk_bytes);
  return {message_bytes, chunk, std::min(2 * divide_up(message_bytes, chunk), most_slots), 1, readers};
}

}  // namespace

/// Decides for every block which way it goes, and puts the flows together: first what needs no shared memory,
/// then the plan of the own arena, then, once the arenas of all are known, the flows through them.
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
        gateways_(choice.schedule == "node" || choice.schedule == "mixed") {}

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
    if (choice_.timed)
      for (const std::unique_ptr<Flow>& flow : machinery_.flows_) flow->time_copies(&machinery_.copying_);
  }

 private:
  [[nodiscard]] bool combines() const { return choice_.schedule != "direct" && !gateways_; }

  /// Does a message between these two go straight from the blocks of one to those of the other? Both work it
  /// out alike.
  [[nodiscard]] bool goes_straight(Count bytes) const { return blocks_.seen_here && bytes >= least_straight; }
  [[nodiscard]] Count received_bytes(const Peer& peer) const {
    Count bytes = 0;
    for (const int block : peer.in) bytes += blocks_.bytes_received_from(block);
    return bytes;
  }

  // ---- Which block goes which way.

  void plan() {
    if (gateways_) plan_routes();
    select_peers();
    if (choice_.timed) add_start_signals();
    add_rounds();
    if (shared_) plan_direct_channels();
    if (gateways_) plan_gateways();
  }

  [[nodiscard]] static std::vector<int> non_empty(const std::vector<int>& blocks, const Counts& bytes) {
    std::vector<int> kept;
    for (const int block : blocks)
      if (bytes[static_cast<std::size_t>(block)] > 0) kept.push_back(block);
    return kept;
  }

  void select(const std::vector<Peer>& peers, std::vector<Peer>& selected) const {
    for (const Peer& peer : peers) {
      Peer kept{peer.rank, non_empty(peer.out, blocks_.bytes_out), non_empty(peer.in, blocks_.bytes_in)};
      if (!kept.out.empty() || !kept.in.empty()) selected.push_back(std::move(kept));
    }
  }

  void select_peers() {
    const Traffic& traffic = neighborhood_.traffic;
    own_ = non_empty(traffic.own, blocks_.bytes_out);
    select(traffic.on_node, shared_ ? through_memory_ : through_messages_);
    select(gateways_ ? without_gateways(traffic.off_node) : traffic.off_node, through_messages_);
  }

  /// What goes on its own although others go by gateways.
  [[nodiscard]] std::vector<Peer> without_gateways(std::vector<Peer> peers) const {
    const Rank me = context_.rank();
    std::set<Rank> readers, writers;
    for (const Route& route : out_)
      for (const Parcel& parcel : route.link.parcels)
        if (parcel.writer == me) readers.insert(parcel.reader);
    for (const Route& route : in_)
      for (const Parcel& parcel : route.link.parcels)
        if (parcel.reader == me) writers.insert(parcel.writer);
    for (Peer& peer : peers) {
      if (readers.contains(peer.rank)) peer.out.clear();
      if (writers.contains(peer.rank)) peer.in.clear();
    }
    return peers;
  }

  // ---- What is told about it.

  static void count(ExchangeStatistics::Traffic& traffic, Count bytes) {
    ++traffic.messages;
    traffic.bytes += bytes;
  }
  void count_message(Rank to, Count bytes) {
    const bool here = context_.nodes()[to] == context_.node();
    count(here ? machinery_.traffic_.node : machinery_.traffic_.network, bytes);
  }
  void count_rounds(const std::vector<RoundPlan>& plans) {
    for (const RoundPlan& plan : plans) {
      if (plan.to == MPI_PROC_NULL) continue;
      Count bytes = 0;
      for (const compile::Part& part : plan.sends) bytes += part.count * part.layout.size();
      count_message(plan.to, bytes);
    }
  }

  /// First of all flows, so that neighbours hear of it before this process is busy.
  void add_start_signals() {
    std::vector<int> to, from;
    const Traffic& traffic = neighborhood_.traffic;
    for (const std::vector<Peer>* peers : {&traffic.on_node, &traffic.off_node})
      for (const Peer& peer : *peers) {
        if (!peer.out.empty()) to.push_back(static_cast<int>(peer.rank));
        if (!peer.in.empty()) from.push_back(static_cast<int>(peer.rank));
      }
    add<StartSignals>(to, from, context_.take_tags(1), context_.comm(), machinery_.requests_);
    machinery_.start_signals_ = static_cast<const StartSignals*>(machinery_.flows_.back().get());
  }

  // ---- Messages between processes.

  void add_rounds() {
    std::vector<RoundPlan> plans;
    if (combines()) {
      const Schedule& schedule = neighborhood_.schedule(choice_.schedule, blocks_.operation);
      first_tag_ = context_.take_tags(static_cast<int>(schedule.rounds()));
      CombinedRounds combined = combined_rounds(blocks_, local(schedule), first_tag_);
      plans = std::move(combined.plans);
      machinery_.scratch_ = std::move(combined.scratch);
    } else {
      first_tag_ = context_.take_tags(gateways_ ? schedule::most_node_messages + 1 : 1);
      plans = direct_rounds(blocks_, through_messages_,
                            first_tag_ + (gateways_ ? schedule::most_node_messages : 0));
    }
    count_rounds(plans);
    if (!plans.empty())
      add<Rounds>(plans, choice_.wire, choice_.engine, context_.comm(), machinery_.requests_);
  }

  [[nodiscard]] LocalSchedule local(const Schedule& schedule) const {
    const NodeMap& nodes = context_.nodes();
    const auto travels = [&](Count origin, Count target) {
      return choice_.shared ? nodes[origin] != nodes[target] : origin != target;
    };
    return LocalSchedule(schedule, context_.grid(), context_.rank(), travels);
  }

  // ---- Memory shared on the node.

  /// Of a channel that says "ready" one way and "taken" the other, and carries nothing.
  static ChannelShape signal_shape(int readers) { return {1, 1, 2, 1, readers}; }

  void plan_direct_channels() {
    std::vector<int> readers, straight_readers;
    for (const Peer& peer : through_memory_) {
      if (peer.out.empty()) continue;
      const int reader = context_.member(peer.rank);
      const Count bytes = blocks_.message_bytes(peer.out);
      count(machinery_.traffic_.node, bytes);
      if (goes_straight(bytes)) {
        straight_readers.push_back(reader);
        continue;
      }
      readers.push_back(reader);
      if (!blocks_.gathered()) plan_.add(Use::direct, 0, 0, direct_shape(bytes, 1), {&reader, 1});
    }
    if (blocks_.gathered() && !readers.empty())
      plan_.add(Use::direct, 0, 0, direct_shape(blocks_.bytes_out.front(), static_cast<int>(readers.size())),
                readers);
    if (!straight_readers.empty())
      plan_.add(Use::signal, 0, 0, signal_shape(static_cast<int>(straight_readers.size())), straight_readers);
  }

  void plan_routes() {
    const NodeTraffic& traffic = neighborhood_.node_traffic();
    out_ = routes_of(traffic.out, blocks_, choice_.longest_by_node);
    in_ = routes_of(traffic.in, blocks_, choice_.longest_by_node);
  }

  void plan_gateways() {
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

  [[nodiscard]] std::vector<int> members(const std::vector<Rank>& ranks) const {
    std::vector<int> numbers;
    numbers.reserve(ranks.size());
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

  [[nodiscard]] FoundChannel find(Rank owner, Use use, int other_node, int part, Rank who) const {
    std::byte* arena = machinery_.private_arena_
                           ? reinterpret_cast<std::byte*>(machinery_.private_arena_.get())
                           : machinery_.arena_->of[static_cast<std::size_t>(context_.member(owner))];
    return ArenaPlan::find(arena, {use, other_node, part, context_.member(who)});
  }
  [[nodiscard]] FoundChannel direct(Rank writer, Rank reader) const {
    return find(writer, Use::direct, 0, 0, reader);
  }
  [[nodiscard]] FoundChannel signal(Rank writer, Rank reader) const {
    return find(writer, Use::signal, 0, 0, reader);
  }
  [[nodiscard]] FoundChannel outgoing(const Route& route, Rank writer) const {
    return find(route.link.sending_gateway(), Use::outgoing, route.link.to, route.link.part, writer);
  }
  [[nodiscard]] FoundChannel incoming(const Route& route, Rank reader) const {
    return find(route.link.receiving_gateway(), Use::incoming, route.link.from, route.link.part, reader);
  }

  // ---- Flows through it.

  [[nodiscard]] Remote remote(const Route& route, Rank gateway) const {
    return {context_.comm(), static_cast<int>(gateway), first_tag_ + route.link.part};
  }

  void add_gateways() {
    const Rank me = context_.rank();
    for (const Route& route : in_)
      if (route.link.receiving_gateway() == me)
        add<GatewayReceiver>(incoming(route, route.readers.front()).channel, machinery_.requests_,
                             remote(route, route.link.sending_gateway()));
    for (const Route& route : out_) {
      if (Pieces pieces = route.contribution(blocks_, me, choice_.engine); !pieces.empty()) {
        const FoundChannel found = outgoing(route, me);
        add<ChannelWriter>(found.channel, found.number, std::move(pieces));
      }
      if (route.link.sending_gateway() != me) continue;
      count(machinery_.traffic_.network, route.bytes);
      add<GatewaySender>(outgoing(route, route.writers.front()).channel, machinery_.requests_,
                         remote(route, route.link.receiving_gateway()));
    }
  }

  void add_direct_writers() {
    bool announced = false;
    for (const Peer& peer : through_memory_) {
      if (peer.out.empty()) continue;
      if (goes_straight(blocks_.message_bytes(peer.out))) {
        if (!announced) add<Announcer>(signal(context_.rank(), peer.rank).channel);
        announced = true;
        continue;
      }
      Pieces pieces{{0, choice_.engine.packer(blocks_.sent_to(peer.out))}};
      add<ChannelWriter>(direct(context_.rank(), peer.rank).channel, 0, std::move(pieces));
      if (blocks_.gathered()) break;  // all read the same channel
    }
  }

  /// Small blocks are copied as one unit through a buffer, large ones straight from place to place.
  template <class Source>
  [[nodiscard]] std::vector<LocalCopy> copies_of(const std::vector<int>& blocks, const Source& source) const {
    std::vector<LocalCopy> copies;
    std::vector<compile::Part> from, to;
    for (const int block : blocks) {
      if (blocks_.bytes_received_from(block) > largest_fused) {
        copies.emplace_back(source(block), blocks_.received_from(block));
        continue;
      }
      from.push_back(source(block));
      to.push_back(blocks_.received_from(block));
    }
    if (!from.empty()) copies.emplace_back(from, to);
    return copies;
  }

  void add_own_copies() {
    if (own_.empty()) return;
    for (const int block : own_) count(machinery_.traffic_.self, blocks_.bytes_sent_to(block));
    add<LocalCopies>(copies_of(own_, [&](int block) { return blocks_.sent_to(block); }));
  }

  [[nodiscard]] std::vector<LocalCopy> copied_from(const Peer& peer) const {
    return copies_of(peer.in, [&](int block) { return blocks_.seen_at(peer.rank, block); });
  }

  void add_readers() {
    for (const Peer& peer : through_memory_) {
      if (peer.in.empty()) continue;
      if (goes_straight(received_bytes(peer))) {
        const FoundChannel found = signal(peer.rank, context_.rank());
        add<StraightReader>(found.channel, found.number, copied_from(peer));
        continue;
      }
      const FoundChannel found = direct(peer.rank, context_.rank());
      add<ChannelReader>(found.channel, found.number, taken_from(peer.in));
    }
    for (const Route& route : in_) {
      Pieces pieces = route.share(blocks_, context_.rank(), choice_.engine);
      if (pieces.empty()) continue;
      const FoundChannel found = incoming(route, context_.rank());
      add<ChannelReader>(found.channel, found.number, std::move(pieces));
    }
  }

  /// All blocks of a message one behind the other; of what was gathered, all the same one.
  [[nodiscard]] Pieces taken_from(const std::vector<int>& in) const {
    Pieces pieces;
    std::vector<compile::Part> parts;
    for (const int block : in) {
      parts.push_back(blocks_.received_from(block));
      if (!blocks_.gathered()) continue;
      pieces.push_back({0, choice_.engine.packer(parts)});
      parts.clear();
    }
    if (!parts.empty()) pieces.push_back({0, choice_.engine.packer(parts)});
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
    : Machinery(neighborhood.context) {
  MachineryBuilder(*this, neighborhood, blocks, choice).build();
}

}  // namespace halocline::exchange
