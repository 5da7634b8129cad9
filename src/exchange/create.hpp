// Creation of exchanges whose blocks have to be read from somewhere first, which may fail on one rank alone.
#pragma once

#include "exchange/blocks.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/schedule/schedule.hpp"

#include <functional>
#include <vector>

namespace halocline::exchange {

/// The blocks of one process.
struct Ends {
  std::vector<Block> send, receive;
  BlockSizes sizes =
      {};  ///< For blocks that differ in size between processes, all of which must agree on it.
  BlockSeenHere seen_here = {};  ///< If processes of a node can copy straight from each other.
};
using ReadEnds = std::function<Ends()>;

/// As Exchange::alltoall and allgather. What `read` throws on any rank is thrown on all. Collective.
[[nodiscard]] Exchange create(const Neighborhood& neighborhood, Operation operation, const ReadEnds& read,
                              const ExchangeOptions& options = {});

}  // namespace halocline::exchange
