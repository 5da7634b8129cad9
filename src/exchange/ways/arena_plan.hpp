// SPDX-License-Identifier: BSD-3-Clause
// The channels that one process provides to others, and the directory by which they find them.
#pragma once

#include "exchange/memory/channel.hpp"

#include <optional>
#include <span>
#include <vector>

namespace halocline::exchange {

/// What a process looks for in the arena of another.
struct ChannelKey {
  enum class Use : std::int32_t {
    direct,    ///< From the owner to processes of its node.
    signal,    ///< The same, without contents: they copy from its blocks.
    places,    ///< The same; where its blocks are stands there from the beginning.
    open,      ///< The same; they write into its memory once it says so.
    outgoing,  ///< From processes of the node to the owner, and on to another node.
    incoming,  ///< From another node to the owner, and on to processes of its node.
  };
  Use use;
  std::int32_t other_node;  ///< 0 on the node.
  std::int32_t part;        ///< Of what goes between the nodes; 0 on the node.
  std::int32_t member;      ///< The process that looks, by its number on the node.
  bool operator==(const ChannelKey&) const = default;
};

/// A channel, and the number of the one who looked among its readers or writers.
struct FoundChannel {
  Channel channel;
  int number;
};

/// Lays channels out in memory behind a directory.
class ArenaPlan {
 public:
  /// A channel for the given processes of the node, which are its readers (its writers if `use` is outgoing)
  /// in that order. Its first chunk has these contents from the beginning.
  void add(ChannelKey::Use use, int other_node, int part, const ChannelShape& shape,
           std::span<const int> members, std::vector<std::byte> contents = {});

  /// 0 if there are no channels.
  [[nodiscard]] Count bytes() const;
  /// Writes the directory and empty channels; throws nothing, as others wait for it. @pre `memory` is aligned
  /// as a Counter and has bytes()
  void fill(std::byte* memory) const noexcept;
  /// The channels by which messages can be counted, in the order in which they were added. Of one that is
  /// `open` all others have done with it when its own process has.
  [[nodiscard]] std::vector<Channel> channels(std::byte* memory) const;

  /// Looks a channel up in an arena that was filled.
  [[nodiscard]] static std::optional<FoundChannel> look_up(std::byte* memory, const ChannelKey& key);
  /// The same. Throws Error{internal} if it is not there.
  [[nodiscard]] static FoundChannel find(std::byte* memory, const ChannelKey& key);

 private:
  struct Entry {
    ChannelKey key;
    std::int32_t number;
    Count offset;
    ChannelShape shape;
  };
  struct Head {
    Count entries;
  };
  [[nodiscard]] Count directory_bytes() const;
  [[nodiscard]] Channel channel(std::byte* memory, std::size_t entry) const;

  std::vector<Entry> entries_;  ///< Offsets are from the end of the directory.
  std::vector<std::size_t> first_entries_;
  std::vector<std::vector<std::byte>> contents_;  ///< Of the first chunk of each channel.
  Count channel_bytes_ = 0;
};

}  // namespace halocline::exchange
