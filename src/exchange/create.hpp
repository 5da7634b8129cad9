// Creation of exchanges whose blocks have to be read from somewhere first, which may fail on one rank alone.
#pragma once

#include "halocline/exchange/exchange.hpp"
#include "halocline/schedule/schedule.hpp"

#include <functional>
#include <vector>

namespace halocline::exchange {

/// The blocks of one process.
struct Ends {
  std::vector<Block> send, receive;
};
using ReadEnds = std::function<Ends()>;

/// As Exchange::alltoall and allgather. What `read` throws on any rank is thrown on all. Collective.
[[nodiscard]] Exchange create(const Neighborhood& neighborhood, Operation operation, const ReadEnds& read,
                              const ExchangeOptions& options = {});

}  // namespace halocline::exchange
