// SPDX-License-Identifier: BSD-3-Clause
// Where the walk turns from one slab into the next: strips that meet there meet again at many other places.
#pragma once

#include "base/hash.hpp"
#include "place/optimal_strips/kept_weight.hpp"

#include <cstdint>
#include <unordered_map>

namespace halocline::place {

/// Where the walk turns: inside a node of this kind, so many cells behind its start.
struct TurnPlace {
  std::size_t kind;
  Count past;
  bool operator==(const TurnPlace&) const = default;
};

/// A turn, and what the node at one place keeps across it.
struct KnownTurn {
  StripTurn turn;
  TurnPlace place = {0, -1};  ///< Asked for last; none at first.
  Count kept = 0;             ///< There.
};

class SlabTurns {
 public:
  struct Found {
    KnownTurn& turn;
    bool is_new;
  };

  /// The turn from a slab that ends with the strip `first` into one that starts with `second`.
  /// @pre both sections stay where they are
  Found between(const CrossingLinks& links, const Section& first, const Section& second) {
    const Key key{links.level, &first, &second};
    if (const auto known = turns_.find(key); known != turns_.end()) return {known->second, false};
    return {turns_.emplace(key, KnownTurn{StripTurn(links, first, second)}).first->second, true};
  }

  void clear() { turns_.clear(); }

 private:
  struct Key {
    std::size_t level;
    const Section *first, *second;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      const auto first = reinterpret_cast<std::uintptr_t>(key.first);
      const auto second = reinterpret_cast<std::uintptr_t>(key.second);
      return (first + key.level) * golden_ratio ^ second;
    }
  };
  std::unordered_map<Key, KnownTurn, Hash> turns_;
};

}  // namespace halocline::place
