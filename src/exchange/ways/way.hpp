// SPDX-License-Identifier: BSD-3-Clause
// A way for blocks to go from process to process. An exchange has several, side by side.
#pragma once

#include "base/index.hpp"
#include "exchange/neighborhood/blocks.hpp"
#include "exchange/neighborhood/context.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/ways/arena_plan.hpp"
#include "exchange/ways/machinery_parts.hpp"

namespace halocline::exchange {

/// What ways are worked out from; lives as long as they do.
struct Site {
  NeighborhoodState& neighborhood;
  Context& context;
  const Blocks& blocks;
  const Choice& choice;
};

/// The arenas of the processes of the node, once all are filled.
class Arenas {
 public:
  Arenas(const Context& context, const MachineryParts& parts) : context_(context), parts_(parts) {}

  /// The channel that `owner` provides to `who`.
  [[nodiscard]] FoundChannel find(Rank owner, ChannelKey::Use use, Rank who, int other_node = 0,
                                  int part = 0) const {
    return ArenaPlan::find(memory_of(owner), {use, other_node, part, context_.member(who)});
  }
  /// The same, if there is one.
  [[nodiscard]] std::optional<FoundChannel> look_up(Rank owner, ChannelKey::Use use, Rank who) const {
    return ArenaPlan::look_up(memory_of(owner), {use, 0, 0, context_.member(who)});
  }

 private:
  [[nodiscard]] std::byte* memory_of(Rank owner) const {
    return parts_.private_arena ? reinterpret_cast<std::byte*>(parts_.private_arena.get())
                                : parts_.arena->of[to_index(context_.member(owner))];
  }

  const Context& context_;
  const MachineryParts& parts_;
};

class Way {
 public:
  explicit Way(const Site& site) : site_(site) {}
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  /// The channels that this process has to provide to others of its node.
  virtual void plan(ArenaPlan& /*arena*/) const {}
  /// The flows that send something, and what they send for the statistics.
  virtual void add_senders(const Arenas& arenas, MachineryParts& parts) const = 0;
  /// Those that only receive.
  virtual void add_receivers(const Arenas& /*arenas*/, MachineryParts& /*parts*/) const {}

 protected:
  [[nodiscard]] const Blocks& blocks() const { return site_.blocks; }
  [[nodiscard]] const Context& context() const { return site_.context; }
  [[nodiscard]] Rank rank() const { return site_.context.rank(); }
  [[nodiscard]] const mpi::EngineChoice& engine() const { return site_.choice.engine; }

  const Site& site_;
};

}  // namespace halocline::exchange
