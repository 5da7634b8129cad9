// SPDX-License-Identifier: BSD-3-Clause
// From process to process: all that one has for another in a message of its own, by MPI or through memory
// that the processes of a node share.
#pragma once

#include "exchange/flows/pieces.hpp"
#include "exchange/flows/rounds.hpp"
#include "exchange/ways/way.hpp"

#include <span>
#include <vector>

namespace halocline::exchange {

/// By MPI's point-to-point calls.
class DirectMessages : public Way {
 public:
  DirectMessages(const Site& site, const std::vector<Peer>& peers, int tag);
  /// These messages are sent while others are packed on the device of the site.
  void overlap() { overlaps_ = true; }
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  std::vector<RoundPlan> plans_;
  bool overlaps_ = false;
};

/// Through memory: packed into a channel by one process, unpacked from it by the other. What is gathered goes
/// through one channel that all of the node read.
class DirectChannels : public Way {
 public:
  /// @pre peers are on this node; they get something, or something comes from them
  DirectChannels(const Site& site, std::vector<Peer> peers) : Way(site), peers_(std::move(peers)) {}
  void plan(ArenaPlan& arena) const override;
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;
  void add_receivers(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  [[nodiscard]] Pieces taken_from(const std::vector<int>& in) const;

  std::vector<Peer> peers_;
};

/// One message out and one in for each peer, all with that tag. What is gathered is sent once to a peer,
/// whose other places for it get copies.
[[nodiscard]] std::vector<RoundPlan> direct_rounds(const Blocks& blocks, const std::vector<Peer>& peers,
                                                   int tag);

/// Adds the flow of these rounds, with a window as Rounds has it, and what they send, if there are any; null
/// if not.
Rounds* add_rounds(const Site& site, std::span<const RoundPlan> plans, MachineryParts& parts,
                   Count window = Rounds::unlimited);

}  // namespace halocline::exchange
