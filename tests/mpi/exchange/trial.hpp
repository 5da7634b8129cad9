// An exchange with its buffers and what must arrive in them.
#pragma once

#include "exchange/neighborhood/peers.hpp"
#include "exchange/planning/option_words.hpp"
#include "exchange/scattered_block.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "plan/options/option_names.hpp"
#include "schedule/algorithms.hpp"
#include "support/world.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halocline {

inline std::vector<std::string> every_schedule() {
  std::vector<std::string> names{"auto", "node", "mixed"};
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) names.emplace_back(algorithm.name);
  return names;
}
inline const std::vector<std::string> schedules = every_schedule();

/// A Cartesian communicator of all ranks or of some of them, in any order.
inline mpi::Comm make_cart(MPI_Comm comm, const Grid& grid) {
  const Count rank = mpi::rank(comm);
  return mpi::create_cart(comm, grid, rank < grid.size() ? std::optional(grid.cell(rank)) : std::nullopt);
}

inline Count random_bytes(Random& random) {
  switch (random_in(random, 0, 9)) {
    case 0:
      return 0;
    case 1:
      return random_in(random, 1000, 5000);
    case 2:
      return random_in(random, 0, 3) == 0 ? random_in(random, 60'000, 200'000) : 64;
    default:
      return random_in(random, 1, 60);
  }
}

/// Of `blocks` blocks which are all long, if there are not too many.
inline Count random_long_bytes(Random& random, std::size_t blocks) {
  return random_in(random, 1, 400'000 / (1 + static_cast<Count>(blocks)));
}

/// An exchange with all its buffers, and what must be in them.
class Trial {
 public:
  /// `common` is the same on all ranks, `own` is not.
  Trial(const Neighborhood& neighborhood, Rank rank, Operation operation, const ExchangeOptions& options,
        Random& common, Random& own)
      : neighborhood_(neighborhood), rank_(rank), operation_(operation) {
    const bool gather = operation == Operation::allgather;
    const bool all_long = random_in(common, 0, 7) == 0;
    const auto some_bytes = [&] {
      return all_long ? random_long_bytes(common, gather ? 1 : neighborhood.size()) : random_bytes(common);
    };
    const Count one = some_bytes();
    std::vector<Block> send, receive;
    for (std::size_t i = 0; i < neighborhood.size(); ++i) {
      const Count bytes = gather ? one : some_bytes();
      if (!gather || i == 0) sent_.emplace_back(bytes, own);
      received_.emplace_back(bytes, own);
    }
    for (ScatteredBlock& block : sent_) send.push_back(block.block());
    for (ScatteredBlock& block : received_) receive.push_back(block.block());
    exchange_.emplace(gather ? Exchange::allgather(neighborhood, send.front(), receive, options)
                             : Exchange::alltoall(neighborhood, send, receive, options));
    expected_ = received_;
    sources_ = exchange::neighbours_of(neighborhood.grid(), neighborhood.offsets(), rank).sources;
  }

  void start(Count number) {
    number_ = number;
    for (std::size_t i = 0; i < sent_.size(); ++i)
      sent_[i].fill([&](Count byte) { return content(rank_, static_cast<Count>(i), byte, number); });
    for (std::size_t i = 0; i < received_.size(); ++i) {
      received_[i].clear();
      expected_[i].clear();
      const Count block = operation_ == Operation::allgather ? 0 : static_cast<Count>(i);
      if (sources_[i] >= 0)
        expected_[i].fill([&](Count byte) { return content(sources_[i], block, byte, number); });
    }
    exchange_->start();
  }

  Exchange& exchange() { return *exchange_; }

  /// The first wrong block, or -1.
  [[nodiscard]] Count wrong() const {
    for (std::size_t i = 0; i < received_.size(); ++i)
      if (!(received_[i] == expected_[i])) return static_cast<Count>(i);
    return -1;
  }

 private:
  Neighborhood neighborhood_;
  Rank rank_;
  Operation operation_;
  std::vector<ScatteredBlock> sent_, received_, expected_;
  std::vector<Rank> sources_;
  std::optional<Exchange> exchange_;
  Count number_ = 0;
};

inline std::string named(const Grid& grid, const Stencil& offsets, const std::string& machine,
                         const ExchangeOptions& options) {
  return grid.to_text() + " offsets " + offsets.to_text() + " on " + machine + " by " +
         plan::name_of(*options.schedule) + " wire " + std::to_string(static_cast<int>(*options.wire)) +
         " shared " + std::to_string(static_cast<int>(*options.shared));
}

}  // namespace halocline
