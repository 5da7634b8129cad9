// SPDX-License-Identifier: BSD-3-Clause
// Straight from the blocks of one process to those of another that sees them: one copy instead of two. The
// writer says when its blocks are ready, and waits until they are copied.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/local_copy.hpp"
#include "exchange/ways/way.hpp"

#include <vector>

namespace halocline::exchange {

/// Of a channel that says "ready" one way and "taken" the other, and carries nothing.
[[nodiscard]] ChannelShape signal_shape(std::size_t readers);

class StraightCopies : public Way {
 public:
  /// @pre what goes to these peers goes straight; so does what comes from them where they give signals
  StraightCopies(const Site& site, std::vector<Peer> peers) : Way(site), peers_(std::move(peers)) {}
  void plan(ArenaPlan& arena) const override;
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;
  void add_receivers(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  std::vector<Peer> peers_;
};

/// Blocks that a process sends to itself.
class OwnCopies : public Way {
 public:
  OwnCopies(const Site& site, std::vector<int> own) : Way(site), own_(std::move(own)) {}
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  std::vector<int> own_;
};

/// Tells the others of the node that they may copy from the blocks of this process, and waits until they
/// have.
/// @pre the channel has one chunk a start
class Announcer : public Flow {
 public:
  explicit Announcer(const Channel& channel) : channel_(channel) {}
  void begin() override { channel_.publish(0, starts_++); }
  [[nodiscard]] bool advance() override { return channel_.idle_after(starts_); }

 private:
  Channel channel_;
  Channel::Chunk starts_ = 0;
};

/// Copies from the blocks of another process once it says so.
class StraightReader : public Flow {
 public:
  StraightReader(const Channel& channel, int number, std::vector<LocalCopy> copies)
      : channel_(channel), number_(number), copies_(std::move(copies)), load_(load_of(copies_)) {}
  void begin() override { ++end_; }
  [[nodiscard]] bool advance() override;

 private:
  Channel channel_;
  int number_;
  std::vector<LocalCopy> copies_;
  Load load_;
  Channel::Chunk next_ = 0, end_ = 0;
};

}  // namespace halocline::exchange
