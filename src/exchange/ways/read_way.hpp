// SPDX-License-Identifier: BSD-3-Clause
// Straight from the blocks of one process to those of another where memory is not shared: the receiver has
// the kernel read them. The writer tells once where its blocks are, says at each start when they are ready,
// and waits until they are copied.
#pragma once

#include "exchange/flows/local_copy.hpp"
#include "exchange/memory/foreign_memory.hpp"
#include "exchange/ways/way.hpp"

#include <vector>

namespace halocline::exchange {

class ReadCopies : public Way {
 public:
  /// @pre what goes to these peers is read by them; what comes from them is read where they tell places
  ReadCopies(const Site& site, std::vector<Peer> peers) : Way(site), peers_(std::move(peers)) {}
  void plan(ArenaPlan& arena) const override;
  void add_senders(const Arenas& arenas, MachineryParts& parts) const override;
  void add_receivers(const Arenas& arenas, MachineryParts& parts) const override;

 private:
  std::vector<Peer> peers_;
};

/// Has a message read once its writer says so, and puts it where it belongs.
class ForeignReader : public Flow {
 public:
  /// Of a message that lies at the places in the channel in that process, and consists of these parts here;
  /// others get the bytes of the first part, too.
  ForeignReader(const FoundChannel& found, long process, const std::vector<compile::Part>& parts,
                const std::vector<compile::Part>& also_there);
  void begin() override { ++end_; }
  [[nodiscard]] bool advance() override;

 private:
  void read() const;

  Channel channel_;
  int number_;
  std::unique_ptr<std::byte[]> buffer_;  ///< On the way to short runs.
  std::vector<ForeignCopy> reads_;
  compile::Packer unpacker_;  ///< Of the buffer.
  std::vector<LocalCopy> copies_;
  Channel::Chunk next_ = 0, end_ = 0;
};

}  // namespace halocline::exchange
